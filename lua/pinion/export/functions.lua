---Functions of a policy in C. Each is made for the types that it is called with; what a local
---variable holds is found by writing the function until no type changes any more.
local Writer = require "pinion.export.methods"
local parse = require "pinion.export.parse"
local values = require "pinion.export.values"

local M = {}

-- ---- statements ---------------------------------------------------------------------------------

local CONSTANT = { choice = true, view = true, params = true, state = true, per_job = true,
    cells = true,
    method = true, ["function"] = true }
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
            local type = self:type_of(variable)
            if type ~= "nil" and type ~= values.MAYBE then
                self:refuse(node, "a number becomes nil")
            end
        end
        self:line("%s = %s;", variable.c, self:type_of(variable) == "nil" and "0"
            or self:convert(value, self:type_of(variable), node))
        return
    end
    local cell = self:value(target)
    if not cell.written then self:refuse(node, "only variables and memory can be written to") end
    value = self:widen(value, node)
    self.exporter:hold_cell(self, cell.cells, value, node)
    cell = self:value(target)
    self.made.writes = true
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
            if not plain then self:refuse(node, "write this in several statements") end
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
function Writer:inside(block)
    self:open_scope()
    self.depth = self.depth + 1
    for _, node in ipairs(block) do
        local write = STATEMENTS[node.kind]
        if not write then self:refuse(node, "%s is not exported", node.kind) end
        write(self, node)
    end
    self.depth = self.depth - 1
    self:close_scope()
end

STATEMENTS["do"] = function(self, node)
    self:line "{"
    self:inside(node.block)
    self:line "}"
end

STATEMENTS["if"] = function(self, node)
    for i, part in ipairs(node.parts) do
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

STATEMENTS["break"] = function(self) self:line "break;" end

STATEMENTS["for"] = function(self, node)
    local first, last = self:number(node.first), self:number(node.last)
    local step = node.step and self:number(node.step) or values.number(1)
    if first.type ~= "int" or last.type ~= "int" or not step.number or step.number ~= 1 then
        self:refuse(node, "only loops over integers by steps of 1 are exported")
    elseif (last.number or 0) > values.SAFE or is_assigned(node.block, node.variable) then
        self:refuse(node, "a loop without end, or whose variable is assigned to")
    end
    self:open_scope()
    local variable, stop = self:declare(node.variable), self:temporary "last"
    self.types[variable.key], self.types[stop.key] = "int", "int"
    variable.low, variable.high, variable.last = first.low, last.high, last.c
    self:line("for (int64_t %s = %s, %s = %s; %s <= %s; %s++) {", variable.c, first.c, stop.c,
        last.c, variable.c, stop.c, variable.c)
    self:inside(node.block)
    self:line "}"
    self:close_scope()
end

STATEMENTS["for in"] = function(self, node)
    local walk = node.walks[1]
    local method = walk.kind == "method" and self.exporter.methods[walk.name]
    if is_assigned(node.block, node.names[1]) then
        self:refuse(node, "the variable of a loop is assigned to")
    end
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
    local types, mixed, zeros = {}, {}, {}
    for try = 1, M.TRIES do
        made.lines = {}
        local writer = setmetatable({ exporter = exporter, made = made, types = types, depth = 0,
            scopes = { {}, {} }, names = { {}, {} }, count = 0, block = node.block, direct = {},
            mixed = mixed, zeros = zeros }, Writer)
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
