---A policy written in Lua as a policy in C: the functions of the file, translated; the kernel's
---table, as the loaded policy has it. What C cannot say is refused, with its line.
local bundle = require "pinion.base.bundle"
local fault = require "pinion.base.fault"
local functions = require "pinion.export.functions"
local helpers = require "pinion.export.helpers"
local models = require "pinion.models"
local parse = require "pinion.export.parse"
local policies = require "pinion.policy"
local text = require "pinion.export.text"
local values = require "pinion.export.values"

local M = {}

---@class pinion.export.Exporter
---@field path string
---@field policy pinion.Policy
---@field model table
---@field source table what the loaded policy tells: fields, methods, cells, orders
---@field methods table
---@field chooses_keys boolean|nil whether parameters decide when keys change
---@field admits boolean whether it is asked about jobs before they arrive
---@field attributes { [string]: string } constants by name
---@field lists { [string]: table } local lists, by function and place, and by name
---@field cell_types { [string]: string } by name; "*": those that are named when they run
local Exporter = {}
Exporter.__index = Exporter

---Returns whether this is a function that is written where it is used.
function Exporter:is_helper(name)
    for _, list in ipairs { helpers, self.model.helpers } do
        for _, helper in ipairs(list) do if helper[1] == name then return true end end
    end
    return false
end

-- ---- the file -----------------------------------------------------------------------------------

---Notes what the file's own names stand for.
local function read_file(exporter, block)
    local function declare(name, global, node)
        if exporter.globals[name] then
            parse.refuse(exporter.path, node.line, "%s is declared twice", name)
        end
        exporter.globals[name] = global
    end
    for _, node in ipairs(block) do
        if node.kind == "local function" then
            declare(node.name, { node = node.value, name = node.name }, node)
        elseif node.kind == "local" then
            for i, name in ipairs(node.names) do
                local value = node.values[i]
                local is_function = value and value.kind == "function"
                declare(name, is_function and { node = value, name = name } or { value = value },
                    node)
            end
        elseif node.kind == "return" then
            exporter.definition = node.values[1]
        else
            parse.refuse(exporter.path, node.line,
                "a statement of the file that is no local and no return is not exported")
        end
    end
    while exporter.definition and exporter.definition.kind == "parentheses" do
        exporter.definition = exporter.definition.of
    end
    local made = exporter.definition
    if not made or made.kind ~= "table" then
        parse.refuse(exporter.path, made and made.line or 1, "the file must return a table")
    end
end

---Returns what is at a path of the definition, such as orders, ready, of; nil: nothing.
function Exporter:at_path(path)
    local node = self.definition
    for _, name in ipairs(path) do
        local found
        for _, item in ipairs(node.kind == "table" and node.items or {}) do
            if item.name == name then found = item.value end
        end
        if found and found.kind == "name" and self.globals[found.name] then
            local named = self.globals[found.name]
            found = named.node or named.value
        end
        if not found then return nil end
        node = found
    end
    return node
end

---Returns a value of the file that is known.
function Exporter:constant(node, at)
    if not node then parse.refuse(self.path, at.line, "a field is missing") end
    if node.kind == "number" then return values.number(node.value) end
    if node.kind == "text" then return self:text(node.value) end
    if node.kind == "nil" then return values.none() end
    if node.kind == "boolean" then return values.new("bool", tostring(node.value)) end
    if node.kind == "parentheses" then return self:constant(node.of, at) end
    if node.kind == "name" then return self:global(node.name, at) end
    if node.kind == "table" then
        local fields = {}
        for i, item in ipairs(node.items) do fields[item.name or i] = item.value end
        return values.new("table", "", values.ATOM, { fields = fields })
    elseif node.kind == "unary" and node.sign == "-" then
        return values.number(-self:constant(node.of, at).number)
    elseif node.kind == "binary" then
        local left, right = self:constant(node.left, at), self:constant(node.right, at)
        local compute = left.number and right.number
            and load("local a, b = ... return a " .. node.sign .. " b")
        local known, result = pcall(compute or error, left.number, right.number)
        if known and result == result and math.type(result) then return values.number(result) end
    end
    parse.refuse(self.path, at.line, "a value of the file is not known")
