-- The text of `-h`: one screen of at most 30 lines and 80 columns. `--help` shows the whole help.

local models = require "pinion.models"

local M = {}

M.LINES_MOST, M.COLUMNS_MOST = 30, 80

-- A line for each option that is used often. "COMMAND --option" is the line for one command.
local BRIEF = {
    ["--workload"] = "the jobs: `pinion help workloads`",
    ["--policy"] = "a policy by name, or FILE.lua: `pinion help policies`",
    ["--policies"] = "policies by name, or FILE.lua, separated by commas",
    ["--replicas"] = "runs of each policy, each on newly drawn jobs",
    ["--baseline"] = "the policy that the others are compared with",
    ["--processes"] = "processes that share the runs (one per core)",
    ["--set"] = "a setting, such as machines=50 (repeatable)",
    ["--param"] = "a parameter of a policy (repeatable)",
    ["--over"] = "a setting's values: workload.rate=1,1.5,2 (repeatable)",
    ["--model"] = models.listed(),
    ["--seed"] = "seed of the random streams",
    ["--format"] = "table, markdown, latex, json, csv",
    ["--output"] = "the output file; its extension selects the format",
    ["--jobs-detail"] = "one row per job",
    ["--long"] = "csv: one row per policy, replica, group and metric",
    ["--metrics"] = "more columns: slowdown, fairness",
    ["--timeline"] = "record time series in N buckets",
    ["--log"] = "write every decision to this file",
    ["--store"] = "store finished runs in this folder, and reuse them",
    ["tune --over"] = "what a parameter may be: quantum=1..200 (repeatable)",
    ["tune --goal"] = "the measure to make small; default: the mean",
    ["tune --subject-to"] = "a limit, such as 'mean_slowdown<=5' (repeatable)",
    ["tune --runs"] = "runs that the search may take; default 1000",
    ["tune --replicas"] = "fresh replicas for the comparison at the end",
    ["tune --reference"] = "a policy that is compared at the end, too",
    ["store --prune"] = "keep each unit once; no other process may use it",
    ["store --host"] = "with --prune: remove this machine's units",
    ["store --current"] = "with --prune: remove units of other builds",
    ["store --output"] = "the output file; UNITS.jsonl: all units",
    ["--plot"] = "draw a figure in this file: .svg, .png or .pdf",
    ["--quiet"] = "no progress, no notices",
    ["--until"] = "stop after this slot, or before this time",
    ["resume --until"] = "another slot or time at which to stop",
    ["resume --checkpoint"] = "another file for checkpoints",
    ["resume --every"] = "another time between checkpoints",
    ["resume --log"] = "the file of the decision log, which is continued",
    ["--error"] = "policies see sizes times a random factor",
    ["workload --machines"] = "machines for which the load is stated; default 100",
    ["workload --replica"] = "replica of a generator, from 0",
    ["workload --jobs"] = "the jobs instead of the description",
    ["workload --plot"] = "draw the stages of a job: .svg (dag model)",
    ["workload --job"] = "the job that --plot draws; default 1",
    ["workload --format"] = "table, markdown, latex, json, csv (the jobs)",
    ["policies --source"] = "print the policy's Lua source",
    ["policies --format"] = "table, markdown, latex, json",
    ["new-policy --from"] = "start from a built-in policy",
    ["new-policy --output"] = "write this file instead of NAME.lua",
    ["new-workload --output"] = "write this file instead of NAME.lua",
    ["diff --policies"] = "the two policies to run",
    ["diff --replica"] = "replica of the workload, from 0",
    ["diff --format"] = "table, markdown, latex, json",
    ["timeline --policies"] = "the policies to run",
    ["timeline --buckets"] = "number of buckets; default 200, in a table 20",
    ["timeline --steps"] = "one row for each change instead of buckets",
    ["timeline --replica"] = "replica of the workload, from 0",
    ["timeline --output"] = "table, csv, json or a figure, by the extension",
    ["explain --job"] = "number of the job",
    ["explain --time"] = "the time, in the unit of the log",
    ["explain --policy"] = "policy of the run without LOG",
    ["explain --replica"] = "replica of the workload, from 0",
    ["explain --format"] = "table, markdown, latex, json",
    ["gantt --output"] = "the chart: .svg, .html, or .json for trace viewers",
    ["gantt --title"] = "title of the chart",
    ["gantt --from"] = "begin at this time, in the unit of the log",
    ["gantt --to"] = "end at this time",
    ["gantt --job"] = "only these jobs: 3,7 (repeatable)",
    ["gantt --group"] = "only jobs of this group (repeatable)",
    ["gantt --node"] = "only these nodes (repeatable)",
    ["gantt --policy"] = "policy of the run without LOG",
    ["gantt --replica"] = "replica of the workload, from 0",
    ["paper --seeds"] = "replicas of each setting",
    ["paper --jobs"] = "jobs per replica",
    ["paper --trace"] = "a SWIM trace for the experiments on a trace",
    ["paper --set"] = "another value instead of the fitted one",
    ["paper --only"] = "only these sections, separated by commas",
    ["paper --output"] = "directory for tables and figures",
    ["paper --format"] = "table or json",
}

