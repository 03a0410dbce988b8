-- Judges a file that a command of the program reads: the command does its work, or ends with a
-- message of one line and its exit code; whatever the file holds, nothing else is printed as an
-- error.

local cli = require "pinion.cli"

local kind <const> = ... -- of COMMANDS
local PATH <const>, OUTPUT <const> = os.tmpname(), os.tmpname()

-- By kind of file: command lines; @ is the file, + a name for an output, % the format of a trace,
-- or the scenario that a log needs, = a scenario of its model.
local COMMANDS <const> = {
    log = { "explain @ % --job 1", "explain @ % --time 2", "gantt @ % --output +.svg",
        "timeline @ %", "diff @ @ %", "report @ % --output +.html", "verify = @" },
    inputs = { "verify @", "compare @ --policies fifo,fair", "explain @ --job 1" },
    result = { "report @ --output +.html" },
    trace = { "workload %:@", "workload %:@ --jobs --format json --output +.json" },
}

local FORMATS <const> = { swf = true, swim = true, rumen = true, google = true, csv = true,
    tpch = true, wfcommons = true, alibaba = true }

-- Takes the place of a stream of the program.
local function collector()
    local pieces = {}
    local stream = {}
    function stream:write(...)
        for _, piece in ipairs { ... } do pieces[#pieces + 1] = tostring(piece) end
        return self
    end
    function stream:flush() return self end
    function stream:setvbuf() return true end
    function stream:text() return table.concat(pieces) end
    return stream
end

local function check_message(line, code, message)
    local function fail(why)
        error(string.format("%s: exit code %s, %s: %s", line, tostring(code), why, message), 0)
    end
    if code == 0 then return end
    if code ~= 1 and code ~= 2 then fail "is none" end
    if message:find("internal error", 1, true) then fail "a defect" end
    if not message:find "^%C+\n" or message:find "[%c]" and message:gsub("\n", ""):find "%c" then
        fail "not a message"
    end
end

local function run(line, beside, scenario)
    local arguments, out, err = {}, collector(), collector()
    local stdout, stderr = io.stdout, io.stderr
    for word in line:gmatch "%S+" do
        word = word:gsub("[%%=@+]", { ["%"] = beside, ["="] = scenario, ["@"] = PATH,
            ["+"] = OUTPUT })
        if word ~= "" then arguments[#arguments + 1] = word end
    end
    io.stdout, io.stderr = out, err
    local code = cli.main(arguments)
    io.stdout, io.stderr = stdout, stderr
    check_message(table.concat(arguments, " "), code, err:text())
end

local MODELS <const> = { slotted = true, tandem = true, makespan = true, cluster = true,
    dag = true }

-- Returns a scenario of a log's model, and whether logs of it do not say when jobs come.
local function scenario_of(text)
    local model = text:match '"model":"(%l+)"'
    local name = "tests/cli/" .. (MODELS[model] and model or "slotted") .. ".json"
    return name, model == "slotted" or model == "tandem"
end

---@param text string
return function(text)
    local scenario, needed = scenario_of(text)
    local beside = needed and scenario or ""
    if kind == "trace" then
        beside, text = text:match "^(%l+)\n(.*)$"
        if not FORMATS[beside] then return end
    end
    local file <close> = assert(io.open(PATH, "wb"))
    assert(file:write(text))
    file:close()
    for _, line in ipairs(COMMANDS[kind]) do run(line, beside, scenario) end
    os.remove(PATH)
    for _, ending in ipairs { "", ".svg", ".html", ".json" } do os.remove(OUTPUT .. ending) end
end
