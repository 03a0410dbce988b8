---Expressions of a policy in C, and the local variables of a function.
local parse = require "pinion.export.parse"
local values = require "pinion.export.values"

---@class pinion.export.Function
---@field c string its name
---@field lines string[]
---@field results string[]|nil types, once a return is met
---@field acts boolean|nil true: it needs a view that it may change

---@class pinion.export.Writer
---@field exporter pinion.export.Exporter
---@field made pinion.export.Function
---@field types { [string]: string } of local variables
---@field scopes { [string]: table }[]
local Writer = {}
Writer.__index = Writer

local function set(words)
    local made = {}
    for word in words:gmatch "%w+" do made[word] = true end
    return made
end

-- Names that an exported file cannot give to its own: keywords of C, names that the file's frame
-- uses, and functions of C's library that compilers declare by themselves.
local WORDS = set("auto bool break case cell cells char const continue default do double else enum "
    .. "extern false float for forget goto if inline int long register restrict return short "
    .. "signed sizeof static struct switch true typedef union unsigned view void volatile while")
local LIBRARY = set("abort abs acos asin atan bcmp bzero calloc cbrt ceil cos cosh div erf exit "
    .. "exp fabs floor fma fmax fmin fmod free frexp gamma hypot index isinf isnan j0 "
    .. "j1 labs ldexp lgamma log log2 lround main malloc memchr memcmp memcpy memmove "
    .. "memset modf nan nearbyint pow printf putchar puts realloc remainder rindex "
    .. "rint round scanf signbit sin sinh sqrt strcat strchr strcmp strcpy strlen "
    .. "strstr tan tanh tgamma time trunc y0 y1")

---Returns whether a name means something in C already; that of a function, or of a variable.
function Writer.is_word_of_c(name, is_function)
    return WORDS[name] or (is_function and LIBRARY[name]) or name:find "^_?[A-Z][A-Z0-9_]*$"
        or name:find "_t$" or name:find "^pn_" or name:find "^_[A-Z]"
end

function Writer:refuse(node, format, ...)
    parse.refuse(self.exporter.path, node.line, format, ...)
end

