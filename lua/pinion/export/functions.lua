---Functions of a policy in C. Each is made for the types that it is called with; what a local
---variable holds is found by writing the function until no type changes any more.
require "pinion.export.lists"
local Writer = require "pinion.export.methods"
local parse = require "pinion.export.parse"
local values = require "pinion.export.values"

local M = {}

-- ---- statements ---------------------------------------------------------------------------------

local CONSTANT = { choice = true, view = true, params = true, state = true, per_job = true,
    cells = true, list = true, ["by job"] = true, method = true, ["function"] = true }
local STATEMENTS = {}

---Returns whether a name is assigned to behind its declaration, in this function.
local function is_assigned(block, name)
    for _, node in pairs(block) do
        if type(node) == "table" then
            if node.kind == "assign" then
                for _, target in ipairs(node.targets) do
                    if target.kind == "name" and target.name == name then return true end
                end
            end
            if is_assigned(node, name) then return true end
        end
    end
    return false
end

STATEMENTS["local"] = function(self, node)
    for i, value in ipairs(node.values) do
        if value.kind == "table" then value.name = node.names[i] end
    end
    local list = self:list(node.values, #node.names, true)
    local variables = {}
    for i, name in ipairs(node.names) do
        local value = list[i]
        local given = node.values[i]
        if given and given.kind == "function" then value = self:inner(given, name) end
        if is_assigned(self.block, name) then value = values.bound(value) end
        if name == "_" and values.C_TYPES[value.type] then
            self:line("(void)%s;", values.operand(value, values.UNARY))
        elseif CONSTANT[value.type] or (value.text and not is_assigned(self.block, name)) then
            self.scopes[#self.scopes][name] = { value = value }
        else
            local fixed = not is_assigned(self.block, name)
            variables[#variables + 1] = { value = value, name = name, index = i, fixed = fixed }
        end
    end
    for _, one in ipairs(variables) do
        local value = one.value
        local variable = self:declare(one.name)
        self:hold(variable, value, node)
        if one.fixed then
            variable.low, variable.high = value.low, value.high
            variable.is_there, variable.last = value.is_there, value.last
        end
        local held = self:type_of(variable)
        local is_none = value.type == "nil" and (held == "nil" or held == "int" or held == "float")
        if value.type == "nil" and held == "bool" then self:refuse(node, "a boolean may be nil") end
        self:line("%s%s %s = %s;", one.fixed and "const " or "",
            values.C_TYPES[held] or "int64_t", variable.c,
            is_none and "0" or self:convert(value, held, node))
        self.names[#self.names][variable.c] = #self.made.lines
    end
end

STATEMENTS["local function"] = function(self, node)
    self.scopes[#self.scopes][node.name] = { value = self:inner(node.value, node.name) }
end

---Notes the names that a function uses.
local function note_names(node, names)
    for _, part in pairs(node) do
        if type(part) == "table" then
            if part.kind == "name" then names[part.name] = true end
            note_names(part, names)
        end
    end
end

---Returns a function inside this one. It sees what this one sees: variables that never change are
---given to it behind its parameters.
function Writer:inner(node, name)
    local seen, used, captured = {}, {}, {}
    note_names(node.block, used)
    for _, scope in ipairs(self.scopes) do
        for each, variable in next, scope do seen[each] = variable end
    end
    for _, parameter in ipairs(node.parameters) do seen[parameter] = nil end
    for each, variable in next, seen do
        local value = variable.value
        if value and not values.C_TYPES[value.type] then
            seen[each] = value
        elseif used[each] and not is_assigned(self.block, each) then
            seen[each], captured[#captured + 1] = nil, { name = each, variable = variable }
        else
            seen[each] = values.new("variable", "")
        end
    end
    table.sort(captured, function(a, b) return a.name < b.name end)
    local called = { node = node, name = name, seen = seen, owner = self.made.c,
        captured = captured }
    seen[name] = values.new("function", "", values.ATOM, { node = called, name = name })
    return seen[name]
end

---Writes an assignment to one target.
function Writer:assign(target, value, node)
    if target.kind == "name" then
        local variable = self:find(target.name)
        if not variable or variable.value then
            self:refuse(node, "%s cannot be assigned to", target.name)
        end
        value = values.bound(value)
        self:hold(variable, value, node)
        if value.type == "nil" and self:type_of(variable) ~= "job" then
            self:is_known_nil(value)
            local type = self:nil_too(self:read(variable, node)).type
            if type ~= "nil" and type ~= values.MAYBE then
                self:refuse(node, "a number becomes nil")
            end
        end
        self:line("%s = %s;", variable.c, self:type_of(variable) == "nil" and "0"
            or self:convert(value, self:type_of(variable), node))
        return
    end
    local list = self:appended(target)
    local function cell_now() return list and self:new_entry(list) or self:value(target) end
    local cell = cell_now()
    if not cell.written then self:refuse(node, "only variables and memory can be written to") end
    value = self:widen(value, node)
    if cell.entry and (value.type == "nil" or (cell.type == "job" and value.number == 0)) then
        self:refuse(node, "an entry of a list becomes nil, or no job")
    end
    self.exporter:hold_cell(self, cell.entry or cell.cells, value, node)
    cell = cell_now()
    local is_own = cell.entry and cell.entry.owner == self.made.c
    self.made.writes = self.made.writes or not is_own
    local is_none = cell.type == "job" and value.number == 0
    local c = cell.type == "job" and not is_none and self:some(value, node)
        or self:convert(value, cell.type, node)
    if cell.type ~= "job" then
        self:line("%s = %s;", cell.written, c)
    elseif is_none then
        self:line("%s = 0;", cell.written)
    else
        self:line("%s = (int64_t)%s + 1;", cell.written,
            values.operand({ c = c, binds = value.binds }, values.UNARY))
    end
end

function STATEMENTS:assign(node)
    local list = self:list(node.values, #node.targets, true)
    if #node.targets > 1 then -- all values are computed before the first is assigned
        for i = 1, #node.targets do
            local value = list[i]
            if not value.number and not CONSTANT[value.type] and value.type ~= "nil" then
                local held = self:declare("new_value")
                self:hold(held, value, node)
                local type = self:type_of(held)
                self:line("const %s %s = %s;", values.C_TYPES[type], held.c,
                    self:convert(value, type, node))
                list[i] = values.new(type, held.c, values.ATOM, { low = value.low,
                    high = value.high, is_there = value.is_there, mixed = value.mixed })
            end
            local index = node.targets[i].index
            local plain = not index or index.kind == "name" or index.kind == "text"
                or index.kind == "number"
            if not plain and not self:appended(node.targets[i]) then
                self:refuse(node, "write this in several statements")
            end
        end
    end
    -- indices are those from before the assignment
    for _, kind in ipairs { "index", "name" } do
        for i, target in ipairs(node.targets) do
            if target.kind == kind then self:assign(target, list[i], node) end
        end
    end
end

STATEMENTS["do call"] = function(self, node)
    self.direct[node.call] = true
    local list = self:call(node.call)
    if list[1] and list[1].c ~= "" then
        self:line("%s%s;", list[1].type == "nothing" and "" or "(void)", list[1].c)
    end
end

---Writes a block between braces, which are the caller's.
---@param finish function|nil writes what is behind it and sees its variables
function Writer:inside(block, finish)
    self:open_scope()
    self.depth = self.depth + 1
    for _, node in ipairs(block) do
        local write = STATEMENTS[node.kind]
        if not write then self:refuse(node, "%s is not exported", node.kind) end
        write(self, node)
    end
    if finish then finish() end
    self.depth = self.depth - 1
    self:close_scope()
end

STATEMENTS["do"] = function(self, node)
    self:line "{"
    self:inside(node.block)
    self:line "}"
end

---Notes that calls in a condition stand for themselves: C evaluates its parts in their order, too.
function Writer:note_calls(node)
    if node.kind == "method" or node.kind == "call" then
        self.direct[node] = true
    elseif node.kind == "parentheses" or node.sign == "not" then
        self:note_calls(node.of)
    elseif node.sign == "and" or node.sign == "or" then
        self:note_calls(node.left)
        self:note_calls(node.right)
    end
end

STATEMENTS["if"] = function(self, node)
    for i, part in ipairs(node.parts) do
        self:note_calls(part.condition)
        local condition = i == 1 and self:condition(part.condition)
            or self:guarded("condition", part.condition)
        self:line("%sif (%s) {", i > 1 and "} else " or "", condition.c)
        self:inside(part.block)
    end
    if node.otherwise then
        self:line "} else {"
        self:inside(node.otherwise)
    end
    self:line "}"
end

STATEMENTS["while"] = function(self, node)
    self:line("while (%s) {", self:guarded("condition", node.condition).c)
    self:inside(node.block)
    self:line "}"
end

STATEMENTS["repeat"] = function(self, node)
    self:line "while (true) {"
    self:inside(node.block, function()
        self:note_calls(node.condition)
        self:line("if (%s)", self:condition(node.condition).c)
        self:line "    break;"
    end)
    self:line "}"
end

STATEMENTS["break"] = function(self) self:line "break;" end

STATEMENTS["for"] = function(self, node)
    local first, last = self:number(node.first), self:number(node.last)
    local step = node.step and self:number(node.step) or values.number(1)
    local by = step.type == "int" and step.number or 0
    if first.type ~= "int" or last.type ~= "int" or by == 0 or math.abs(by) > values.MOST then
        self:refuse(node, "only loops over integers by a known step are exported")
    elseif math.abs(last.number or 0) > values.SAFE or is_assigned(node.block, node.variable) then
        self:refuse(node, "a loop without end, or whose variable is assigned to")
    end
    self:open_scope()
    local variable, stop = self:declare(node.variable), self:temporary "last"
    self.types[variable.key], self.types[stop.key] = "int", "int"
    local least, most = first, last
    if by < 0 then least, most = last, first end
    variable.low, variable.high, variable.last = least.low, most.high, most.c
    local next_one = by == 1 and "++" or by == -1 and "--"
        or string.format(" %s= %d", by > 0 and "+" or "-", math.abs(by))
    self:line("for (int64_t %s = %s, %s = %s; %s %s %s; %s%s) {", variable.c, first.c, stop.c,
        last.c, variable.c, by > 0 and "<=" or ">=", stop.c, variable.c, next_one)
    self:inside(node.block)
    self:line "}"
    self:close_scope()
end

---Writes the block of a loop over values that are known, once for each.
function Writer:unroll(node, list)
    if self.exporter.breaks(node.block) then
        self:refuse(node, "a loop over known values is not left by a break")
    end
    self:refuse_changes(node)
    for i, value in ipairs(list.fields) do
        self:open_scope()
        local scope = self.scopes[#self.scopes]
        scope[node.names[1]] = { value = values.number(i) }
        if node.names[2] then
            scope[node.names[2]] = { value = self.exporter:constant(value, node) }
        end
        self:line "{"
        self:inside(node.block)
        self:line "}"
        self:close_scope()
    end
end

---Writes a loop over the entries of a list, as long as there are more.
function Writer:each(node, walk)
    local given = walk.arguments[1]
    local list = given and given.kind == "table" and self.exporter:constant(given, node)
        or self:list(walk.arguments)[1]
    if list and list.type == "table" and list.fields then return self:unroll(node, list) end
    if not list or list.type ~= "list" then
        self:refuse(node, "only local lists can be gone through")
    end
    self:open_scope()
    local index = self:declare(node.names[1])
    self.types[index.key], index.low, index.high = "int", 1, 2.0 ^ 32
    self:line("for (int64_t %s = 1; %s <= %s; %s++) {", index.c, index.c, self:length(list).c,
        index.c)
    self:open_scope()
    self.depth = self.depth + 1
    if node.names[2] and node.names[2] ~= "_" then
        local entry = self:entry(list, self:read(index, node), node)
        self:give_variable(node.names[2], entry, node)
    end
    self:refuse_changes(node)
    self.depth = self.depth - 1
    self:inside(node.block)
    self:close_scope()
    self:line "}"
    self:close_scope()
end

---Refuses assignments to the variables of a loop.
function Writer:refuse_changes(node)
    for _, name in ipairs(node.names) do
        if is_assigned(node.block, name) then
            self:refuse(node, "the variable of a loop is assigned to")
        end
    end
end

---Declares a variable of a loop, which never changes, with its value.
function Writer:give_variable(name, value, node)
    if name == "_" then return end
    local variable = self:declare(name)
    self:hold(variable, value, node)
    variable.low, variable.high, variable.last = value.low, value.high, value.last
    variable.is_there = value.is_there
    local type = self:type_of(variable)
    self:line("const %s %s = %s;", values.C_TYPES[type], variable.c,
        self:convert(value, type, node))
    self.names[#self.names][variable.c] = #self.made.lines
end

---Notes that a function does something that may be blocked where it is.
function Writer:does(node, what)
    local blocked = self.blocked[what]
    if blocked then self:refuse(node, "%s", blocked.message) end
    self.made.does[what] = true
end

function Writer:forbid(what, message)
    self.blocked[what] = { message = message, outer = self.blocked[what] }
end

function Writer:allow(what) self.blocked[what] = self.blocked[what].outer end

---Writes a loop over what a method of the model goes through.
---@param row table what it takes; how the loop begins, and what its variables are
function Writer:walk(node, walk, row)
    local given = self:arguments_of(node, row, walk.arguments, walk.name)
    self:refuse_changes(node)
    self:open_scope()
    local list = row.begin(self, node, table.unpack(given, 1, #row.takes))
    self:open_scope()
    self.depth = self.depth + 1
    for i, name in ipairs(node.names) do
        if not list[i] then self:refuse(node, "s:%s gives no value for %s", walk.name, name) end
        self:give_variable(name, list[i], node)
    end
    local first = self:find(node.names[1])
    if row.enter then row.enter(self, first and first.c) end
    self.depth = self.depth - 1
    self:inside(node.block)
    self:close_scope()
    self:line "}"
    if row.finish then row.finish(self, node) end
    self:close_scope()
end

STATEMENTS["for in"] = function(self, node)
    local walk = node.walks[1]
    if walk.kind == "call" and walk.of.name == "ipairs" and not self:find "ipairs" then
        return self:each(node, walk)
    end
    local by_hand = walk.kind == "method" and (self.exporter.model.walks or {})[walk.name]
    if by_hand then return self:walk(node, walk, by_hand) end
    local method = walk.kind == "method" and self.exporter.methods[walk.name]
    self:refuse_changes(node)
    if not method or method.way ~= 2 or #node.names > 1 then
        self:refuse(node, "only loops over jobs are exported")
    end
    local taken = self:arguments(walk, method, walk.arguments, walk.name)
    self:open_scope()
    local variable = self:declare(node.names[1])
    self.types[variable.key] = "job"
    variable.is_there = true
    local function next_of(after)
        taken.after = after
        local c = method.answer:gsub("%f[%w_][%a_][%w_]*", function(word) return taken[word] end)
        return c
    end
    self:line("for (uint32_t %s = %s; %s != PN_NO_JOB;", variable.c,
        next_of "PN_NO_JOB":gsub("^PN_NO_JOB == PN_NO_JOB %? (.-) :.*$", "%1"), variable.c)
    self:line("     %s = %s) {", variable.c,
        next_of(variable.c):gsub("^.- == PN_NO_JOB %? .- : ", ""))
    self:inside(node.block)
    self:line "}"
    self:close_scope()
end

STATEMENTS["return"] = function(self, node)
    self.may_be_nil = self.made.nil_is_fine
    local list = self:list(node.values, nil, true)
    self.may_be_nil = nil
    self.made.returns(self, list, node)
end

M.is_word_of_c = Writer.is_word_of_c

-- ---- functions ----------------------------------------------------------------------------------

M.TRIES = 10 -- after which types that still change are refused

---Writes the body of a function for values of its parameters, until no type changes any more.
---@param exporter pinion.export.Exporter
---@param made pinion.export.Function
---@param node pinion.export.Node
---@param parameters { [string]: table } values by name
---@param seen { [string]: table }|nil those of a function around it
function M.write(exporter, made, node, parameters, seen)
    local types, mixed, zeros, nils = {}, {}, {}, {}
    for try = 1, M.TRIES do
        made.lines = {}
        local writer = setmetatable({ exporter = exporter, made = made, types = types, depth = 0,
            scopes = { {}, {} }, names = { {}, {} }, count = 0, block = node.block, direct = {},
            mixed = mixed, zeros = zeros, nils = nils, blocked = {} }, Writer)
        made.does = {}
        for name, value in next, parameters do
            if is_assigned(node.block, name) then
                parse.refuse(exporter.path, node.line, "a parameter is assigned to")
            end
            writer.scopes[2][name] = { value = value }
        end
        for name, value in next, seen or {} do writer.scopes[1][name] = { value = value } end
        writer:inside(node.block)
        if writer.unknown and not writer.changed then
            parse.refuse(exporter.path, writer.unknown.line, "a variable is never more than nil")
        end
        if not writer.changed then return end
        if try == M.TRIES then
            parse.refuse(exporter.path, node.line, "types of variables depend on each other in "
                .. "more than %d steps", M.TRIES)
        end
    end
end

return M
