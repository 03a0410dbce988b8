-- `pinion help`: commands, and topics that several commands share.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local help = require "pinion.cli.help"
local lists = require "pinion.cli.lists"
local models = require "pinion.models"
local options = require "pinion.cli.options"
local policies = require "pinion.policy"
local suggest = require "pinion.base.suggest"
local text = require "pinion.base.text"

local M = {}

-- Returns the beginning of a description, up to where it explains itself further.
local function first_words(doc, most)
    doc = doc:gsub(" %(%d+%)", "") -- the year of a paper
    local short = doc:match "^(.-)[:;]" or doc
    short = short:match "^(.-) %(" or short
    short = short:gsub("%s+$", "")
    if #short <= most then return short end
    return short:sub(1, most - 2):gsub("%s+%S*$", "") .. " …"
end

-- Writes two columns, names to the left, within a screen.
local function two_columns(rows)
    local size, lines = 0, {}
    for _, row in ipairs(rows) do size = math.max(size, #row[1]) end
    for i, row in ipairs(rows) do
        lines[i] = string.format("  %-" .. size .. "s  %s\n", row[1],
            first_words(row[2], help.COLUMNS_MOST - size - 4))
    end
    return table.concat(lines)
end

-- ---- topics -------------------------------------------------------------------------------------

local SPEC_HELP = [[
A SPEC is a name, for some names a value after a colon, and options:

  NAME[:VALUE][,OPTION=VALUE,...]         zheng:0,rate=1.5,slots=1000
  NAME:FILE[,OPTION=VALUE,...]            swim:FB-2009.tsv,scale=1/100

`pinion help NAME` lists the options of one workload, `pinion workload SPEC`
describes its jobs, and `pinion help specs` shows all workloads on one page.

]]

-- Lists the workloads of each model.
local function workloads_text()
    local parts = { SPEC_HELP }
    for _, model in ipairs(models.names()) do
        local rows = {}
        for _, kind in ipairs(lists.kinds(model)) do
            for _, name in ipairs(kind.models) do
                if name == model then
                    rows[#rows + 1] = { kind.subject == "file" and kind.name .. ":FILE"
                        or kind.name, kind.doc }
                end
            end
        end
        parts[#parts + 1] = model .. "\n" .. two_columns(rows)
    end
    return table.concat(parts)
end

local function policies_text()
    local parts = {}
    for _, model in ipairs(models.names()) do
        local rows = {}
        for i, policy in ipairs(policies.list(model)) do
            rows[i] = { policy.name, policy.summary }
        end
        parts[#parts + 1] = model .. "\n" .. two_columns(rows)
    end
    return table.concat(parts) .. [[

--policy and --policies accept these names, MODEL/NAME, and FILE.lua for your own
policy; `pinion new-policy NAME` writes a template of it.
`pinion policies NAME` describes a policy and its parameters; --source prints its
Lua source.
]]
end

local FORMATS = [[
--format selects how a result is written:

  table     aligned text for people: rounded, times in readable units
  markdown  the same tables for Markdown
  latex     the same tables for LaTeX: tabular with \hline, no package needed
  json      every field, exact
  csv       one row per result, exact; with --jobs-detail one row per job, with
            --long one row per policy, replica, group and metric

Without --format the extension of --output decides: .txt, .md, .tex, .json, .csv.
simulate, compare and sweep also write a page with charts (.html) and an SQLite
database (.db, .sqlite or .sqlite3).
Without both, the result is a table on a terminal and JSON otherwise. It is an
error if --format and the extension differ.
--plot draws a figure in addition to the result: .svg, .png or .pdf.
docs/results.md explains every column and field.
]]

local function models_text()
    local rows = {}
    for i, name in ipairs(models.names()) do
        local model = models.find(name)
        local fields = {}
        for _, field in ipairs(model.settings.scalars) do
            if field ~= "policy" then fields[#fields + 1] = field end
        end
        rows[i] = { name, model.words.summary, table.concat(fields, ", ") }
    end
    return text.table({ { "model" }, { "what it simulates" }, { "--set" } }, rows) .. [[

The jobs of a workload determine the model; --model selects one if the workload
supports several. docs/models/ describes the rules of each model.
]]
end

local TOPICS = {
    { "workloads", workloads_text }, { "specs", function() return options.workloads .. "\n" end },
    { "policies", policies_text }, { "formats", function() return FORMATS end },
    { "models", models_text },
}

-- ---- a workload ---------------------------------------------------------------------------------

local function subject_text(kind)
    if not kind.subject then return "" end
    local name = kind.subject:upper()
    return kind.subject == "file" and ":" .. name or "[:" .. name .. "]"
end

-- Returns the models in which the option means something, where these are not all of the kind.
local function only_in(kind, field)
    local all = field.models == nil
    local names = all and {} or check.sorted_keys(field.models)
    if all or #names == #kind.models then return "" end
    return " (" .. table.concat(names, ", ") .. ")"
end

local function kind_text(kind)
    local rows = {}
    for _, field in ipairs(kind.fields) do
        local value = field.default
        rows[#rows + 1] = { field.name, value == nil and (field.required and "required" or "-")
            or tostring(value), field.doc .. only_in(kind, field) }
    end
    local lines = help.wrapped(help.words_of(kind.name .. ": " .. kind.doc), "")
    return table.concat(lines, "\n") .. "\nmodels: " .. table.concat(kind.models, ", ")
        .. string.format("\nSPEC: %s%s%s\n", kind.name, subject_text(kind),
            rows[1] and "[,OPTION=VALUE,...]" or "")
        .. (rows[1] and "\n" .. text.table({ { "option" }, { "default" }, { "meaning" } }, rows)
            or "")
end

-- ---- the command --------------------------------------------------------------------------------

---@param parser table of argparse
---@return string[] what can be asked for: commands, topics, workloads
function M.names(parser)
    local names = options.names(parser._commands)
    for _, topic in ipairs(TOPICS) do names[#names + 1] = topic[1] end
    for _, kind in ipairs(lists.kinds()) do names[#names + 1] = kind.name end
    return names
end

-- Writes a topic and the command of the same name one below the other.
local function text_of(parser, name)
    local parts = {}
    for _, topic in ipairs(TOPICS) do
        if topic[1] == name then parts[1] = topic[2]() end
    end
    for _, command in ipairs(parser._commands) do
        if command._name == name then parts[#parts + 1] = command:get_help() .. "\n" end
    end
    if parts[1] then return table.concat(parts, "\n") end
    for _, kind in ipairs(lists.kinds()) do
        if kind.name == name then return kind_text(kind) end
    end
end

---@return integer exit code
function M.help(args)
    local parser = options.parser()
    if not args.topic then
        io.stdout:write(help.screen(parser), "\n")
        return 0
    end
    local found = text_of(parser, args.topic)
    if not found then
        fault.usage("help: unknown command or topic '%s' %s", args.topic,
            suggest.hint(args.topic, M.names(parser)))
    end
    io.stdout:write(found)
    return 0
end

return M
