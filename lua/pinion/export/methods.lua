---Calls of the view's methods in C: most as the model's rows tell, some written by hand. Arguments
---are counted and checked.
local Writer = require "pinion.export.expressions"
local values = require "pinion.export.values"

-- ---- arguments ----------------------------------------------------------------------------------

---Returns the constant of an order that is named.
function Writer:order(value, node)
    for _, order in ipairs(self.exporter.source.orders) do
        if order == value.text then return "ORDER_" .. order:upper() end
    end
    self:refuse(node, "an order is not known by its name")
end

---Returns a job that must be there.
function Writer:job(value, node)
    if not value.cells or value.type == "job" then return self:some(value, node) end
    self.exporter:hold_cell(self, value.cells, values.new("job", ""), node)
    return "PN_NO_JOB" -- it is written as a job further down
end

---Returns a job, or none.
function Writer:after(value, node)
    if not value.cells or value.type == "job" then return self:convert(value, "job", node) end
    return self:job(value, node)
end

---Returns an integer from 0 on in C, as a type without a sign.
---@param most number what it is at most; `most_in_c` is the same in C
local function without_sign(writer, value, node, type, most, most_in_c)
    local c = writer:convert(value, "int", node)
    if value.low and value.low >= 0 and value.high <= most then
        return values.unsigned(value, type)
    end
    return string.format("%samount(view, %s, %s)", type == "uint64_t" and "" or "(" .. type .. ")",
        c, most_in_c)
end

---Returns an integer from 0 on in C.
function Writer:amount(value, node)
    return without_sign(self, value, node, "uint64_t", math.huge, "INT64_MAX")
end

---Returns the place of one of `count` things, which are numbered from `first` on, 0 or 1, in C.
function Writer:place(value, node, count, first)
    self:convert(value, "int", node)
    if value.index then return value.index end
    local place = first == 0 and value or values.calculate("-", value, values.number(first))
    local most = value.last and value.low >= first and value.last:gsub(" %- 1$", "", 1 - first)
    if most == "(int64_t)" .. count or most == "saturated(" .. count .. ")" then
        return values.unsigned(place, "uint32_t")
    end
    return string.format("below(view, %s, %s)", place.c, count)
end

---Returns an argument of a method in C.
---@param list pinion.export.Value[] what is given from there on
---@return string, integer|nil how many of these it takes; nil: one
function Writer:argument(node, type, name, list, called)
    local model, given = self.exporter.model, list[1] or values.none()
    if type and name ~= "after" and not list[1] then
        self:refuse(node, "s:%s has other arguments", called)
    elseif type == "uint32_t" and name == "job" then
        return self:job(given, node)
    elseif type == "uint32_t" and name == "after" then
        return self:after(given, node)
    elseif name == "order" then
        return self:order(given, node)
    elseif type == "uint32_t" and model.take then
        return model.take(self, node, name, list)
    elseif type == "uint64_t" then
        return self:amount(given, node)
    elseif type == "double" then
        return self:convert(given, "float", node)
    end
    return model.argument(self, node, name, given, called)
end

