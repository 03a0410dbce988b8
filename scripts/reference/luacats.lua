-- Reads a LuaCATS file (---@meta): its classes, aliases and functions, with their types as trees.
-- What lua/meta does not use is refused, so that nothing in it is passed over.

local M = {}

---@class luacats.Type
---@field kind "name"|"literal"|"array"|"union"|"fun"|"table"
---@field name string|nil of a name; `of` (types) are its arguments
---@field value string|integer|boolean|nil of a literal
---@field of luacats.Type|luacats.Type[]|nil element of an array, members of a union
---@field params luacats.Item[]|nil of a fun
---@field returns luacats.Type[]|nil of a fun
---@field fields luacats.Item[]|nil of a table

---@class luacats.Item a field, parameter or result
---@field name string|nil
---@field index luacats.Type|nil of a field such as [string]
---@field type luacats.Type
---@field optional boolean written with a question mark
---@field doc string

-- ---- types --------------------------------------------------------------------------------------

local parse_type

-- A reader over one text.
local function reader(text)
    local self = { text = text, at = 1 }
    function self.try(pattern)
        local from, to, capture = text:find("^%s*" .. pattern, self.at)
        if not from then return nil end
        self.at = to + 1
        return capture or text:sub(from, to)
    end
    function self.need(pattern, what)
        return self.try(pattern)
            or error(string.format("expected %s at '%s'", what, text:sub(self.at)), 0)
    end
    return self
end

