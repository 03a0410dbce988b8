-- What the program prints, byte for byte: runs the commands of tests/cli/commands.txt and compares
-- their exit codes, output, messages and files with tests/cli/golden. Arguments: --update renews
-- the goldens; WORD chooses those with this word in their names.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local FOLDER <const> = "tests/cli/golden/"
-- Bytes of an output and of a written file that are kept whole; of longer ones, beside their hash.
local OUTPUT_MOST <const>, FILE_MOST <const>, HEAD <const> = 3000, 2500, 400
local LINES_SHOWN <const> = 40 -- of each difference

-- ---- the commands -------------------------------------------------------------------------------

-- Splits a command line at blanks. Single quotes keep blanks; @/ is the test's own folder.
local function words_of(line)
    local words, at = {}, 1
    while line:find("%S", at) do
        local from, to, quoted = line:find("^%s*'([^']*)'", at)
        if not from then from, to, quoted = line:find("^%s*(%S+)", at) end
        words[#words + 1] = quoted:gsub("@/", program.directory .. "/")
        at = to + 1
    end
    return words
end

---@class Command
---@field line string as the table has it
---@field arguments string[]
---@field input string|nil

-- A row is NAME COMMAND LINE [<<< STANDARD INPUT]; rows of one name share a golden.
local function read_commands()
    local names, groups = {}, {}
    for row in io.lines "tests/cli/commands.txt" do
        local name, line = row:match "^([%w-]+)%s+(.*)$"
        if name then
            if not groups[name] then names[#names + 1], groups[name] = name, {} end
            local words, input = line:match "^(.-)%s+<<<%s*(.*)$"
            table.insert(groups[name], { line = line, arguments = words_of(words or line),
                input = input and input:gsub("\\n", "\n") .. "\n" })
        end
    end
    return names, groups
end

-- Why a golden cannot be made on this machine; nil: it can.
local function lacking(name)
    if name == "page" and core.asset "dygraphs.js" == "" then return "no dygraphs in this build" end
    if name == "plot" and not os.execute "command -v gnuplot >/dev/null 2>&1" then
        return "no gnuplot"
    end
end

-- ---- what they print ----------------------------------------------------------------------------

local function plain(text)
    return (text:gsub("%p", "%%%0"))
end

-- Masks what differs between machines and versions: folders, the version, and the build.
local function masked(text)
    return (text:gsub(plain(program.directory), "@")
        :gsub("%f[%w./]" .. plain(core.version) .. "%f[^%w./]", "VERSION")
        :gsub('"directory":"[^"]*"', '"directory":"FOLDER"')
        :gsub('"abi":"[^"]*"', '"abi":"BUILD"'))
end

-- A page without the scripts and styles that are the same in all pages.
local function page_data(text)
    return (text:gsub("<style>.-</style>", "<style>STYLE</style>")
        :gsub("<script>.-</script>", "<script>SCRIPT</script>")
        :gsub("'sha256%-[^']*'", "HASH"):gsub('"licence": ".-[^\\]"', '"licence": "LICENCE"'))
end

-- A long text as its beginning, its size and its hash.
local function shortened(text, most)
    if #text <= most then return text end
    local path = program.file("whole", text)
    local bytes, hash = core.file_fingerprint(path)
    os.remove(path)
    return string.format("%s\n[...]\n%d bytes, hash %s\n", text:sub(1, HEAD), bytes, hash)
end

-- What a golden keeps of a file: of a checkpoint its first line, of gnuplot's figures nothing but
-- their scripts and data.
local function kept(name, text, files)
    if name:find "%.state$" then text = text:match "^[^\n]*\n":gsub(" *}\n$", "}\n") end
    if name:find "%.svg$" and files[name:gsub("%.svg$", ".gp")] then return "drawn by gnuplot\n" end
    if name:find "%.html$" then text = page_data(text) end
    return shortened(masked(text), FILE_MOST)
end

-- The files in the test's folder, by name; commands read what earlier ones wrote.
local function files_there()
    local files = {}
    for _, path in ipairs(program.lines_of("find '" .. program.directory
        .. "' -maxdepth 1 -type f ! -name run.in ! -name run.out ! -name run.err")) do
        files[path:match "[^/]*$"] = check.read_file(path)
    end
    return files
end

local function section(title, text)
    if text == "" then return "" end
    local rest = text:sub(-1) == "\n" and "" or "\n(no end of the line)\n"
    return "---- " .. title .. "\n" .. text .. rest
end

local function changed_files(before)
    local parts, files = {}, files_there()
    for name, text in next, files do
        if text ~= before[name] then
            parts[#parts + 1] = section("@/" .. name, kept(name, text, files))
        end
    end
    table.sort(parts)
    return table.concat(parts), files
end

local files = {}

---@param command Command
---@return string
local function record(command)
    local output, messages, code = program.run(command.arguments, command.input)
    local made = ""
    if command.line:find("@/", 1, true) then made, files = changed_files(files) end
    return string.format("$ pinion %s\nexit code %d\n", command.line, code)
        .. section("output", shortened(masked(output), OUTPUT_MOST))
        .. section("messages", masked(messages)) .. made
end

-- ---- comparing ----------------------------------------------------------------------------------

local function show_difference(golden, got)
    local path = program.file("got.txt", got)
    local lines = program.lines_of(string.format("diff -u --label '%s' --label printed '%s' '%s'",
        golden, golden, path))
    os.remove(path)
    print(table.concat(lines, "\n", 1, math.min(#lines, LINES_SHOWN)))
    if #lines > LINES_SHOWN then print(string.format("... %d more lines", #lines - LINES_SHOWN)) end
end

local function compare(name, got)
    local golden = FOLDER .. name .. ".txt"
    local file = io.open(golden, "rb")
    local want = file and file:read "a"
    if file then file:close() end
    if check.is_true(name .. " prints " .. golden, want == got) then return end
    if want then show_difference(golden, got) end
    print("if this is meant: build/pinion run tests/cli/goldens.lua --update")
end

local function update(name, got)
    check.write_file(FOLDER .. name .. ".txt", got)
    check.is_true(name .. " is written", true)
end

-- Goldens of commands that are gone.
local function stale(groups)
    local found = {}
    for _, path in ipairs(program.lines_of("find " .. FOLDER .. " -name '*.txt'")) do
        if not groups[path:match "([^/]*)%.txt$"] then found[#found + 1] = path end
    end
    return found
end

-- ---- all of it ----------------------------------------------------------------------------------

local is_update, chosen = false, nil
for _, word in ipairs(arg) do
    if word == "--update" then is_update = true else chosen = word end
end
local names, groups = read_commands()
if is_update then os.execute("mkdir -p " .. FOLDER) end
for _, path in ipairs(stale(groups)) do
    if is_update then os.remove(path) end
    check.is_true(path .. " has commands", is_update)
end
for _, name in ipairs(names) do
    local why, parts = lacking(name), {}
    if why then print(name .. " left out: " .. why) end
    for i, command in ipairs(why and {} or groups[name]) do parts[i] = record(command) end
    if not why and (not chosen or name:find(chosen, 1, true)) then
        (is_update and update or compare)(name, table.concat(parts, "\n"))
    end
end
check.done()
