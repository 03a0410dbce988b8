-- Writes the reference of the Lua library as Markdown: `pinion run scripts/reference/api.lua
-- lua/meta/*.lua >api.md`. All it says stands in the annotations; their files are its parts, in the
-- order in which they are given.

package.path = (arg[0]:match("^(.*/)") or "./") .. "?.lua;" .. package.path
local core = require "pinion.core"
local luacats = require "luacats"

local file = luacats.read(table.unpack(arg))
local lines = {}

local function put(format, ...)
    lines[#lines + 1] = select("#", ...) > 0 and string.format(format, ...) or format
end

-- The anchor of a heading, as renderers of Markdown make it.
local function anchor(title)
    return (title:lower():gsub("[^%w%- _]", ""):gsub(" ", "-"))
end

-- Text in which nothing is markup but what stands in backquotes.
local function escape(text)
    local made = {}
    for plain, code in (text .. "``"):gmatch "([^`]*)`([^`]*)`" do
        made[#made + 1] = plain:gsub("<", "&lt;"):gsub("([*_])", "\\%1")
        if code ~= "" then made[#made + 1] = "`" .. code .. "`" end
    end
    return table.concat(made)
end

-- The same, in a table.
local function cell(text)
    return (escape(text):gsub("|", "\\|"))
end

-- A type, with links to the classes and aliases it names.
local function type_text(type)
    local plain = luacats.show(type, function(name)
        return (file.classes[name] or file.aliases[name]) and "\1" .. name .. "\2" or name
    end)
    return (cell(plain):gsub("\1(.-)\2", function(name)
        return string.format("[%s](#%s)", name, anchor((name:gsub("\\_", "_"))))
    end))
end

local function put_table(titles, rows)
    if #rows == 0 then return end
    put("| %s |", table.concat(titles, " | "))
    put("|%s", (" --- |"):rep(#titles))
    for _, row in ipairs(rows) do put("| %s |", table.concat(row, " | ")) end
    put ""
end

local function item_rows(items)
    local rows = {}
    for i, item in ipairs(items) do
        local name = item.name and "`" .. item.name .. (item.optional and "?" or "") .. "`"
            or "\\[" .. type_text(item.index) .. "\\]"
        rows[i] = { name, type_text(item.type), cell(item.doc) }
    end
    return rows
end

local function put_doc(item)
    if item.doc == "" then return end
    put("%s", escape(item.doc))
    put ""
end

local function put_function(item)
    local names = {}
    for i, param in ipairs(item.params) do
        names[i] = param.name .. (param.optional and "?" or "")
    end
    local title = item.class.name .. (item.method and ":" or ".") .. item.name
    put("### %s%s", item.method and "" or "function ", title)
    put ""
    put("`%s(%s)`", title, table.concat(names, ", "))
    put ""
    put_doc(item)
    put_table({ "parameter", "type", "" }, item_rows(item.params))
    for _, result in ipairs(item.returns) do
        local name = result.name and " `" .. result.name .. "`" or ""
        put("Returns %s%s%s", type_text(result.type), name, result.doc ~= "" and " – "
            .. escape(result.doc) or "")
        put ""
    end
end

local function put_class(item)
    put("### %s", item.name)
    put ""
    put_doc(item)
    if item.parent then
        put("Has the fields and methods of [%s](#%s), too.", item.parent, anchor(item.parent))
        put ""
    end
    put_table({ "field", "type", "" }, item_rows(item.fields))
    for _, method in ipairs(item.methods) do
        if method.method then put_function(method) end
    end
end

local function put_alias(item)
    put("### %s", item.name)
    put ""
    put("%s", type_text(item.type))
    put ""
    put_doc(item)
end

-- Tables of functions, which are not objects.
local modules, is_module = {}, {}
for _, item in ipairs(file.items) do
    if item.kind == "function" and not item.method and not is_module[item.class.name] then
        modules[#modules + 1], is_module[item.class.name] = item.class, true
    end
end

put("# The Lua library of pinion %s", core.version)
put ""
put("`local pinion = require \"pinion\"`, in scripts of `pinion run` and in a stock Lua 5.4. "
    .. "A question mark stands behind what may be left out.")
put ""
put "## Functions"
put ""
for _, module in ipairs(modules) do
    for _, field in ipairs(module.fields) do
        if not is_module[field.type.name] then
            put("`%s.%s` is a %s.%s", module.name, field.name, type_text(field.type),
                field.doc ~= "" and " " .. field.doc or "")
            put ""
        end
    end
end
for _, item in ipairs(file.items) do
    if item.kind == "function" and not item.method then put_function(item) end
end
put "## Objects and options"
put ""
local section = nil
for _, item in ipairs(file.items) do
    if item.section and item.section ~= section then
        section = item.section
        put("## %s", (section.title:gsub("^%l", string.upper)))
        put ""
        put("%s", escape(table.concat(section.text, " ")))
        put ""
    end
    if item.kind == "class" and not is_module[item.name] then put_class(item) end
    if item.kind == "alias" then put_alias(item) end
end

io.stdout:write(table.concat(lines, "\n"))