local function parse_list(r, close, parse)
    local list = {}
    if r.try(close) then return list end
    repeat list[#list + 1] = parse(r) until not r.try ","
    r.need(close, close)
    return list
end

local function parse_parameter(r)
    local name = r.need("([%a_][%w_]*)", "a name")
    local optional = r.try "%?" ~= nil
    r.need(":", "':'")
    return { name = name, optional = optional, type = parse_type(r), doc = "" }
end

local function parse_member(r)
    if r.try "%[" then
        local index = parse_type(r)
        r.need("%]", "']'")
        r.need(":", "':'")
        return { index = index, optional = false, type = parse_type(r), doc = "" }
    end
    return parse_parameter(r)
end

local function parse_fun(r)
    local made = { kind = "fun", params = parse_list(r, "%)", parse_parameter), returns = {} }
    if r.try ":" then
        repeat made.returns[#made.returns + 1] = parse_type(r) until not r.try ","
    end
    return made
end

local function parse_primary(r)
    if r.try "%(" then
        local inner = parse_type(r)
        r.need("%)", "')'")
        return inner
    end
    if r.try "{" then return { kind = "table", fields = parse_list(r, "}", parse_member) } end
    local text = r.try '"([^"]*)"'
    if text then return { kind = "literal", value = text } end
    local number = r.try "(%-?%d+)"
    if number then return { kind = "literal", value = math.tointeger(number) } end
    if r.try "fun%(" then return parse_fun(r) end
    local name = r.need("([%a_][%w_.]*)", "a type")
    if name == "true" or name == "false" then
        return { kind = "literal", value = name == "true" }
    end
    return { kind = "name", name = name, of = r.try "<" and parse_list(r, ">", parse_type) or {} }
end

local NIL = { kind = "name", name = "nil", of = {} }

local function parse_postfix(r)
    local made = parse_primary(r)
    while true do
        -- A postfix stands without a blank before it.
        if r.text:find("^%[%]", r.at) then
            r.at = r.at + 2
            made = { kind = "array", of = made }
        elseif r.text:find("^%?", r.at) then
            r.at = r.at + 1
            made = { kind = "union", of = { made, NIL } }
        else
            return made
        end
    end
end

function parse_type(r)
    local members = { parse_postfix(r) }
    while r.text:find("^|", r.at) do
        r.at = r.at + 1
        members[#members + 1] = parse_postfix(r)
    end
    return #members == 1 and members[1] or { kind = "union", of = members }
end

-- The type at the start of a text, and what follows.
local function read_type(text)
    local r = reader(text)
    local made = parse_type(r)
    return made, (text:sub(r.at):gsub("^%s+", ""))
end

---A type as it is written.
---@param type luacats.Type
---@param name_text (fun(name: string): string)|nil how names are shown
---@return string
function M.show(type, name_text)
    local function list(items, separator)
        local parts = {}
        for i, item in ipairs(items) do parts[i] = M.show(item, name_text) end
        return table.concat(parts, separator)
    end
    local function items_text(items)
        local parts = {}
        for i, item in ipairs(items) do
            local name = item.index and "[" .. M.show(item.index, name_text) .. "]" or item.name
                .. (item.optional and "?" or "")
            parts[i] = name .. ": " .. M.show(item.type, name_text)
        end
        return table.concat(parts, ", ")
    end
    if type.kind == "literal" then
        return _G.type(type.value) == "string" and '"' .. type.value .. '"' or tostring(type.value)
    end
    if type.kind == "union" then return list(type.of, "|") end
    if type.kind == "array" then
        local inner = M.show(type.of, name_text)
        return (type.of.kind == "union" or type.of.kind == "fun") and "(" .. inner .. ")[]"
            or inner .. "[]"
    end
    if type.kind == "fun" then
        return "fun(" .. items_text(type.params) .. ")"
            .. (#type.returns > 0 and ": " .. list(type.returns, ", ") or "")
    end
    if type.kind == "table" then return "{ " .. items_text(type.fields) .. " }" end
    return (name_text or tostring)(type.name)
        .. (#type.of > 0 and "<" .. list(type.of, ", ") .. ">" or "")
end

-- ---- items --------------------------------------------------------------------------------------

local function read_field(text)
    local r = reader(text)
    local item = { doc = "" }
    if r.try "%[" then
        item.index = parse_type(r)
        r.need("%]", "']'")
    else
        item.name = r.need("([%a_][%w_]*)", "a name")
    end
    item.optional = r.text:sub(r.at, r.at) == "?"
    if item.optional then r.at = r.at + 1 end
    r.need("%s", "a type")
    item.type, item.doc = read_type(text:sub(r.at))
    return item
end

local function read_return(text)
    local made, rest = read_type(text)
    local name, doc = rest:match("^([%a_][%w_]*)%s*(.*)$")
    return { name = name, type = made, optional = false, doc = doc or rest }
end

local TAGS = {
    class = function(self, text)
        local name, parent, rest = text:match("^([%w_.]+)%s*:%s*([%w_.]+)(.*)$")
        if not name then name, rest = text:match("^([%w_.]+)(.*)$") end
        if rest:find("%S") then self.doc[#self.doc + 1] = rest:match("^%s*(.*)$") end
        self.class = self:add("class", { name = name, parent = parent, fields = {}, methods = {} })
    end,
    field = function(self, text)
        local class = self.class or error("a field without a class", 0)
        class.fields[#class.fields + 1] = read_field(text)
    end,
    alias = function(self, text)
        local name, rest = text:match("^([%w_.]+)%s+(.*)$")
        self:add("alias", { name = name, type = (read_type(rest)) })
    end,
    param = function(self, text) self.params[#self.params + 1] = read_field(text) end,
    ["return"] = function(self, text) self.returns[#self.returns + 1] = read_return(text) end,
}

local Reader = {}
Reader.__index = Reader

-- What has been said since the last item belongs to the new one.
function Reader:add(kind, item)
    item.kind, item.doc, item.section = kind, table.concat(self.doc, " "), self.section
    self.doc = {}
    self.items[#self.items + 1] = item
    return item
end

function Reader:add_function(owner, mark, name, arguments)
    local given, class = {}, self.bound[owner] or error("nothing is known of " .. owner, 0)
    for argument in arguments:gmatch("[%w_.]+") do given[#given + 1] = argument end
    if #given ~= #self.params then
        error(string.format("%s: %d arguments, %d annotated", name, #given, #self.params), 0)
    end
    for i, param in ipairs(self.params) do
        if param.name ~= given[i] then
            error(string.format("%s: argument '%s' is annotated as '%s'", name, given[i],
                param.name), 0)
        end
    end
    local item = self:add("function", {
        name = name, class = class, method = mark == ":", params = self.params,
        returns = self.returns,
    })
    self.params, self.returns = {}, {}
    class.methods[#class.methods + 1] = item
end

function Reader:code(line)
    if not line:find("%S") or line:find("^return ") then
        self.class = nil
        return
    end
    local owner, mark, name,
        arguments = line:match("^function ([%w_.]+)([.:])([%w_]+)%((.-)%) end$")
    if owner then return self:add_function(owner, mark, name, arguments) end
    local variable = line:match("^local ([%w_]+) = {}$") or line:match("^([%w_.]+) = {}$")
    if not variable or not self.class then error("not understood: " .. line, 0) end
    self.bound[variable] = self.class
end

function Reader:line(line)
    local tag, text = line:match("^%-%-%-@(%a+)%s*(.*)$")
    local title = line:match("^%-%- %-%-%-%- (.-) %-+$")
    -- for editors; a class says in words what it computes
    if tag == "meta" or tag == "operator" then return end
    if tag then return (TAGS[tag] or error("unknown tag @" .. tag, 0))(self, text) end
    if line:find("^%-%-%-") then
        self.doc[#self.doc + 1] = line:match("^%-%-%-%s?(.*)$")
    elseif title then
        self.section = { title = title, text = {} }
    elseif line:find("^%-%-") then
        local said = line:match("^%-%-%s?(.*)$")
        if self.section then self.section.text[#self.section.text + 1] = said end
    else
        self:code(line)
    end
end

---@class luacats.File
---@field items table[] classes, aliases and functions in order
---@field classes table<string, table>
---@field aliases table<string, table>

---The items of one file; variables and sections of another are not those of this one.
---@param path string
---@return table[]
local function items_of(path)
    local self = setmetatable({ items = {}, doc = {}, params = {}, returns = {}, bound = {},
        class = nil, section = nil }, Reader)
    local number = 0
    for line in io.lines(path) do
        number = number + 1
        local ok, why = pcall(self.line, self, line)
        if not ok then error(string.format("%s:%d: %s", path, number, why), 0) end
    end
    return self.items
end

---@param ... string paths, whose items are one library
---@return luacats.File
function M.read(...)
    local file = { items = {}, classes = {}, aliases = {} }
    for _, path in ipairs { ... } do
        for _, item in ipairs(items_of(path)) do
            local names = item.kind == "class" and file.classes
                or item.kind == "alias" and file.aliases or {}
            if names[item.name] then
                error(string.format("%s: %s is defined twice", path, item.name), 0)
            end
            names[item.name] = item
            file.items[#file.items + 1] = item
        end
    end
    return file
end

---The fields of a class, those of its parents first, but for those that it declares itself.
---@param file luacats.File
---@param class table
---@return luacats.Item[]
function M.fields(file, class)
    local list, own = {}, {}
    for _, item in ipairs(class.fields) do own[item.name or item] = true end
    for _, item in ipairs(class.parent and M.fields(file, file.classes[class.parent]) or {}) do
        if not own[item.name or item] then list[#list + 1] = item end
    end
    return table.move(class.fields, 1, #class.fields, #list + 1, list)
end

---The methods of a class, those of its parents first.
---@param file luacats.File
---@param class table
---@return table[]
function M.methods(file, class)
    local list = class.parent and M.methods(file, file.classes[class.parent]) or {}
    return table.move(class.methods, 1, #class.methods, #list + 1,
        table.move(list, 1, #list, 1, {}))
end

---Calls `visit` with every name in a type.
---@param type luacats.Type
---@param visit fun(name: string)
function M.names(type, visit)
    if type.kind == "name" then visit(type.name) end
    local inner = type.of and (type.kind == "array" and { type.of } or type.of) or {}
    for _, one in ipairs(inner) do M.names(one, visit) end
    for _, one in ipairs(type.returns or {}) do M.names(one, visit) end
    for _, item in ipairs(type.params or type.fields or {}) do
        M.names(item.type, visit)
        if item.index then M.names(item.index, visit) end
    end
end

return M