end

function Exporter:global(name, at)
    local global = self.globals[name]
    if not global then parse.refuse(self.path, at.line, "%s is not exported", name) end
    if global.node then
        return values.new("function", "", values.ATOM, { node = global, name = name })
    end
    return self:constant(global.value, at)
end

---Returns a text, and which cell it names.
function Exporter:text(word)
    local cell
    for _, cells in ipairs(self.source.cells) do
        if cells.kind == "single" and cells.name == word then cell = cells.c end
    end
    return values.new("text", string.format("%q", word), values.ATOM,
        { text = word, cell = cell, kind = (self.model.words or {})[word],
            changes = (self.model.changes or {})[word] })
end

-- ---- parameters and memory ----------------------------------------------------------------------

function Exporter:parameter(name)
    for i = 1, self.source.param_count do
        local parameter = self.policy.params[i]
        if parameter.name == name and not parameter.table then
            local read = string.format("%s_param_value(view, %d)", self.model.prefix, i - 1)
            local choices = parameter.choices
            if choices and type(choices[1]) == "boolean" then
                return values.new("bool", read .. " > 0", values.ORDER)
            elseif choices then
                local index = {}
                for _, choice in ipairs(choices) do
                    index[choice] = text.choice_name(name, choice)
                end
                return values.new("choice", "(int)" .. read, values.UNARY, { choice = index })
            elseif parameter.float then
                return values.new("float", read)
            end
            return values.int("(int64_t)" .. read, values.UNARY,
                math.max(parameter.low or -math.huge, -values.MOST),
                math.min(parameter.high or math.huge, values.MOST))
        end
    end
end

function Exporter:cells(kind, name)
    for _, cells in ipairs(self.source.cells) do
        if cells.name == name and (cells.kind == "per_job") == (kind == "per_job") then
            return cells
        end
    end
end

---Notes that cells get a value of this type.
function Exporter:hold_cell(writer, cells, value, node)
    if value.number == 0 and math.type(value.number) == "integer" then return end -- of any type
    local joined = values.join(self.cell_types[cells.name], value.type)
    if self.names_cells and value.type ~= "int" then
        writer:refuse(node, "memory whose names are known when it runs holds integers only")
    end
    if joined ~= "int" and joined ~= "float" and joined ~= "job" then
        writer:refuse(node, "memory holds a %s", value.type)
    end
    if joined ~= self.cell_types[cells.name] then
        self.cell_types[cells.name] = joined
        self.changed = true
    end
end

---Names the cells, and says how they lie in memory.
local function lay_out(exporter)
    local singles, more, each, taken = 0, 0, 0, {}
    for _, cells in ipairs(exporter.source.cells) do
        if cells.kind == "single" then
            cells.c = "STATE_" .. cells.name:upper()
            while taken[cells.c] do cells.c = cells.c .. "_2" end
            taken[cells.c] = true
            singles = singles + 1
        else
            cells.c = cells.c or (cells.kind == "per_job" and "of_job_" or "state_")
                .. cells.name:gsub(" ", "")
            cells.more_ahead, cells.each_ahead = more, each
            more = more + cells.more
            each = each + (cells.kind == "per_job" and 1 or cells.each)
        end
    end
    exporter.singles, exporter.more, exporter.each = singles, more, each
end

-- ---- calls --------------------------------------------------------------------------------------

---Returns what a parameter of a function is for this value, and what tells it from others.
local function parameter_of(name, value)
    local c_type = values.C_TYPES[value.type]
    if not c_type then
        return value, value.type .. (value.text or value.method or value.name or "")
            .. (value.cells and value.cells.name or "") .. value.c .. tostring(value.fields or "")
    end
    local is_amount = value.type == "int" and value.low >= 0 and value.high <= values.MOST
    local taken = values.new(value.type, name, values.ATOM, {
        low = is_amount and 0 or -math.huge, high = is_amount and values.MOST or math.huge,
        declared = c_type .. " " .. name, cell = value.type == "cell" and name or nil,
        is_there = value.is_there, mixed = value.mixed,
    })
    return taken, table.concat({ value.type, is_amount and "+" or "", value.is_there and "!" or "",
        value.mixed and "~" or "" }, "")