function Writer:line(format, ...)
    local text = select("#", ...) > 0 and string.format(format, ...) or format
    if self.guard then
        self:refuse(self.guard,
            "a draw, or a call with several results, is not exported in a condition")
    end
    self.made.lines[#self.made.lines + 1] = ("    "):rep(self.depth) .. text
end

-- ---- names --------------------------------------------------------------------------------------

---Returns whether something that can be seen here has this name in C.
function Writer:is_taken(c)
    local exporter = self.exporter
    if self.made.taken[c] or exporter.taken[c] or exporter:is_helper(c) then return true end
    for _, names in ipairs(self.names) do if names[c] then return true end end
    return Writer.is_word_of_c(c, true)
end

function Writer:open_scope()
    self.scopes[#self.scopes + 1], self.names[#self.names + 1] = {}, {}
end

function Writer:close_scope()
    local lines = self.made.lines
    for c, at in next, self.names[#self.names] do
        local is_used = at == 0
        for i = at + 1, is_used and 0 or #lines do
            local line = lines[i]:gsub("^%s*" .. c .. " = ", " ")
            is_used = is_used or (" " .. line .. " "):find("[^%w_]" .. c .. "[^%w_]")
        end
        if not is_used then lines[at] = lines[at] .. " (void)" .. c .. ";" end
    end
    self.scopes[#self.scopes], self.names[#self.names] = nil, nil
end

---Declares a variable that is not the policy's own, which does not see it: what it is called in C,
---and where its type is kept.
function Writer:temporary(name)
    local bare = Writer.is_word_of_c(name) and "its_" .. name or name
    local c, count = bare, 1
    while self:is_taken(c) do
        count = count + 1
        c = bare .. "_" .. count
    end
    self.count = self.count + 1
    self.names[#self.names][c] = 0 -- the line on which it is declared and must be used, if known
    return { c = c, key = self.count }
end

---Declares a local variable.
function Writer:declare(name)
    local variable = self:temporary(name)
    self.scopes[#self.scopes][name] = variable
    return variable
end

function Writer:find(name)
    for i = #self.scopes, 1, -1 do
        if self.scopes[i][name] then return self.scopes[i][name] end
    end
end

---Notes that a variable gets a value of this type.
function Writer:hold(variable, value, node)
    local known, type = self.types[variable.key], value.type
    if type == "text" then type = value.cell and "cell" or value.kind and "kind" or type end
    if type ~= "nil" and not values.C_TYPES[type] then
        self:refuse(node, "a %s cannot be in a variable that changes", type)
    end
    local joined = values.join(known, type)
    if not joined then self:refuse(node, "a variable is %s and %s", known, type) end
    if value.type == "nil" and not known then self.nils[variable.key] = true end
    local function note(kept, is_so)
        self.changed = self.changed or (is_so and not kept[variable.key])
        kept[variable.key] = kept[variable.key] or is_so
    end
    note(self.mixed, value.mixed or (known and type ~= known and joined == "float"))
    -- 0 stands for no job in memory, and is no nil
    note(self.zeros, value.zero or (value.cells and value.type == "job"))
    if joined ~= known then
        self.types[variable.key] = joined
        self.changed = true
    end
end

function Writer:type_of(variable) return self.types[variable.key] or "nil" end

---Returns a value in C as what a variable holds.
function Writer:convert(value, type, node)
    if value.type == values.MAYBE and (type == "int" or type == "float") then
        value = self:known(value)
    elseif value.type == values.BOUND and type == "int" then
        value = self:finite(value)
    end
    local c = values.convert(value, type)
    if not c and value.type == values.BOUND and type == "float" then
        c = self:widen(value, node).c
    end
    if value.type == "nil" and not self:is_known_nil(value) and not c then return "0" end
    if not c then self:refuse(node, "%s is expected here, got %s", type, value.type) end
    return c
end

---Returns an integer that may be math.huge as one, which ends the run where it is.
function Writer:finite(value)
    if value.type ~= values.BOUND then return value end
    return values.int("finite(view, " .. value.c .. ")")
end

---Makes a variable of integers and math.huge one of floats, as it meets one.
function Writer:widen(value, node)
    if value.type ~= values.BOUND then return value end
    if not value.key then self:refuse(node, "an integer that may be math.huge meets a float") end
    self.types[value.key], self.changed = "float", true
    return values.new("float", value.c, values.ATOM, { mixed = true })
end

---Returns two numbers of which both are floats, or neither is one that may be math.huge.
function Writer:both(a, b, node)
    if a.type == "float" or b.type == "float" then
        return self:widen(a, node), self:widen(b, node)
    end
    return self:finite(a), self:finite(b)
end

---Returns an integer that may be nil as one, which ends the run where it is nil.
function Writer:known(value)
    if value.type ~= values.MAYBE then return value end
    return values.not_negative("known(view, " .. value.c .. ")")
end

-- ---- expressions --------------------------------------------------------------------------------

local COMPARED = { ["<"] = "<", [">"] = ">", ["<="] = "<=", [">="] = ">=", ["=="] = "==",
    ["~="] = "!=" }

---Returns whether a value is nil for good, and not only until more is known of a variable.
function Writer:is_known_nil(value)
    if value.variable then self.unknown = value.variable end
    return not value.variable
end

---Returns the first of a function's results as a type, in C.
function Writer:first(list, type, node)
    return self:convert(list[1] or values.none(), type, node)
end

---Returns a job in C that must be there.
function Writer:some(value, node)
    local c = self:convert(value, "job", node)
    if value.is_there then return c end
    return string.format("some(view, %s)", c)
end

---Translates what is not always evaluated: nothing may be computed ahead of it.
function Writer:guarded(method, node)
    local outer = self.guard
    self.guard = node
    local value = self[method](self, node)
    self.guard = outer
    return value
end

---Returns whether an integer is not nil.
function Writer:is_known(value)
    local c = values.operand(value, values.ORDER + 1)
    return values.new("bool", c .. " >= 0", values.ORDER, { unless = c .. " < 0" })
end

---Returns an integer that began as nil, and is asked about it, as one that may be nil.
function Writer:nil_too(value)
    if value.type ~= "int" or not value.key or not self.nils[value.key] then return value end
    self.types[value.key], self.changed = values.MAYBE, true
    return values.new(values.MAYBE, value.c)
end

---Returns a value as a condition.
function Writer:condition(node)
    if node.kind == "binary" and (node.sign == "and" or node.sign == "or") then
        local binds = node.sign == "and" and values.AND or values.OR
        local function side(value) -- compilers want && within || in parentheses
            local is_plain = value.binds == binds or value.binds > values.AND
            return is_plain and value.c or "(" .. value.c .. ")"
        end
        return values.new("bool", side(self:condition(node.left))
            .. (node.sign == "and" and " && " or " || ")
            .. side(self:guarded("condition", node.right)), binds)
    elseif node.kind == "parentheses" then
        return self:condition(node.of)
    elseif node.kind == "unary" and node.sign == "not" then
        local of = self:condition(node.of)
        if of.unless then return values.new("bool", of.unless, of.binds) end
        return values.new("bool", "!" .. values.operand(of, values.UNARY), values.UNARY)
    end
    local value = self:value(node)
    if value.type == "bool" then return value end
    if value.cells or value.zero then
        self:refuse(node, "memory is never nil: compare it with 0")
    end
    if value.type == "nil" then
        self:is_known_nil(value)
        return values.new("bool", "false")
    end
    if value.type == "job" then
        local c = values.operand(value, values.EQUAL + 1)
        return values.new("bool", c .. " != PN_NO_JOB", values.EQUAL,
            { unless = c .. " == PN_NO_JOB" })
    end
    value = self:nil_too(value)
    if value.type == values.MAYBE then return self:is_known(value) end
    self:refuse(node, "a condition must be a boolean or a job")
end

---Returns whether a cell of which nothing is known yet must hold a job, as it is compared with one.
function Writer:is_cell_of_job(value, other, node)
    if not value.cells or value.type == "job" or other.type ~= "job" then return false end
    self.exporter:hold_cell(self, value.cells, other, node)
    return true
end

function Writer:compare(node)
    local left, right = self:value(node.left), self:value(node.right)
    local sign = COMPARED[node.sign]
    local binds = (sign == "==" or sign == "!=") and values.EQUAL or values.ORDER
    if left.choice or right.choice then
        local choice, text = left.choice and left or right, left.choice and right or left
        local index = text.text and choice.choice[text.text]
        if binds == values.ORDER then self:refuse(node, "texts are compared by order") end
        if not index then self:refuse(node, "a parameter is compared with another value") end
        return values.new("bool", choice.c .. " " .. sign .. " " .. index, values.EQUAL)
    end
    if left.type == "nil" or right.type == "nil" then
        local other = self:nil_too(left.type == "nil" and right or left)
        if other.cells or other.zero then
            self:refuse(node, "memory is never nil: compare it with 0")
        end
        if not (self:is_known_nil(left) and self:is_known_nil(right)) then
            return values.new("bool", "false") -- of a variable whose type is not known yet
        elseif left.type == right.type and binds == values.EQUAL then
            return values.new("bool", sign == "==" and "true" or "false")
        end
        if other.type == values.MAYBE then
            return values.new("bool", values.operand(other, values.ORDER + 1)
                .. (sign == "==" and " < 0" or " >= 0"), values.ORDER)
        end
        if other.type ~= "job" then self:refuse(node, "only a job can be compared with nil") end
    end
    if binds == values.ORDER then left, right = self:known(left), self:known(right) end
    if left.type == values.BOUND then right = values.bound(right) end
    if right.type == values.BOUND then left = values.bound(left) end
    if left.type == "float" or right.type == "float" then
        left, right = self:both(left, right, node)
    end
    local type = values.join(left.type, right.type)
    if self:is_cell_of_job(left, right, node) or self:is_cell_of_job(right, left, node) then
        return values.new("bool", "false") -- known from now on
    end
    if (left.type == "job" and right.number == 0) or (right.type == "job" and left.number == 0) then
        type = "job"
    end
    local is_number = type == "int" or type == "float" or type == values.BOUND
    if type == "bool" or (type and not is_number and binds == values.ORDER) then
        self:refuse(node, "a %s is compared", type)
    elseif left.type ~= right.type and type == "float" then
        local int = left.type == "int" and left or right
        if int.low < -values.MOST or int.high > values.MOST then
            self:refuse(node, "an integer of unknown size is compared with a float")
        end
    elseif left.c == right.c and left.c ~= "" then
        self:refuse(node, "a value is compared with itself")
    end
    if not type or not values.C_TYPES[type] then
        self:refuse(node, "a %s is compared with a %s", left.type, right.type)
    end
    local function side(value)
        local c = self:convert(value, type, node)
        return value.type == type and values.operand(value, binds + 1) or c
    end
    return values.new("bool", side(left) .. " " .. sign .. " " .. side(right), binds)
end

---Returns `a and b or c`, where b is neither nil nor false.
function Writer:choose(condition, yes, no, node)
    if yes.type == values.MAYBE then
        local known = self:is_known(yes)
        condition = condition.c == known.c and known or values.new("bool",
            values.operand(condition, values.AND) .. " && " .. known.c, values.AND)
        yes = values.not_negative(yes.c, yes.binds)
    end
    if yes.type == "nil" or (yes.type == "bool" and yes.c ~= "true") then
        self:refuse(node, "what follows `and` may be false (write an if)")
    end
    if yes.type == "job" and not yes.is_there and no.type ~= "nil" then
        self:refuse(node, "what follows `and` may be nil (write an if)")
    end
    local type = values.join(yes.type, no.type)
    if (type == "int" or type == "float") and (yes.type == "nil" or no.type == "nil") then
        if not self.may_be_nil then self:refuse(node, "a number may be nil or false") end
    end
    if yes.type == "text" and no.type == "text" then type = "text" end
    if not type then self:refuse(node, "a value is %s or %s", yes.type, no.type) end
    local function ternary(a, b)
        return string.format("%s ? %s : %s", values.operand(condition, values.OR), a, b)
    end
    if type == "text" then
        local function either(name)
            return yes[name] and no[name] and ternary(yes[name], no[name]) or nil
        end
        local made = values.new("text", "", values.TERNARY,
            { cell = either "cell", kind = either "kind", changes = either "changes" })
        if not (made.cell or made.kind or made.changes) then
            self:refuse(node, "a text is only known when it runs")
        end
        return made
    end
    local made = values.new(type, ternary(self:convert(yes, type, node),
        self:convert(no, type, node)), values.TERNARY)
    made.is_there = yes.is_there and no.is_there
    made.mixed = yes.mixed or no.mixed or (type == "float" and yes.type ~= no.type)
    if type == "int" then
        made.low = math.min(yes.low or -math.huge, no.low or -math.huge)
        made.high = math.max(yes.high or math.huge, no.high or math.huge)
    end
    return made
end

---Returns a list of words, of which some only count under a condition, as a table.
local function merged(condition, yes, no)
    local items, kept = {}, {}
    local function add(item, left)
        local both = item.value.kind == "text" and kept[item.value.value]
        if both then
            both.value = item.value
        else
            items[#items + 1] = { value = { kind = "binary", sign = "and", left = left,
                right = item.value, line = left.line } }
            if item.value.kind == "text" then kept[item.value.value] = items[#items] end
        end
    end
    for _, item in ipairs(yes.items) do add(item, condition) end
    local is_not = { kind = "unary", sign = "not", of = condition, line = condition.line }
    for _, item in ipairs(no.items) do add(item, is_not) end
    return values.new("table", "", values.ATOM, { node = { items = items } })
end

function Writer:logic(node)
    local left = node.left
    if self.made.tables and node.sign == "or" and left.sign == "and" and left.right.kind == "table"
        and node.right.kind == "table" then
        return merged(left.left, left.right, node.right)
    end
    if node.sign == "or" and left.kind == "binary" and left.sign == "and" then
        return self:choose(self:condition(left.left), self:guarded("value", left.right),
            self:guarded("value", node.right), node)
    end
    if node.sign == "and" then
        if self:guarded("value", node.right).type ~= "bool" then
            self:refuse(node, "`and` of this kind is not exported (write an if)")
        end
        return self:condition(node)
    end
    local value = self:value(left)
    if value.type == "bool" then return self:condition(node) end
    if value.type == "nil" then
        self:is_known_nil(value)
        return self:guarded("value", node.right)
    end
    value = self:nil_too(value)
    if value.type == values.MAYBE then
        return self:choose(self:is_known(value), values.not_negative(value.c, value.binds),
            self:guarded("value", node.right), node)
    end
    if value.type == "job" and value.c:find "^[%w_]+$" then
        value.is_there = true -- where it is taken
        return self:choose(self:condition(left), value, self:guarded("value", node.right), node)
    end
    self:refuse(node, "`or` of this kind is not exported (write an if)")
end

---Makes an expression of two numbers.
function Writer:arithmetic(node)
    local sign = node.sign
    local a, b = self:both(self:number(node.left, true), self:number(node.right, true), node)
    if a.type == "int" and b.type == "int" and sign ~= "/" then
        if sign == "+" or sign == "-" or sign == "*" then
            return values.calculate(sign, a, b)
        elseif sign == "//" or sign == "%" then
            return values.divide(sign, a, b)
        end
        return self:bits(node, a, b)
    end
    if sign == "&" or sign == "|" or sign == "~" or sign == "<<" or sign == ">>" or sign == "%" then
        self:refuse(node, "%s of floats is not exported", sign)
    end
    local mixed = a.mixed or b.mixed
    if sign == "//" and mixed then
        self:refuse(node, "// of a number that may be an integer or a float")
    end
    local binds = (sign == "+" or sign == "-") and values.SUM or values.PRODUCT
    local function side(value, least)
        if value.type == "float" then return values.operand(value, least) end
        return values.convert(value, "float")
    end
    local c = side(a, binds) .. " " .. (sign == "//" and "/" or sign) .. " " .. side(b, binds + 1)
    if sign ~= "//" then
        return values.new("float", c, binds, { mixed = mixed and sign ~= "/" })
    end
    return values.new("float", "floor(" .. c .. ")")
end

local SHIFTS = { ["<<"] = true, [">>"] = true }

function Writer:bits(node, a, b)
    local sign = node.sign
    if not SHIFTS[sign] then
        local low = sign == "&" and math.max(a.low, b.low) >= 0 and 0 or nil
        local high = low and math.min(a.low >= 0 and a.high or math.huge,
            b.low >= 0 and b.high or math.huge)
        return values.int(values.operand(a, values.ATOM) .. " " .. (sign == "~" and "^" or sign)
            .. " " .. values.operand(b, values.ATOM), values.BITS, low, high)
    end
    if not b.number or b.number < 0 or b.number > 63 then
        self:refuse(node, "a shift must be by a known number from 0 to 63")
    end
    local factor = 2.0 ^ b.number
    if sign == ">>" and a.low >= 0 then
        return values.int(values.operand(a, values.UNARY) .. " >> " .. b.c, values.SHIFT, 0,
            a.high // factor)
    end
    return values.int(string.format("(int64_t)((uint64_t)%s %s %s)",
        values.operand(a, values.UNARY), sign, b.c), values.UNARY)
end

---Returns a value that must be a number, an integer or a float; math.huge where that `may_be` so.
function Writer:of_number(value, node, may_be)
    local known = self:known(value)
    if known.type == values.BOUND and may_be then return known end
    known = self:finite(known)
    if known.type ~= "int" and known.type ~= "float" then
        self:refuse(node, "a number is expected, got a %s", known.type)
    end
    return known
end

function Writer:number(node, may_be) return self:of_number(self:value(node), node, may_be) end

---Returns what follows a minus, which is no second one.
function Writer:negated(value)
    return value.c:sub(1, 1) == "-" and "(" .. value.c .. ")" or values.operand(value, values.UNARY)
end

function Writer:unary(node)
    if node.sign == "not" then return self:condition(node) end
    if node.sign == "#" then
        local list = self:value(node.of)
        if list.type ~= "list" then self:refuse(node, "# of a %s is not exported", list.type) end
        return self:length(list)
    end
    local of = self:number(node.of)
    if of.number and node.sign == "-" then return values.number(-of.number) end
    if node.sign == "~" then
        if of.type ~= "int" then self:refuse(node, "~ of a float is not exported") end
        return values.int("~" .. values.operand(of, values.UNARY), values.UNARY)
    elseif of.type == "int" then
        if of.low <= -values.SAFE then
            return values.calculate("-", values.number(0), of)
        end
        return values.int("-" .. self:negated(of), values.UNARY, -of.high, -of.low)
    end
    return values.new("float", "-" .. self:negated(of), values.UNARY)
end

-- ---- what is read -------------------------------------------------------------------------------

---Returns the value of a cell as it is used: an integer, a number, or a job, as it is written. Jobs
---lie as their places + 1, so that memory of zeros holds none.
function Writer:cell(place, cells)
    local type = self.exporter.cell_types[cells.name] or "int"
    local c = place .. (type == "float" and "number" or "integer")
    local more = { low = -math.huge, high = math.huge, written = c, cells = cells,
        mixed = type == "float" } -- 0 until it is written
    if type == "job" then
        return values.new(type, "(uint32_t)(" .. c .. " - 1)", values.UNARY, more)
    end
    return values.new(type, c, values.ATOM, more)
end

local OF_MATH = { huge = math.huge, pi = math.pi, maxinteger = math.maxinteger,
    mininteger = math.mininteger }

function Writer:index(node)
    if node.of.kind == "name" and node.of.name == "math" and not self:find "math"
        and not self.exporter.globals.math then
        local known = OF_MATH[node.index.value]
        return known and values.number(known) or self:refuse(node, "this is not exported")
    end
    local of = self:value(node.of)
    local index = self:value(node.index)
    local exporter = self.exporter
    if of.type == "view" then
        local kinds = { params = "params", state = "state", per_job = "per_job" }
        if index.text and kinds[index.text] then return values.new(index.text, "") end
        if index.text and exporter.methods[index.text] then
            return values.new("method", "", values.ATOM, { method = index.text })
        end
    elseif of.type == "params" then
        return exporter:parameter(index.text)
            or self:refuse(node, "there is no parameter of this name that is no table")
    elseif of.type == "state" and not index.text and index.cell then
        exporter.names_cells = true
        for _, cells in ipairs(exporter.source.cells) do
            if cells.kind == "single" and (exporter.cell_types[cells.name] or "int") ~= "int" then
                self:refuse(node,
                    "memory whose names are known when it runs holds integers only")
            end
        end
        return self:cell(string.format("cells(view)[%s].", index.cell), { name = "*" })
    elseif of.type == "state" or of.type == "per_job" then
        local cells = exporter:cells(of.type, index.text)
        if not cells then self:refuse(node, "memory without a known name") end
        if cells.kind ~= "single" then
            return values.new("cells", "", values.ATOM, { cells = cells })
        end
        return self:cell(string.format("cells(view)[%s].", cells.c), cells)
    elseif of.type == "cells" then
        local cells = of.cells
        local c = cells.kind == "per_job" and self:some(index, node)
            or self:convert(index, "int", node)
        cells.used = true
        return self:cell(string.format("%s(view, %s)->", cells.c, c), cells)
    elseif of.type == "by job" then
        return values.not_negative(string.format("%s[%s].integer", of.c, self:some(index, node)))
    elseif of.type == "list" then
        return self:entry(of, index, node)
    elseif of.type == "table" then
        return exporter:constant(of.fields[index.text], node)
    end
    self:refuse(node, "what this reads is not exported")
end

-- ---- calls --------------------------------------------------------------------------------------

local MATH = {}

---Returns the arguments of a function of math, which are so many.
local function numbers(writer, node, count, may_be)
    local list = writer:list(node.arguments)
    if #list ~= (count or math.max(1, #list)) then
        writer:refuse(node, "math has other arguments")
    end
    for i, given in ipairs(list) do
        list[i] = writer:of_number(given, node, may_be)
    end
    return list
end

---Folds largest and smallest.
local function best(which)
    return function(writer, node)
        local list = numbers(writer, node, nil, true)
        local made = list[1]
        for i = 2, #list do
            local next_one = list[i]
            local type = values.join(made.type, next_one.type)
            if type == "float" then
                made, next_one = writer:widen(made, node), writer:widen(next_one, node)
            end
            local name = which .. "_" .. (type == values.BOUND and "int" or type)
            local low, high
            if type == "int" then
                local pick = math[which]
                low, high = pick(made.low, next_one.low), pick(made.high, next_one.high)
            end
            made = values.new(type, string.format("%s(%s, %s)", name,
                values.convert(made, type), values.convert(next_one, type)), values.ATOM,
                { low = low, high = high, key = made.key or next_one.key, mixed = made.mixed
                    or next_one.mixed or made.type ~= next_one.type })
        end
        return made
    end
end
MATH.max, MATH.min = best "max", best "min"

function MATH.floor(writer, node)
    local of = numbers(writer, node, 1)[1]
    if of.type == "int" then return of end
    return values.int(string.format("floor_of(view, %s)", of.c))
end

function MATH.abs(writer, node)
    local of = numbers(writer, node, 1)[1]
    if of.type == "float" then
        return values.new("float", "fabs(" .. of.c .. ")", values.ATOM, { mixed = of.mixed })
    end
    local minus = values.calculate("-", values.number(0), of)
    return values.int(string.format("max_int(%s, %s)", of.c, minus.c))
end
for _, name in ipairs { "sqrt", "exp", "log", "pow" } do
    MATH[name] = function(writer, node)
        local list = numbers(writer, node, name == "pow" and 2 or 1)
        for i, value in ipairs(list) do list[i] = values.convert(value, "float") end
        return values.new("float", string.format("pn_%s(%s)", name, table.concat(list, ", ")))
    end
end

---Returns the results of a call: a list of values.
function Writer:call(node)
    if node.kind == "method" then
        if self:value(node.of).type ~= "view" then self:refuse(node, "a method of a value") end
        local made = self:method(node, node.name, node.arguments)
        return made.list or { made }
    end
    local of = node.of
    if of.kind == "index" and of.of.kind == "name" and of.of.name == "math"
        and not self:find "math" and not self.exporter.globals.math then
        local one = MATH[of.index.value]
        if not one then self:refuse(node, "math.%s is not exported", tostring(of.index.value)) end
        return { one(self, node) }
    end
    local called = self:value(of)
    if called.type == "method" then
        local rest = table.move(node.arguments, 2, #node.arguments, 1, {})
        return { self:method(node, called.method, rest) }
    elseif called.type ~= "function" then
        self:refuse(node, "what this calls is not exported")
    end
    return self.exporter:call(self, called.node, self:list(node.arguments), node)
end

-- ---- values -------------------------------------------------------------------------------------

local KINDS = {
    table = function(writer, node)
        local list = not writer.made.tables and writer.direct[node] and writer:new_list(node)
        if list then return list end
        if not writer.made.tables then writer:refuse(node, "a table is not exported") end
        return values.new("table", "", values.ATOM, { node = node })
    end,
    number = function(_, node) return values.number(node.value) end,
    boolean = function(_, node) return values.new("bool", tostring(node.value)) end,
    ["nil"] = function() return values.none() end,
    text = function(writer, node) return writer.exporter:text(node.value) end,
    parentheses = function(writer, node) return writer:value(node.of) end,
    unary = Writer.unary,
    ["function"] = function(writer, node)
        if not writer.direct[node] then writer:refuse(node, "a function is not exported here") end
        return values.new("function", "") -- which gets its name further up
    end,
    index = Writer.index,
}

---Returns what a variable holds.
function Writer:read(variable, node)
    if variable.value and variable.value.type == "variable" then
        self:refuse(node, "%s is a variable of the function around this one", node.name)
    end
    if variable.value then return variable.value end
    local type = self:type_of(variable)
    return values.new(type, variable.c, values.ATOM, { low = variable.low or -math.huge,
        high = variable.high or math.huge, cell = type == "cell" and variable.c or nil,
        is_there = variable.is_there, mixed = self.mixed[variable.key],
        zero = self.zeros[variable.key], key = variable.key, last = variable.last,
        variable = type == "nil" and node or nil })
end

function KINDS.name(writer, node)
    local variable = writer:find(node.name)
    return variable and writer:read(variable, node) or writer.exporter:global(node.name, node)
end

---Returns a text with the word of a kind in it, where both texts name memory; nil: they do not.
function Writer:text_of_kind(left, right)
    local kind = left.type == "kind" and left or right.type == "kind" and right
    local words, cells = self.exporter.model.words, {}
    for word, c in next, kind and (left.text or right.text) and words or {} do
        local made = self.exporter:text((left.text or word) .. (right.text or word))
        cells[c] = made.cell
    end
    local first = next(cells) and words.map
    if not first or not cells[first] or not cells[words.reduce] then return nil end
    return values.new("text", "", values.TERNARY, { cell = string.format("%s == %s ? %s : %s",
        values.operand(kind, values.EQUAL + 1), first, cells[first], cells[words.reduce]) })
end

function KINDS.binary(writer, node)
    if node.sign == "and" or node.sign == "or" then return writer:logic(node) end
    if COMPARED[node.sign] then return writer:compare(node) end
    if node.sign == ".." then
        local left, right = writer:value(node.left), writer:value(node.right)
        if left.text and right.text then return writer.exporter:text(left.text .. right.text) end
        return writer:text_of_kind(left, right) or writer:refuse(node, "a text is made")
    end
    return writer:arithmetic(node)
end

function Writer:value(node)
    if node.kind == "method" or node.kind == "call" then
        local list = self:call(node)
        local one = list[1]
        if not one or one.type == "nothing" then self:refuse(node, "this returns nothing") end
        return one
    end
    local of = KINDS[node.kind]
    if not of then self:refuse(node, "a %s is not exported", node.kind) end
    return of(self, node)
end

---Returns as many values as there are names: the last call may give several. Each is evaluated by
---itself where they are those of a statement.
function Writer:list(nodes, count, is_statement)
    local list = {}
    for _, node in ipairs(nodes) do
        self.direct[node] = is_statement
        local is_logic = node.sign == "and" or node.sign == "or"
        local left = node.kind == "binary" and not is_logic and #nodes == 1 and node.left
        if is_statement and left and (left.kind == "name" or left.kind == "number") then
            self.direct[node.right] = true -- no call changes what is left of it
        end
    end
    local wrote = self.made.writes
    local has_written = false -- an earlier one, whose line is still to come
    for i, node in ipairs(nodes) do
        local lines = #self.made.lines
        self.made.writes = nil
        if i == #nodes and (node.kind == "call" or node.kind == "method") then
            for _, value in ipairs(self:call(node)) do list[#list + 1] = value end
        else
            list[#list + 1] = self:value(node)
        end
        if #self.made.lines > lines then self:check_order(node, list, i, has_written) end
        has_written = has_written or self.made.writes
        wrote = wrote or self.made.writes
    end
    self.made.writes = wrote
    for i = #list + 1, count or 0 do list[i] = values.none() end
    return list
end

local DRAWS = { random = true, uniform = true }

---Checks that lines which the i-th value needs do not change what values before it are.
function Writer:check_order(node, list, i, has_written)
    local writes = self.made.writes and not (node.kind == "method" and DRAWS[node.name])
    for k = 1, i - 1 do
        local is_plain = list[k].c:find "^[%w_.]*$"
        if has_written or (writes and not is_plain) then
            self:refuse(node, "write this in several statements")
        end
    end
end

return Writer