---Returns the arguments of a method in C by the names of its declarations.
function Writer:arguments(node, method, arguments, called)
    local taken, at = {}, 0
    local given = self:list(arguments)
    if #given ~= #arguments then
        self:refuse(node, "s:%s gets several results of a call", called)
    end
    for declared in (method.takes .. ";"):gmatch "%s*([^;]+);" do
        local type, name = declared:match "^([%w_]+) ([%w_]+)$"
        name = name or declared
        if declared ~= "(void)0" then
            local rest = table.move(given, at + 1, #given, 1, {})
            local count
            taken[name], count = self:argument(node, type, name, rest, called)
            at = at + (count or 1)
        end
    end
    if #arguments > at then self:refuse(node, "s:%s has other arguments", called) end
    return taken
end

-- ---- methods that are written by hand -----------------------------------------------------------

-- What a method takes, by the words of its row: in C, or as it is. Other words are the model's.
local TAKES = {
    job = function(writer, node, value) return writer:job(value, node) end,
    int = function(writer, node, value) return writer:convert(value, "int", node) end,
    float = function(writer, node, value) return writer:convert(value, "float", node) end,
    amount = function(writer, node, value) return writer:amount(value, node) end,
    ms = function(writer, node, value)
        return without_sign(writer, value, node, "uint64_t", values.MOST, "(int64_t)PN_INTEGER_MAX")
    end,
    count = function(writer, node, value)
        return without_sign(writer, value, node, "uint32_t", (1 << 32) - 1, "UINT32_MAX")
    end,
    order = function(writer, node, value) return writer:order(value, node) end,
    value = function(_, _, value) return value end,
}

---Returns the value of an argument; of a call in the last place, which would give all its results,
---the only one.
local function value_of(writer, node, argument, is_last, called)
    if not is_last or (argument.kind ~= "call" and argument.kind ~= "method") then
        return writer:value(argument)
    end
    local list = writer:list { argument }
    if #list > 1 then writer:refuse(node, "s:%s gets several results of a call", called) end
    return list[1]
end

---Returns the arguments that a row takes: as many as it has words, those with a question mark may
---be left out.
function Writer:arguments_of(node, row, arguments, called)
    local writer = self
    local given, least = {}, 0
    for i, word in ipairs(row.takes) do if not word:find "?" then least = i end end
    if #arguments < least or #arguments > #row.takes then
        writer:refuse(node, "s:%s has other arguments", called)
    end
    for i, argument in ipairs(arguments) do
        local word, is_free = row.takes[i]:match "^(%l+)(%??)"
        local value = word ~= "table" and value_of(writer, node, argument, i == #arguments, called)
        if word == "table" then
            given[i] = argument
        elseif value.type ~= "nil" or is_free == "" then
            given[i] = TAKES[word] and TAKES[word](writer, node, value)
                or writer.exporter.model.take(writer, node, word, { value })
        end
    end
    return given
end

---Adds an attribute. Jobs have it or all have not.
local function attribute(writer, node, job, name, otherwise)
    local exporter = writer.exporter
    if not name.text then writer:refuse(node, "an attribute is not known by its name") end
    local c = "ATTRIBUTE_" .. name.text:upper():gsub("[^%w_]", "_")
    for known, taken in next, exporter.attributes do
        if taken == c and known ~= name.text then
            writer:refuse(node, "attributes %s and %s have the same name in C", known, name.text)
        end
    end
    exporter.attributes[name.text] = c
    return values.new("float", string.format("carried(view, %s, %s, %s)", job, c,
        writer:convert(otherwise, "float", node)), values.ATOM, { mixed = otherwise.type == "int" })
end

---Returns a draw, which is a line of its own: C does not say which of two is the first.
local function draw(writer, value)
    writer.made.writes = true
    local held = writer:temporary "draw"
    writer:line("const %s %s = %s;", values.C_TYPES[value.type], held.c, value.c)
    value.c, value.binds = held.c, values.ATOM
    return value
end

-- Methods that several models have, where a model has what these are written with.
local SHARED = {
    random = { takes = { "value", "value" }, helper = "drawn",
        write = function(writer, node, low, high)
            local c = string.format("drawn(view, %s, %s)", writer:convert(low, "int", node),
                writer:convert(high, "int", node))
            return draw(writer, values.int(c, values.ATOM, low.low, high.high))
        end },
    attribute = { takes = { "job", "value", "value" }, helper = "carried", write = attribute },
    attribute_number = { takes = { "job", "value", "value" }, helper = "carried",
        write = attribute },
    uniform = { takes = {}, helper = "drawn", write = function(writer)
        return draw(writer, values.new("float", string.format("pn_uniform01(%s_stream(view))",
            writer.exporter.model.prefix)))
    end },
    scale = { takes = { "int", "int", "int" }, helper = "scaled",
        write = function(_, _, a, b, c)
            return values.not_negative(string.format("scaled(view, %s, %s, %s)", a, b, c))
        end },
}

---Returns the row of a method that is written by hand; nil: it is not.
local function row_of(exporter, name)
    local shared = SHARED[name]
    return exporter.model.by_hand[name]
        or (shared and exporter:is_helper(shared.helper) and shared or nil)
end

-- ---- the call -----------------------------------------------------------------------------------

---Returns what a method answers, or does.
function Writer:method(node, name, arguments)
    local exporter = self.exporter
    local result = exporter.model.results[name]
    if result and not self.direct[node] then
        self:refuse(node, "the result of s:%s stands for itself: local x = s:%s(...)", name, name)
    end
    local row = row_of(exporter, name)
    if row then
        local given = self:arguments_of(node, row, arguments, name)
        return row.write(self, node, table.unpack(given, 1, #row.takes))
    end
    local method = exporter.methods[name]
    if not method or method.way == 2 then
        self:refuse(node, "s:%s is not exported", tostring(name))
    end
    local taken = self:arguments(node, method, arguments, name)
    local wrapper, answer = method.answer:match "^policy_(%l+)(%b())$"
    answer = (answer and answer:sub(2, -2) or method.answer)
        :gsub("policy%->model%->", exporter.model.prefix .. "_")
    for called in answer:gmatch "([%a_][%w_]*)%(" do
        if not exporter:is_helper(called) and not called:find "^pn_" then
            self:refuse(node, "s:%s is not exported", name)
        end
    end
    answer = answer:gsub("%f[%w_][%a_][%w_]*", function(word) return taken[word] end)
    if method.way == 1 then
        self.made.acts, self.made.writes = true, true
        return result and values.new(result, answer, values.ATOM, { low = 0, high = values.MOST })
            or values.new("nothing", answer)
    end
    local bare = answer:gsub("^%(int64_t%)", "")
    if wrapper == "integer" and answer:find "priority" then -- which may be negative
        return values.int("(int64_t)" .. bare, values.UNARY, -2.0 ^ 31, 2.0 ^ 31)
    elseif wrapper == "integer" then
        return values.amount("(int64_t)" .. bare, values.UNARY)
    elseif wrapper == "float" then
        return values.new("float", answer)
    elseif wrapper == "boolean" then
        return values.flag(answer)
    elseif wrapper == "saturated" then
        return values.not_negative("saturated(" .. answer .. ")")
    elseif wrapper == "job" then
        return values.new("job", answer)
    end
    self:refuse(node, "s:%s is not exported", name)
end

return Writer
