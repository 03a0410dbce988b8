-- Whether values are what LuaCATS annotations say: the judge of tests/library/annotations.lua. It
-- keeps a record of what it has met.

local luacats = require "luacats"

local M = {}

local file, hidden -- set by M.open

---Classes that have been held against something, by name.
---@type table<string, boolean>
M.covered = {}

---Fields of objects that are for the library's own use and have been met, as CLASS.FIELD.
---@type table<string, boolean>
M.hidden_seen = {}

---@param annotations luacats.File
---@param for_own_use table<string, string[]> by class: what objects may hold besides
function M.open(annotations, for_own_use)
    file, hidden = annotations, for_own_use
end

---Whether a field or method of a class is for the library's own use.
function M.is_hidden(class, name)
    for _, known in ipairs(hidden[class] or {}) do
        if known == name then
            M.hidden_seen[class .. "." .. name] = true
            return true
        end
    end
    return false
end

local seen = {} -- by field: { there = true, missing = true }

---Types that are Lua's own.
M.BASE = { any = true, ["nil"] = true, boolean = true, string = true, table = true, integer = true,
    number = true }

---A class has been held against something, and so have those whose fields it has.
---@param name string
function M.cover(name)
    M.covered[name] = true
    local class = file.classes[name]
    if class and class.parent then M.cover(class.parent) end
end

---The members of a union, also behind an alias; else the type itself.
function M.members_of(type)
    if type.kind == "union" then return type.of end
    local alias = type.kind == "name" and file.aliases[type.name]
    return alias and M.members_of(alias.type) or { type }
end

---Whether an item may be nil.
function M.takes_nil(item)
    if item.optional then return true end
    for _, member in ipairs(M.members_of(item.type)) do
        if member.name == "nil" then return true end
    end
    return false
end

local mismatch

local function class_mismatch(class, value, where)
    if type(value) ~= "table" then
        return where .. " is a " .. type(value) .. ", not a " .. class.name
    end
    M.cover(class.name)
    local known, index = {}, nil
    for _, method in ipairs(class.methods) do known[method.name] = true end
    for _, item in ipairs(luacats.fields(file, class)) do
        if item.index then
            index = item
        else
            known[item.name] = true
            local field, mark = value[item.name], seen[item] or {}
            seen[item] = mark
            mark[field == nil and "missing" or "there"] = true
            local why
            if field ~= nil then why = mismatch(item.type, field, where .. "." .. item.name)
            elseif not M.takes_nil(item) then why = where .. "." .. item.name .. " is nil" end
            if why then return why end
        end
    end
    for key, field in next, value do
        if not known[key] and not M.is_hidden(class.name, key) then
            if not index then
                return string.format("%s.%s is not annotated in %s", where, tostring(key),
                    class.name)
            end
            local why = mismatch(index.index, key, where .. "[]")
                or mismatch(index.type, field, where .. "." .. tostring(key))
            if why then return why end
        end
    end
    return nil
end

local function name_mismatch(type_, value, where)
    local name = type_.name
    if name == "any" or name == type(value) and name ~= "table" then return nil end
    if name == "integer" and math.type(value) == "integer" then return nil end
    if file.aliases[name] then return mismatch(file.aliases[name].type, value, where) end
    if file.classes[name] then return class_mismatch(file.classes[name], value, where) end
    if name == "table" and type(value) == "table" then
        for key, entry in next, #type_.of == 2 and value or {} do
            local why = mismatch(type_.of[1], key, where .. "[]")
                or mismatch(type_.of[2], entry, where .. "." .. tostring(key))
            if why then return why end
        end
        return nil
    end
    return string.format("%s is %s, not of type %s", where, tostring(value), name)
end

local function array_mismatch(element, value, where)
    if type(value) ~= "table" then return where .. " is a " .. type(value) .. ", not an array" end
    for i = 1, #value do
        local why = mismatch(element, value[i], string.format("%s[%d]", where, i))
        if why then return why end
    end
    -- A proxy shows its rows by index alone.
    for key in next, getmetatable(value) and {} or value do
        if math.type(key) ~= "integer" or key < 1 or key > #value then
            return string.format("%s.%s is not of an array", where, tostring(key))
        end
    end
    return nil
end

-- nil, or what is wrong.
function mismatch(type_, value, where)
    if type_.kind == "name" then return name_mismatch(type_, value, where) end
    if type_.kind == "array" then return array_mismatch(type_.of, value, where) end
    if type_.kind == "table" then
        return class_mismatch({ name = "{}", fields = type_.fields, methods = {} }, value, where)
    end
    if type_.kind == "literal" then
        if value == type_.value then return nil end
        return string.format("%s is %s, not %s", where, tostring(value), luacats.show(type_))
    end
    if type_.kind == "union" then
        local why
        for _, member in ipairs(type_.of) do
            local reason = mismatch(member, value, where)
            if not reason then return nil end
            if member.name ~= "nil" then why = reason end
        end
        return why
    end
    return type(value) ~= "function" and where .. " is no function" or nil
end

---nil when the value is of the type, else what is wrong.
---@param type_ luacats.Type
---@param where string what messages call the value
---@return string|nil
function M.mismatch(type_, value, where) return mismatch(type_, value, where) end

---The same for a class by name.
function M.class_mismatch(class_name, value)
    return class_mismatch(file.classes[class_name], value, class_name)
end

---In which ways a field has been met: { there = true, missing = true }; nil for a field of no value
---so far.
function M.met(field) return seen[field] end

---Forgets what has been met.
function M.forget()
    seen, M.covered, M.hidden_seen = {}, {}, {}
end

return M
