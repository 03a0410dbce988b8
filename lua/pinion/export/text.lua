---The file that is exported: beside its functions, what they need of C, memory, parameters and the
---table.
local helpers = require "pinion.export.helpers"
local parse = require "pinion.export.parse"
local values = require "pinion.export.values"

local M = {}

local COLUMNS <const> = 100

---Returns a text whose lines of more columns are broken, behind a comma or before an operator.
local function wrapped(text)
    local lines = {}
    for line in (text .. "\n"):gmatch "([^\n]*)\n" do
        local indent = line:match "^ *"
        while #line > COLUMNS do
            local at
            for place in line:sub(1, COLUMNS - 1):gmatch ", ()" do at = place end
            for place in line:sub(1, COLUMNS - 1):gmatch " ()[&|?:+*/<>=-]+ " do
                at = math.max(at or 0, place)
            end
            if not at or at <= #indent + 8 or line:find '^ *%.?%w* ?=? ?"' then break end
            lines[#lines + 1] = line:sub(1, at - 1):gsub(" +$", "")
            line = indent .. "    " .. line:sub(at)
        end
        lines[#lines + 1] = line
    end
    return (table.concat(lines, "\n"):gsub("\n+$", "\n"))
end

local function quoted(text)
    return (string.format("%q", text):gsub("\\\n", "\\n"):gsub("%?%?", "?\\?"))
end

---Returns constants that count from 0; nothing when there are none.
local function enum(names)
    return names[1] and "enum {\n    " .. table.concat(names, ",\n    ") .. "\n};\n" or ""
end

-- ---- parameters ---------------------------------------------------------------------------------

---Returns the name of a value of a choice.
function M.choice_name(parameter, choice)
    return ((parameter .. "_is_" .. choice):upper():gsub("[^%w_]", "_"))
end

local function limit_text(x)
    return values.number((x or math.huge) + 0.0).c
end

---Returns a parameter's entry of the table.
local function entry_of(parameter)
    local names, value = "NULL", parameter.value
    local low, high = limit_text(parameter.low or -math.huge), limit_text(parameter.high)
    if parameter.choices then
        names = "NAMES_OF_" .. parameter.name:upper()
        for k, choice in ipairs(parameter.choices) do
            if choice == parameter.value then value = k - 1 end
        end
        low, high = "0.0", values.number(#parameter.choices - 1.0).c
    end
    local integer = (parameter.float or parameter.choices) and 0 or 1
    return string.format("        {.name = %s,\n         .value = %s,\n         .low = %s,\n"
        .. "         .high = %s,\n         .names = %s,\n         .integer = %d,\n"
        .. "         .doc = %s},\n", quoted(parameter.name), values.number(value + 0.0).c, low,
        high, names, integer, quoted(parameter.doc))
end

---Returns the list of a choice's names, and constants for its values where `body` has some.
local function choices_text(parameter, body)
    local texts, constants, is_used = {}, {}, false
    for k, choice in ipairs(parameter.choices) do
        texts[k] = quoted(tostring(choice))
        constants[k] = M.choice_name(parameter.name, tostring(choice))
        is_used = is_used or body:find(constants[k], 1, true)
    end
    return (is_used and enum(constants) .. "\n" or "")
        .. string.format("static const char *const NAMES_OF_%s[] = {%s, NULL};\n",
            parameter.name:upper(), table.concat(texts, ", "))
end

---Returns the entries of the table, and what these name.
local function params_text(exporter, body)
    local entries, lists = {}, {}
    for i = 1, exporter.source.param_count do
        local parameter = exporter.policy.params[i]
        if parameter.table then
            parse.refuse(exporter.path, exporter.definition.line,
                "params.%s is a table, which policies in C cannot have", parameter.name)
        end
        entries[i] = entry_of(parameter)
        if parameter.choices then lists[#lists + 1] = choices_text(parameter, body) end
    end
    return table.concat(entries), table.concat(lists, "\n")
end

-- ---- memory -------------------------------------------------------------------------------------

---Returns so many cells, and so many more for each place of the job table.
local function count_text(exporter, fixed, each)
    if each == 0 then return tostring(fixed) end
    local places = "(size_t)" .. exporter.model.prefix .. "_jobs_max(view)"
    local text = each == 1 and places or each .. " * " .. places
    return fixed == 0 and text or fixed .. " + " .. text
end

local function cells_text(exporter, cells)
    local view = exporter.model.view
    local ahead = count_text(exporter, exporter.singles + cells.more_ahead, cells.each_ahead)
    if cells.kind == "list" then
        return string.format("static cell *%s(const %s *view)\n{\n"
            .. "    return &cells(view)[%s];\n}\n", cells.c, view, ahead)
    elseif cells.kind == "per_job" then
        return string.format("static cell *%s(const %s *view, uint32_t job)\n{\n"
            .. "    return &cells(view)[%s + job];\n}\n", cells.c, view, ahead)
    end
    return string.format("static cell *%s(const %s *view, int64_t index)\n{\n"
        .. "    return element(view, %s, %s, index);\n}\n", cells.c, view, ahead,
        count_text(exporter, cells.more, cells.each))
end

---Returns the constants and functions by which memory is reached.
local function memory_text(exporter, body)
    local parts, names, clear = { "" }, {}, {}
    local forgets = body:find("forget(", 1, true)
    for _, cells in ipairs(exporter.source.cells) do
        if cells.kind == "single" then
            names[#names + 1] = cells.c
        elseif (cells.used and (cells.kind ~= "list" or body:find(cells.c .. "(", 1, true)))
            or (forgets and cells.kind == "per_job") then
            parts[#parts + 1] = cells_text(exporter, cells)
        end
        if cells.kind == "per_job" then
            clear[#clear + 1] = string.format("    *%s(view, job) = (cell){0};\n", cells.c)
        end
    end
    if forgets then
        parts[#parts + 1] = string.format("/* Clears what is remembered of a job. */\n"
            .. "static void forget(const %s *view, uint32_t job)\n{\n%s}\n", exporter.model.view,
            table.concat(clear))
    end
    parts[1] = enum(names)
    return table.concat(parts, parts[1] ~= "" and "\n" or "")
end

-- ---- the whole ----------------------------------------------------------------------------------

local function orders_text(exporter, body)
    local names = {}
    for i, order in ipairs(exporter.source.orders) do
        local name = "ORDER_" .. order:upper()
        if body:find(name, 1, true) then names[#names + 1] = name .. " = " .. i - 1 end
    end
    return enum(names)
end

---Returns constants for the attributes of jobs, which are numbered in the order of their names.
local function attributes_text(exporter)
    local names, constants = {}, {}
    for name in next, exporter.attributes do names[#names + 1] = name end
    table.sort(names)
    for i, name in ipairs(names) do constants[i] = exporter.attributes[name] end
    return names[1] and "/* Attributes of jobs: the host gives them in this order. */\n"
        .. enum(constants) or ""
end

---Returns those helpers that a text uses, with what they need themselves.
local function helpers_text(exporter, using)
    local used, parts, model = {}, {}, exporter.model
    local function use(text)
        for word in text:gmatch "%f[%w_]([%l_]+)%(" do used[word] = true end
    end
    use(using)
    for _, list in ipairs { model.helpers, helpers } do
        for _, helper in ipairs(list) do if used[helper[1]] then use(helper[2]) end end
    end
    for _, list in ipairs { helpers, model.helpers } do
        for _, helper in ipairs(list) do
            if used[helper[1]] then
                parts[#parts + 1] = helper[2]:gsub("VIEW", model.view)
                    :gsub("ATTRIBUTE", model.attribute)
                    :gsub("PREFIX_fail", model.fail or "%0"):gsub("PREFIX", model.prefix)
            end
        end
    end
    return table.concat(parts, "\n")
end

---Returns a field of the table that is a count of cells; nothing of none.
local function size_text(name, count)
    return count > 0 and string.format("    .%s = %d * sizeof(cell),\n", name, count) or ""
end

local function table_text(exporter, name, params, has_memory, body)
    local policy, model = exporter.policy, exporter.model
    local hooks = {}
    for i, entry in ipairs(exporter.entries) do
        hooks[i] = entry.field and string.format("    .%s = %s,\n", entry.field, entry.c) or ""
    end
    return string.format("const %s %s = {\n    .struct_size = sizeof(%s),\n    .name = %s,\n"
        .. "    .summary = %s,\n    .source = %s,\n%s%s%s%s%s};\n", model.policy, name,
        model.policy, quoted(policy.name), quoted(policy.summary), quoted(exporter.path),
        exporter.source.fields .. (model.fields and model.fields(body) or ""),
        params ~= "" and string.format("    .param_count = %d,\n    .params = {\n%s    },\n",
            exporter.source.param_count, params) or "",
        has_memory and size_text("state_bytes", exporter.singles + exporter.more) or "",
        has_memory and size_text("state_bytes_per_job", exporter.each) or "", table.concat(hooks))
end

---Returns the functions but those that only an earlier try has called.
function M.functions(exporter)
    local kept, texts = exporter.texts, nil
    repeat
        local all, list = { exporter.source.fields }, {}
        for i, one in ipairs(kept) do all[i + 1] = one.text end
        local whole = table.concat(all, "\n")
        for _, one in ipairs(kept) do
            local _, times = whole:gsub("%f[%w_]" .. one.c .. "%f[^%w_]", "")
            if one.is_entry or times > 1 then list[#list + 1] = one end
        end
        texts, kept = #list == #kept and {} or nil, list
    until texts
    for i, one in ipairs(kept) do texts[i] = one.text end
    return table.concat(texts, "\n\n")
end

-- Headers, and the names in a text that need them.
local INCLUDES = { { "<float.h>", "DBL_MAX" }, { "<math.h>", "floor%(" },
    { "<math.h>", "INFINITY" }, { "<math.h>", "fabs%(" },
    { "<stdbool.h>", "%f[%w]bool%f[^%w]" }, { "<stdbool.h>", "%f[%w]true%f[^%w]" },
    { "<stdbool.h>", "%f[%w]false%f[^%w]" } }

---Returns the file, once all functions are written.
---@param exporter pinion.export.Exporter
---@return string
function M.file(exporter)
    local policy, model = exporter.policy, exporter.model
    local name = policy.name:gsub("[^%w_]", "_"):gsub("^%d", "p%0") .. "_policy"
    local body = M.functions(exporter)
    local memory = memory_text(exporter, body)
    local params, lists = params_text(exporter, body)
    local parts = {}
    local has_memory = (memory .. body):find("cells(", 1, true)
        or memory:find("element(", 1, true)
    for _, part in ipairs { helpers_text(exporter, memory .. body), orders_text(exporter, body),
        attributes_text(exporter),
        has_memory and memory or "", lists, body ~= "" and body .. "\n" or "",
        table_text(exporter, name, params, has_memory, body) } do
        if part ~= "" then parts[#parts + 1] = part end
    end
    local made = wrapped(table.concat(parts, "\n"))
    local about = policy.summary ~= "" and ": "
        .. policy.summary:gsub("%*/", "* /"):gsub("/%*", "/ *")
        or ""
    local head = { string.format("/* %s%s\n *\n * Exported by pinion from %s, which is the file "
        .. "to edit. A host declares\n *     extern const %s %s; */", policy.name, about,
        policy.chunk, model.policy, name) }
    for _, include in ipairs(INCLUDES) do
        local line = "#include " .. include[1]
        local is_there = table.concat(head, "\n"):find(line, 1, true)
        if made:find(include[2]) and not is_there then head[#head + 1] = line end
    end
    head[#head + 1] = "\n#include \"" .. model.header .. "\"\n"
    return table.concat(head, "\n") .. "\n" .. made
end

return M
