-- Writes the manual page from what the program itself says with -h: `pinion run
-- scripts/reference/man.lua >pinion.1`. Only what no help text says, such as which files there are,
-- is written here.

local core = require "pinion.core"
local options = require "pinion.cli.options"

local FILES = {
    { "SCENARIO.json",
        "A scenario: one JSON object with the fields model, machines, reduce, policy, params, "
        .. "seed and jobs. "
        .. "`pinion workload SPEC --jobs --format json` writes one." },
    { "FILE.lua",
        "A policy written in Lua. `pinion new-policy` writes a commented one to start from." },
    { "FILE.db", "A result as an SQLite data base, of `--output`." },
    { "FILE.csv", "Jobs, or a result: `--output` takes the format from the name." },
    { "share/pinion/policies/",
        "The policies that come with the program, as they are written in Lua; "
        .. "`pinion policies NAME --source` prints them too." },
    { "share/pinion/papers/",
        "The experiment scripts that `pinion paper` starts; the environment variable "
        .. "PINION_PAPERS names "
        .. "another folder that has them." },
    { "share/pinion/meta/",
        "Annotations of the Lua library for editors that know LuaCATS." },
    { "share/doc/pinion/api.md", "The reference of the Lua library." },
}

-- ---- roff ---------------------------------------------------------------------------------------

local lines = {}

local function put(line) lines[#lines + 1] = line end

-- Text as roff has it, in ASCII. A line must not begin with a control character, and hyphens stay
-- what they are when copied.
local function escape(text)
    text = text:gsub("\\", "\\e"):gsub("-", "\\-"):gsub("%^", "\\(ha"):gsub("~", "\\(ti"):gsub("`",
        "\\(ga"):gsub("'", "\\(aq")
    return (text:gsub("[\xC2-\xF4][\x80-\xBF]*",
        function(char) return string.format("\\[u%04X]", utf8.codepoint(char)) end)
        :gsub("^%.", "\\&."))
end

-- Running text: what stands in backquotes is bold.
local function prose(text)
    local made = {}
    for plain, code in (text .. "``"):gmatch("([^`]*)`([^`]*)`") do
        made[#made + 1] = escape(plain)
        if code ~= "" then made[#made + 1] = "\\fB" .. escape(code) .. "\\fR" end
    end
    put((table.concat(made)))
end

local function section(title) put(".SH " .. title) end

-- A new paragraph; a section begins with one by itself.
local function break_paragraph()
    if not lines[#lines]:find "^%.S[HS]" then put(".PP") end
end

local function verbatim(text)
    break_paragraph()
    put(".RS 4")
    put(".EX")
    for line in (text:gsub("\n+$", "") .. "\n"):gmatch("(.-)\n") do put(escape(line)) end
    put(".EE")
    put(".RE")
end

-- Lines of help as they are where they are indented, else as paragraphs.
local function paragraphs(text)
    for paragraph in (text:gsub("^\n+", ""):gsub("\n+$", "") .. "\n\n"):gmatch("(.-)\n\n+") do
        if paragraph ~= "" then
            break_paragraph()
            prose((paragraph:gsub("\n", " ")))
        end
    end
end

local function item(tag, text)
    put(".TP")
    put(tag)
    prose(text)
end

-- ---- what the parser knows ----------------------------------------------------------------------

-- The notes of an epilog, and its examples.
local function split_epilog(epilog)
    local at = epilog:find("Example[^\n]*:\n")
    if not at then return epilog, nil end
    return epilog:sub(1, at - 1), epilog:sub(at):match("^[^\n]*\n(.*)$")
end

-- A command whose workload is explained in a section of its own.
local function takes_spec(command)
    return command._usage:find("SPEC", 1, true) ~= nil
end

-- "-h --help", "--set FIELD=VALUE", as argparse keeps them.
local function option_tag(option)
    local names = {}
    for i, alias in ipairs(option._aliases) do names[i] = "\\fB" .. escape(alias) .. "\\fR" end
    local tag = table.concat(names, ", ")
    if option._argname then tag = tag .. " \\fI" .. escape(option._argname) .. "\\fR" end
    return tag
end

local function argument_tag(argument)
    local name = argument._argname or argument._name
    return "\\fI" .. escape(type(name) == "table" and table.concat(name, " ") or name) .. "\\fR"
end

local function usage_lines(command)
    local found = {}
    for line in (command._usage:gsub("^Usage:", "") .. "\n"):gmatch("%s*(.-)\n") do
        found[#found + 1] = line
    end
    return found
end

-- ---- the page -----------------------------------------------------------------------------------

local parser = options.parser()
local overview = parser._description:match("^(.-)\n\nTry:") or error("the overview has no 'Try:'")

put('.\\" Made by scripts/reference/man.lua from the program\'s help texts.')
put(string.format('.TH PINION 1 "" "pinion %s" "User Commands"', core.version))
section "NAME"
put("pinion \\- " .. escape((overview:match("^(.-)[:.]"):gsub("^%u", string.lower))))

section "SYNOPSIS"
put(".nf")
for _, command in ipairs(parser._commands) do
    for _, line in ipairs(usage_lines(command)) do
        put((escape(line):gsub("^(pinion %S+)", "\\fB%1\\fR")))
    end
end
put(".fi")

section "DESCRIPTION"
paragraphs(overview)
break_paragraph()
prose("Results go to standard output, everything else to standard error. "
    .. "The same input gives the same output, in every process and on every machine.")
break_paragraph()
prose((parser._epilog:match("^(.-) Exit codes:")))

section "OPTIONS"
for _, option in ipairs(parser._options) do item(option_tag(option), option._description) end

section "COMMANDS"
for _, command in ipairs(parser._commands) do
    local notes = split_epilog(command._epilog)
    put(".SS " .. escape(command._name))
    prose(command._description)
    paragraphs(notes)
    if takes_spec(command) then
        break_paragraph()
        prose "SPEC is explained under WORKLOADS."
    end
    for _, argument in ipairs(command._arguments) do
        item(argument_tag(argument), argument._description)
    end
    for _, option in ipairs(command._options) do
        local first = option._aliases[1]
        if first ~= "-h" and first ~= "--help" then
            item(option_tag(option), option._description)
        end
    end
end

section "WORKLOADS"
verbatim(options.workloads)

section "FILES"
for _, file in ipairs(FILES) do item("\\fI" .. escape(file[1]) .. "\\fR", file[2]) end

section "EXIT STATUS"
local codes = parser._epilog:match "Exit codes: (.*)$"
for code, meaning in codes:gmatch "(%d+) ([^,.]+)" do
    item("\\fB" .. code .. "\\fR", meaning .. ".")
end

section "EXAMPLES"
for _, command in ipairs(parser._commands) do
    local _, example = split_epilog(command._epilog)
    break_paragraph()
    prose(command._description)
    verbatim(example or error(command._name .. " has no example"))
end

section "SEE ALSO"
put(".BR lua5.4 (1),")
put(".BR gnuplot (1)")

io.stdout:write(table.concat(lines, "\n"), "\n")
