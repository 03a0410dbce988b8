-- Help and completion: screens that fit, topics, short options, and what the shells offer.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local help = require "pinion.cli.help"
local models = require "pinion.models"
local options = require "pinion.cli.options"
local policies = require "pinion.policy"
local generators = require "pinion.workload.generators"

local succeed = program.succeed

-- ---- screens and topics -------------------------------------------------------------------------

local function lines_of(text)
    local lines = {}
    for line in text:gmatch "(.-)\n" do lines[#lines + 1] = line end
    return lines
end

local function fits(name, text)
    local lines = lines_of(text)
    check.is_true(name .. " fits a screen: " .. #lines .. " lines", #lines <= 30)
    for _, line in ipairs(lines) do
        check.is_true(name .. " fits 80 columns: " .. line, utf8.len(line) <= 80)
    end
end

local commands = {}
local listed = succeed("--help", { "--help" }):match "\nCommands:\n(.-)\n\n"
for name in listed:gmatch "   (%l[%l-]*)  " do commands[#commands + 1] = name end
check.is_true("commands are listed", #commands >= 14)
local screen = succeed("-h", { "-h" })

-- The long names of a command's options, each once.
local function options_of(name)
    local names = {}
    for _, command in ipairs(options.parser()._commands) do
        for _, option in ipairs(command._name == name and command._options or {}) do
            local long = help.long_name(option)
            if long ~= "-h" then names[#names + 1] = long end
        end
    end
    return names
end
fits("-h", screen)
for _, command in ipairs(commands) do
    check.contains("-h lists " .. command, screen, "\n  " .. command .. "  ")
    local brief = succeed(command .. " -h", { command, "-h" })
    fits(command .. " -h", brief)
    check.contains(command .. " -h points on", brief, "`pinion help workloads`")
    local long = succeed(command .. " --help", { command, "--help" })
    -- Every option is on the screen too, if only by its name.
    for _, option in ipairs(options_of(command)) do
        check.is_true(command .. " --help has " .. option, long:find(option, 1, true))
        if option ~= "--help" then
            check.contains(command .. " -h has " .. option, brief, option)
        end
    end
    check.contains("help " .. command .. " is its --help",
        succeed("help " .. command, { "help", command }), long)
end
check.equal("help alone is -h", succeed("help", { "help" }), screen)

-- Nothing asked for is a mistake of the command line: its exit code is 2, and a pipe gets nothing.
local output, messages, code = program.run {}
check.equal("exit code of no command", code, 2)
check.equal("no command has no result", output, "")
check.contains("no command lists them", messages, screen)

local workloads = succeed("help workloads", { "help", "workloads" })
for _, line in ipairs(lines_of(workloads)) do
    check.is_true("help workloads fits 80 columns: " .. line, utf8.len(line) <= 80)
end
for _, name in ipairs(generators.names()) do
    check.matches("help workloads lists " .. name, workloads, "\n  " .. name .. "[: ]")
    local own = succeed("help " .. name, { "help", name })
    for _, field in ipairs(generators.find(name).fields) do
        check.matches("help " .. name .. " lists " .. field.name, own, "\n" .. field.name .. "  ")
    end
end
check.contains("help workloads says how to write a SPEC", workloads, "NAME[:VALUE][,OPTION=VALUE")
local listing = succeed("help policies", { "help", "policies" })
for _, policy in ipairs(policies.list()) do
    check.contains("help policies lists " .. policy.name, listing, "\n  " .. policy.name .. "  ")
end
for _, name in ipairs(models.names()) do
    check.contains("help models lists " .. name, succeed("help models", { "help", "models" }),
        "\n" .. name .. "  ")
end
check.contains("help specs", succeed("help specs", { "help", "specs" }), "SPEC is one of")
for _, format in ipairs { "table", "markdown", "latex", "json", "csv" } do
    check.contains("help formats lists " .. format, succeed("help formats", { "help", "formats" }),
        "\n  " .. format .. "  ")
end

-- ---- short options ------------------------------------------------------------------------------

check.equal("-V", succeed("-V", { "-V" }), succeed("--version", { "--version" }))
local long, short = program.file "long.csv", program.file "short.csv"
local run = { "compare", "--workload", "zheng:0,slots=60", "--policies", "fifo,asrpt", "--replicas",
    "3" }
succeed("long options", program.joined(run, { "--output", long, "--quiet", "--processes", "2" }))
succeed("short options", program.joined(run, { "-o", short, "-q", "-j2" }))
check.equal("short options mean the long ones", check.read_file(short), check.read_file(long))

-- A run that was begun with a short option resumes as one with the long.
local begun = { "simulate", "--workload", "zheng:0,slots=200", "--policy", "fifo", "--every", "50",
    "--checkpoint", program.file "run.state", "--until", "100", "-q", "-o" }
succeed("begin", program.joined(begun, { program.file "part.json" }))
succeed("resume", { "resume", program.file "run.state", "-o", program.file "part.json", "-q",
    "--until", "400" })
check.equal("resumed with -o", check.read_file(program.file "part.json"):match '"digest": "(%x+)"',
    program.digest("whole",
        { "simulate", "--workload", "zheng:0,slots=200", "--policy", "fifo" }))

-- ---- completion ---------------------------------------------------------------------------------

local scripts = {}
for _, shell in ipairs { "bash", "zsh", "fish" } do
    local text = succeed("completion " .. shell, { "completion", shell })
    scripts[shell] = program.file("completion." .. shell, text)
    check.equal("completion " .. shell .. " is the same each time",
        succeed("completion " .. shell, { "completion", shell }), text)
end

local function has(shell)
    return (os.execute("command -v " .. shell .. " >/dev/null 2>&1"))
end

-- What bash offers for the last of these words, and how many words that is.
local function offered(...)
    local words = { ... }
    for i, word in ipairs(words) do words[i] = "'" .. word .. "'" end
    local script = string.format([[
. '%s'
COMP_WORDS=(pinion %s) COMP_CWORD=%d
_pinion 2>/dev/null
printf '%%s\n' "${COMPREPLY[@]}"]], scripts.bash, table.concat(words, " "), #words)
    local lines = program.lines_of("bash -c " .. "'" .. script:gsub("'", "'\\''") .. "'")
    return " " .. table.concat(lines, " ") .. " ", #lines
end

program.file("with blanks.lua", "")
check.equal("a name with blanks is one word",
    select(2, offered("simulate", "--policy", program.directory .. "/with")), 1)

program.file("mine.lua", "")
for _, case in ipairs {
    { { "comp" }, " compare completion " },
    { { "compare", "--form" }, " --format " },
    { { "compare", "--format", "" }, " table markdown latex json csv " },
    { { "compare", "--format", "j" }, " json " },
    { { "compare", "--format", "=", "l" }, " latex " },
    { { "compare", "--format", "=" }, " table markdown latex json csv " },
    { { "simulate", "--policy", "hsrtf-pr" }, " hsrtf-pr hsrtf-prp " },
    { { "simulate", "--policy", program.directory .. "/mi" },
        " " .. program.directory .. "/mine.lua " },
    { { "compare", "--policies", "fifo,asr" }, " fifo,asrpt fifo,asrpt_cu " },
    { { "compare", "--policies", "fifo,fair,klps_" }, " fifo,fair,klps_rigid " },
    { { "compare", "--workload", "zh" }, " zheng " },
    { { "compare", "--workload", "swi" }, " swim: " },
    { { "compare", "--workload", "sw" }, " swf: swim: " },
    { { "compare", "--workload", "swim", ":", program.directory .. "/completion.z" },
        " " .. program.directory .. "/completion.zsh " },
    { { "sweep", "--model", "ta" }, " tandem " },
    { { "sweep", "--bounds", "t" }, " tight " },
    { { "compare", "--kind", "conv" }, " convergence " },
    { { "workload", "theo" }, " theorem2 " },
    { { "policies", "neh" }, " neh " },
    { { "help", "work" }, " workload workloads " },
    { { "completion", "f" }, " fish " },
    { { "compare", "--replicas", "" }, "  " },
} do
    check.equal("bash offers for " .. table.concat(case[1], " "), offered(table.unpack(case[1])),
        case[2])
end
-- Every option of every command.
for _, command in ipairs(commands) do
    local all = offered(command, "-")
    for _, option in ipairs(options_of(command)) do
        check.contains("bash offers " .. option .. " of " .. command, all, " " .. option .. " ")
    end
end

for _, shell in ipairs { "bash", "zsh", "fish" } do
    if has(shell) then
        check.is_true(shell .. " reads its completion",
            os.execute(shell .. " -n " .. scripts[shell] .. " 2>/dev/null"))
    else
        print("left out: no " .. shell .. " here, its completion is not read by it")
    end
end
if has "fish" then
    local function fish(line)
        return " " .. table.concat(program.lines_of(string.format(
            "HOME=%s fish -N -c 'source %s; complete -C \"%s\"' 2>/dev/null | cut -f 1",
            program.directory, scripts.fish, line)), " ") .. " "
    end
    check.equal("fish offers commands", fish "pinion comp", " compare completion ")
    check.equal("fish offers formats", fish "pinion compare --format j", " json ")
    check.contains("fish offers more policies", fish "pinion compare --policies fifo,asr",
        " fifo,asrpt ")
end

check.done()