-- Options that only `--help` shows if the command has many.
local RARE = {
    ["--baseline"] = true, ["--model"] = true, ["--bounds"] = true, ["--until"] = true,
    ["--error"] = true, ["--budget"] = true, ["--memory"] = true, ["--warmup"] = true,
    ["--no-compile"] = true,
    ["--slowdown-by-size"] = true, ["--kind"] = true, ["--of"] = true, ["--group"] = true,
    ["--x"] = true, ["--no-jobs"] = true, ["--checkpoint"] = true, ["--every"] = true,
    ["--timeline"] = true,
}
local OPTIONS_MOST = 14

local function long_name(option)
    for _, alias in ipairs(option._aliases) do
        if alias:sub(1, 2) == "--" then return alias end
    end
    return option._aliases[1]
end

M.long_name = long_name

-- Writes "-o, --output FILE"
local function tag_of(option)
    local names = {}
    for _, alias in ipairs(option._aliases) do
        if #alias == 2 or alias == long_name(option) then names[#names + 1] = alias end
    end
    return table.concat(names, ", ") .. (option._argname and " " .. option._argname or "")
end

---Writes a line about an option; nil for those that only `--help` explains.
local function brief_of(parser, option)
    local name = long_name(option)
    return BRIEF[parser._name .. " " .. name] or BRIEF[name]
end

M.brief_of = brief_of

-- Wraps words in lines of at most so many columns, indented.
local function wrapped(words, indent)
    local lines, line = {}, ""
    for _, word in ipairs(words) do
        if line ~= "" and #indent + #line + 1 + #word > M.COLUMNS_MOST then
            lines[#lines + 1], line = indent .. line, ""
        end
        line = line == "" and word or line .. " " .. word
    end
    lines[#lines + 1] = indent .. line
    return lines
end

M.wrapped = wrapped

local function words_of(text)
    local words = {}
    for word in text:gmatch "%S+" do words[#words + 1] = word end
    return words
end

M.words_of = words_of

-- Returns the options that have a line, and the names of the others.
local function shown_options(parser)
    local shown, others = {}, {}
    local many = #parser._options - 2 > OPTIONS_MOST
    for _, option in ipairs(parser._options) do
        local name, brief = long_name(option), brief_of(parser, option)
        if name == "-h" or name == "--help" then
            brief = nil
        elseif not brief or many and RARE[name] then
            others[#others + 1] = name
        else
            shown[#shown + 1] = { tag_of(option), brief }
        end
    end
    return shown, others
end

local function add_pairs(lines, list)
    local size = 0
    for _, pair in ipairs(list) do size = math.max(size, #pair[1]) end
    for _, pair in ipairs(list) do
        lines[#lines + 1] = string.format("  %-" .. size .. "s  %s", pair[1], pair[2])
    end
end

-- Returns the first example of the long help that is one command, whole.
local function example_of(parser)
    local text = (parser._epilog or ""):match "Example[^\n]*:\n(.*)$" or ""
    for line in (text .. "\n"):gmatch "(.-)\n" do
        if line:find "^  pinion " and not line:find "\\$" and #line <= M.COLUMNS_MOST then
            return line
        end
    end
end

local function add_list(lines, list)
    table.move(list, 1, #list, #lines + 1, lines)
end

---Writes one screen about a command, or about the program with its commands.
---@param parser table of argparse
---@return string without the last newline
function M.screen(parser)
    local lines = {}
    local function add(line) lines[#lines + 1] = line end
    for line in (parser:get_usage() .. "\n"):gmatch "(.-)\n" do add(line) end
    add ""
    local what = parser._summary or parser._description:match "^(.-)\n"
    add_list(lines, wrapped(words_of(what), ""))
    add ""
    local commands = {}
    for i, command in ipairs(parser._commands) do
        commands[i] = { command._name, command._brief }
    end
    add_pairs(lines, commands)
    if commands[1] then add "" end -- the options of the program are commands, too
    local shown, others = shown_options(parser)
    if commands[1] then shown, others = {}, {} end
    add_pairs(lines, shown)
    if others[1] then add_list(lines, wrapped({ "and", table.unpack(others) }, "  ")) end
    if shown[1] or others[1] then add "" end
    local example = example_of(parser)
    if example then
        add "Example:"
        add(example)
        add ""
    end
    add(string.format("More: `pinion help %s`, `pinion help workloads`", commands[1] and "COMMAND"
        or parser._name:match "%S+$"))
    return table.concat(lines, "\n")
end

return M