end

---Writes `return` of a function with these results.
local function give(writer, list, node)
    local made = writer.made
    made.results = made.results or {}
    for i = 1, math.max(#list, #made.results) do
        local value = list[i] or values.none()
        local known = made.results[i]
        local type = values.join(known and known.type, value.type)
        if known and known.type ~= value.type and (type == "int" or type == "float") then
            writer:refuse(node, "a function returns %s and %s", known.type, value.type)
        end
        if not type or (type ~= "nil" and not values.C_TYPES[type]) then
            writer:refuse(node, "a function returns a %s", value.type)
        end
        if not known or known.type ~= type then writer.changed = true end
        known = known or { low = math.huge, high = -math.huge }
        known.type = type
        known.low = math.min(known.low, value.low or -math.huge)
        known.high = math.max(known.high, value.high or math.huge)
        known.mixed = known.mixed or value.mixed
        made.results[i] = known
    end
    for i = 2, #made.results do
        writer:line("*result_%d = %s;", i, writer:convert(list[i] or values.none(),
            made.results[i].type, node))
    end
    local first = made.results[1]
    if not first then
        if writer.depth > 1 then writer:line "return;" end
    else
        writer:line("return %s;", writer:first(list, first.type, node))
    end
end

---Returns whether a loop ends by a break.
local function breaks(block)
    for _, node in ipairs(block) do
        if node.kind == "break" or (node.kind == "do" and breaks(node.block)) then return true end
        for _, part in ipairs(node.parts or {}) do
            if breaks(part.block) then return true end
        end
        if node.otherwise and breaks(node.otherwise) then return true end
    end
    return false
end

Exporter.breaks = breaks

---Returns whether a block ends by a return on every way.
local function ends(block)
    local last = block[#block]
    if not last then return false end
    if last.kind == "return" then return true end
    if last.kind == "while" and last.condition.kind == "boolean" and last.condition.value then
        return not breaks(last.block)
    end
    if last.kind ~= "if" or not last.otherwise then return false end
    for _, part in ipairs(last.parts) do if not ends(part.block) then return false end end
    return ends(last.otherwise)
end

---Returns the text of a function: its head and its lines. What it does not use is said.
local function text_of(exporter, made, head, unused)
    local body = table.concat(made.lines, "\n")
    local lines = { head, "{" }
    for _, name in ipairs(unused) do
        if not (" " .. body):find("[^%w_]" .. name .. "%f[^%w_]") then
            lines[#lines + 1] = "    (void)" .. name .. ";"
        end
    end
    if body ~= "" then lines[#lines + 1] = body end
    lines[#lines + 1] = "}"
    exporter.texts[#exporter.texts + 1] = { c = made.c, is_entry = made.is_entry,
        text = table.concat(lines, "\n") }
end

---Returns the names of a function's parameters, then of the variables of the enclosing function
---that it is given.
local function names_of(called)
    local names = table.move(called.node.parameters, 1, #called.node.parameters, 1, {})
    for _, one in ipairs(called.captured or {}) do names[#names + 1] = one.name end
    return names
end

---Makes a function of the file for arguments of these types, once. Returns it.
function Exporter:instance(called, given, at)
    local node, parameters, tells, declared = called.node, {}, {}, {}
    for i, name in ipairs(names_of(called)) do
        local c = self:free_name(name)
        local value, tell = parameter_of(c, given[i] or values.none())
        parameters[name], tells[i] = value, tell
        if value.declared then
            declared[#declared + 1] = { c = c, declared = value.declared }
        end
    end
    local key = tostring(node) .. (called.owner or "") .. table.concat(tells, ",")
    local made = self.instances[key]
    if made then return made end
    if self.depth > 12 then
        parse.refuse(self.path, at.line, "%s calls itself, or too deep", called.name)
    end
    local bare, count = self:free_name(called.name), 1
    local name = bare
    while self.taken[name] do
        count = count + 1
        name = bare .. "_" .. count
    end
    self.taken[name] = true
    made = { c = name, lines = {}, returns = give,
        taken = { view = true, result_2 = true, result_3 = true } }
    for _, one in ipairs(declared) do made.taken[one.c] = true end
    self.depth = self.depth + 1
    functions.write(self, made, node, parameters, called.seen)
    self.depth = self.depth - 1
    local first = made.results and made.results[1]
    if first and not ends(node.block) then
        local nothing = values.convert(values.none(), first.type)
        if not nothing then
            parse.refuse(self.path, node.line, "%s may return nil", called.name)
        end
        made.lines[#made.lines + 1] = "    return " .. nothing .. ";"
    end
    local list = { (made.acts and "" or "const ") .. self.model.view .. " *view" }
    local unused = { "view" }
    for _, one in ipairs(declared) do
        list[#list + 1] = one.declared
        unused[#unused + 1] = one.c
    end
    for i = 2, #(made.results or {}) do
        list[#list + 1] = values.C_TYPES[made.results[i].type] .. " *result_" .. i
    end
    text_of(self, made, string.format("static %s %s(%s)",
        first and values.C_TYPES[first.type] or "void", name, table.concat(list, ", ")), unused)
    self.instances[key] = made
    return made
end

---Returns a name for a parameter that means nothing else in C.
function Exporter:free_name(name)
    local is_taken = self:is_helper(name) or functions.is_word_of_c(name, true)
        or name == "result_2" or name == "result_3" or name == "kept_weight"
        or name:find "^of_job_" or name:find "^state_" or name:find "^list_"
    return is_taken and "its_" .. name or name
end

---Calls a function of the file: its results. Those behind the first go to variables, by pointers.
function Exporter:call(writer, called, given, at)
    local list, results, count = { "view" }, {}, #called.node.parameters
    for i, one in ipairs(called.captured or {}) do
        if writer.made.c ~= called.owner then
            writer:refuse(at, "%s is not exported where another function calls it", called.name)
        end
        given[count + i] = writer:read(one.variable, at)
    end
    local made = self:instance(called, given, at)
    for i = 1, #names_of(called) do
        local value = given[i]
        if value and values.C_TYPES[value.type] then list[#list + 1] = value.c end
    end
    writer.made.acts = writer.made.acts or made.acts
    writer.made.writes = writer.made.writes or made.writes
    for effect in next, made.does do writer:does(at, effect) end
    if made.writes and made.results and made.results[1] and not writer.direct[at] then
        writer:refuse(at, "the result of a function that writes stands for itself: local x = f(s)")
    end
    local function result(i, c)
        local known = made.results[i]
        results[i] = values.new(known.type, c, values.ATOM,
            { low = known.low, high = known.high, mixed = known.mixed })
    end
    for i = 2, #(made.results or {}) do
        local held = writer:temporary "result"
        writer:line("%s %s;", values.C_TYPES[made.results[i].type], held.c)
        list[#list + 1] = "&" .. held.c
        result(i, held.c)
    end
    local c = string.format("%s(%s)", made.c, table.concat(list, ", "))
    if not made.results or not made.results[1] then return { values.new("nothing", c) } end
    if #made.results > 1 then
        local held = writer:temporary "result"
        writer:line("const %s %s = %s;", values.C_TYPES[made.results[1].type], held.c, c)
        c = held.c
    end
    result(1, c)
    return results
end

-- ---- functions that the kernel calls ------------------------------------------------------------

---Writes a word of a key.
local function word(writer, value, node)
    if value.type == "int" then
        if value.low >= -values.MOST and value.high <= values.MOST then
            return string.format("pn_key_double(%s)", values.convert(value, "float"))
        end
        return string.format("integer_word(view, %s)", value.c)
    elseif value.type == "float" then
        return string.format("word(view, %s)", value.c)
    end
    writer:refuse(node, "a key is a %s", value.type)
end

local RETURNS = {}

function RETURNS.key(writer, list, node)
    local signed = list[2] and list[2].type == "bool"
    if #list == 0 or #list > (signed and 3 or 2) then
        writer:refuse(node, "a key is one or two numbers")
    end
    writer:line("key->word[0] = %s;", word(writer, list[1], node))
    if list[2] and list[2].type == "bool" then
        writer:line("key->word[1] = signed_word(view, %s, %s);", list[2].c,
            list[3] and writer:convert(list[3], "float", node) or "0")
    elseif list[2] then
        writer:line("key->word[1] = %s;", word(writer, list[2], node))
    end
    if writer.depth > 1 then writer:line "return;" end
end

function RETURNS.member(writer, list, node)
    writer:line("return %s;", writer:first(list, "bool", node))
end

function RETURNS.nothing(writer, list, node)
    if #list > 0 then writer:refuse(node, "no value is expected here") end
    if writer.depth > 1 then writer:line "return;" end
end

function RETURNS.status(writer, list, node)
    if #list > 0 then writer:refuse(node, "no value is expected here") end
    if writer.depth > 1 then writer:line "return PN_OK;" end
end

---Writes what a list of words makes use of; some only with some parameters.
function RETURNS.uses(writer, list, node)
    local uses = writer.exporter.model.uses
    local function refuse() writer:refuse(node, "uses of this kind are not exported") end
    if not list[1] or list[1].type ~= "table" then refuse() end
    local conditions = {}
    for _, item in ipairs(list[1].node.items) do
        local value, condition = item.value, "1"
        while value.kind == "binary" and value.sign == "and" do
            local part = writer:condition(value.left)
            condition = condition == "1" and part.c
                or condition .. " && " .. values.operand(part, values.AND)
            value = value.right
        end
        if value.kind ~= "text" or conditions[value.value] then refuse() end
        conditions[value.value] = condition
    end
    for _, line in ipairs(uses.first) do writer:line("%s", line) end
    if writer.exporter.chooses_keys then writer:line "order.keys = keys_of(view);" end
    for _, unless in ipairs(uses.unless) do
        local word, field = table.unpack(unless)
        if not conditions[word] and writer.exporter.source.fields:find(field, 1, true) then
            writer:line("order%s = 0;", field:match "^[%.%w_]+")
        end
    end
    for _, row in ipairs(uses.words) do -- in this order, as later ones may change earlier ones
        local word, line = table.unpack(row)
        if conditions[word] then
            writer:line("%s", (line:gsub("COND", conditions[word])
                :gsub("= 1 %? (.-) : .-;", "= %1;")))
        end
        conditions[word] = nil
    end
    if next(conditions) then refuse() end
    writer:line("%s", uses.last)
end

---Writes `return` of when keys change, which is chosen by parameters.
function RETURNS.changes(writer, list, node)
    if not list[1] or not list[1].changes then
        writer:refuse(node, "when keys change is not known by its name")
    end
    writer:line("return %s;", list[1].changes)
end

---Functions that a kernel calls, of all models: their heads, whether they are about a job, may act,
---and end by themselves.
M.FORMS = {
    key = { head = "static void NAME(const VIEW *view, uint32_t job, pn_key *key)", job = true,
        key = true, must = "a key", returns = RETURNS.key },
    member = { head = "static int NAME(const VIEW *view, uint32_t job)", job = true,
        returns = RETURNS.member },
    act = { head = "static int NAME(VIEW *view)", acts = true, returns = RETURNS.status,
        last = "return PN_OK;" },
    arrive = { head = "static int NAME(VIEW *view, uint32_t job)", acts = true, job = true,
        returns = RETURNS.status, last = "return PN_OK;" },
    finish = { head = "static void NAME(VIEW *view, uint32_t job)", acts = true, job = true,
        returns = RETURNS.nothing },
    uses = { head = "static int NAME(VIEW *view)", params = true, returns = RETURNS.uses },
    changes = { head = "static uint8_t NAME(const VIEW *view)", params = true,
        must = "key.changes", returns = RETURNS.changes },
    init_with = { head = "static int NAME(VIEW *view)", acts = true, returns = RETURNS.status,
        last = "return PN_OK;", first = "if (set_uses(view) != PN_OK)\n    return PN_ERR_POLICY;" },
}

---Those of a policy whose parameters decide what it makes use of.
M.HOOKS_WITH_USES = {
    { c = "keys_of", form = "changes", path = { "key", "changes" } },
    { c = "set_uses", form = "uses", path = { "uses" }, is_needed = true },
    { c = "init", field = "init", form = "init_with", path = { "init" }, is_needed = true },
}

---Hooks that all models have, where the definition has them.
M.HOOKS = {
    { c = "init", field = "init", form = "act", path = { "init" } },
    { c = "arrive", field = "arrive", form = "arrive", path = { "arrive" } },
    { c = "finish", field = "finish", form = "finish", path = { "finish" } },
}

M.FORMS.word = word

---Writes a function that the kernel calls.
---@param entry { c: string, path: string[], form: string, job: boolean|nil }
local function write_entry(exporter, entry)
    local model = exporter.model
    local form = model.forms[entry.form] or M.FORMS[entry.form]
    local node = exporter:at_path(entry.path)
    if entry.form == "uses" and (not node or node.kind == "table") then -- only keys are chosen
        local none = { kind = "table", line = 1, items = {} }
        node = { kind = "function", line = 1, parameters = {},
            block = { { kind = "return", line = 1, values = { none } } } }
    elseif (entry.form == "arrive" or entry.is_needed) and not node then
        node = { kind = "function", line = 1, parameters = { "s" }, block = {} }
    end
    if not node then
        parse.refuse(exporter.path, exporter.definition.line, "%s is not written in the table that "
            .. "the file returns", table.concat(entry.path, "."))
    end
    if node.kind ~= "function" then
        parse.refuse(exporter.path, node.line, "%s is not written as a function",
            table.concat(entry.path, "."))
    end
    if form.must and not ends(node.block) then
        parse.refuse(exporter.path, node.line, "%s may return nothing", form.must)
    end
    local made = { c = form.inner or entry.c, lines = {}, returns = form.returns, acts = form.acts,
        is_entry = true, nil_is_fine = form.nil_is_fine,
        taken = { view = true, job = form.job, key = form.key }, tables = form.params }
    for _, name in ipairs(form.taken or {}) do made.taken[name] = true end
    local parameters, sizes = {}, {}
    for i, name in ipairs(node.parameters) do
        if i == 1 then
            parameters[name] = values.new(form.params and "params" or "view", "view")
        elseif i == 2 and form.job then
            parameters[name] = values.new("job", "job", values.ATOM, { is_there = true })
        else
            local given = (form.given or values.none)(i)
            parameters[name] = given
            if given.type == "float" then
                local c = made.taken[name] and name .. "_of_job" or exporter:free_name(name)
                sizes[#sizes + 1] = { name = c, c = given.c }
                parameters[name] = values.new("float", c)
            end
        end
    end
    functions.write(exporter, made, node, parameters)
    if made.acts and not form.acts and not form.params then
        parse.refuse(exporter.path, node.line, "%s may only look", table.concat(entry.path, "."))
    end
    local body = table.concat(made.lines, "\n")
    local before = {}
    for _, one in ipairs(sizes) do
        if (" " .. body):find("[^%w_]" .. one.name .. "%f[^%w_]") then
            before[#before + 1] = string.format("    const double %s = %s;", one.name, one.c)
        end
    end
    local first = entry.form == "arrive" and exporter.has_columns and not exporter.admits
        and "forget(view, job);" or form.first or ""
    for line in first:gmatch "[^\n]+" do before[#before + 1] = "    " .. line end
    table.move(made.lines, 1, #made.lines, #before + 1)
    table.move(before, 1, #before, 1, made.lines)
    if form.last and not ends(node.block) then made.lines[#made.lines + 1] = "    " .. form.last end
    text_of(exporter, made, form.head:gsub("NAME", made.c):gsub("VIEW", model.view),
        table.move(form.taken or {}, 1, #(form.taken or {}), 2 + (form.job and 1 or 0),
            form.job and { "view", "job" } or { "view" }))
    if form.outer then
        exporter.texts[#exporter.texts + 1] = { c = entry.c, is_entry = true,
            text = (form.outer:gsub("VIEW", model.view):gsub("\n%?([^\n]*)",
                exporter.has_columns and "\n%1" or "")) }
    end
end

-- ---- the whole file -----------------------------------------------------------------------------

---Returns the functions that the table names and the hooks that the definition has.
local function entries_of(exporter)
    local list = {}
    for kind, name in exporter.source.fields:gmatch "%f[%w](%l+)_([%w_]+)%f[^%w_]" do
        local is_form = exporter.model.forms[kind] or M.FORMS[kind]
        local path = is_form and exporter.model.path and exporter.model.path(exporter, kind, name)
        if path and not list[kind .. name] then
            list[kind .. name] = true
            list[#list + 1] = { c = kind .. "_" .. name, path = path, form = kind }
        end
    end
    local function refuse(node, ...) parse.refuse(exporter.path, node.line, ...) end
    local of_model, uses = exporter.model.hooks(exporter, refuse), exporter:at_path { "uses" }
    local chooses = exporter.chooses_keys or (uses and uses.kind == "function")
    for _, hooks in ipairs { of_model, chooses and M.HOOKS_WITH_USES or {}, M.HOOKS } do
        for _, hook in ipairs(hooks) do
            local is_needed = hook.is_needed
                or (hook.form == "arrive" and exporter.has_columns and not exporter.admits)
            if hook.form == "changes" and not exporter.chooses_keys then goto next_hook end
            local is_new = not list[hook.c]
            list[hook.c] = true
            if is_new and (is_needed or exporter:at_path(hook.path)) then
                list[#list + 1] = hook
            end
            ::next_hook::
        end
    end
    return list
end

---Writes all functions; again while the types of memory change.
local function write_functions(exporter)
    for _ = 1, functions.TRIES do
        exporter.changed, exporter.depth = false, 0
        exporter.texts, exporter.instances, exporter.taken = {}, {}, {}
        local entries = entries_of(exporter)
        for _, entry in ipairs(entries) do
            local form = exporter.model.forms[entry.form]
            exporter.taken[entry.c], exporter.taken[form and form.inner or entry.c] = true, true
        end
        for _, entry in ipairs(entries) do write_entry(exporter, entry) end
        exporter.entries = entries
        if not exporter.changed then return lay_out(exporter) end -- with the lists
    end
    parse.refuse(exporter.path, exporter.definition.line,
        "types of memory depend on each other in more than %d steps", functions.TRIES)
end

-- Models by name; what they are of, see their files.
local MODELS = {
    cluster = "pinion.models.cluster.export", dag = "pinion.models.dag.export",
    slotted = "pinion.models.slotted.export",
    tandem = "pinion.models.tandem.export",
}

---Returns the policy as a file of C.
---@param policy pinion.Policy with a text
---@return string
function M.policy(policy)
    local lacking = models.lacking(models.find(policy.model), "export")
    if lacking then fault.located("usage", policy.chunk .. ": " .. lacking) end
    local own = bundle.own(policy.text)
    if own ~= policy.text then
        fault.located("usage", policy.chunk .. ": requires other files, which are not exported "
            .. "(expected a policy of one file)")
    end
    local handle = policies.instantiate(policy, {})
    local model = require(MODELS[policy.model])(values, M.FORMS)
    local source = handle:export()
    handle:close()
    local exporter = setmetatable({ path = policy.chunk, policy = policy, model = model,
        source = source, methods = source.methods, globals = {}, cell_types = {}, lists = {},
        attributes = {} }, Exporter)
    read_file(exporter, parse.read(policy.chunk, own))
    if source.fields:find "%.weight = " then -- what the key was made with holds for the slot
        table.insert(source.cells,
            { name = "weight ", c = "kept_weight", kind = "per_job", each = 0, more = 0 })
    end
    for _, cells in ipairs(source.cells) do
        exporter.has_columns = exporter.has_columns or cells.kind == "per_job"
    end
    local changes = exporter:at_path { "key", "changes" }
    exporter.chooses_keys = changes and changes.kind == "function"
    exporter.admits = exporter:at_path { "admit" } ~= nil -- which is asked before jobs arrive
    lay_out(exporter)
    write_functions(exporter)
    return text.file(exporter)
end

return M
