-- Runs commands of the program under test and collects what they print. Its path comes from the
-- environment: PINION, default build/pinion.

package.cpath = (os.getenv "BUILD" or "build") .. "/tests/modules/?.so;" .. package.cpath
local check = require "check"
local cli = require "pinion.cli"
local within = require "within"

local M = { path = os.getenv "PINION" or "build/pinion", directory = check.directory() }
if M.path:sub(1, 1) ~= "/" then M.path = os.getenv "PWD" .. "/" .. M.path end

local function quote(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

---@param arguments string[]
---@return string command for the shell, without standard streams
local function words_of(arguments)
    local words = { quote(M.path) }
    for i, argument in ipairs(arguments) do words[i + 1] = quote(argument) end
    return table.concat(words, " ")
end

local function collected(base, redirect, code)
    return redirect and "" or check.read_file(base .. ".out"), check.read_file(base .. ".err"), code
end

---Starts the program as a user's shell does.
---@param arguments string[]
---@param input string|nil standard input; nil: none
---@param redirect string|nil where standard output goes instead of being collected
---@return string output, string messages, integer exit_code
function M.start(arguments, input, redirect)
    local base = M.directory .. "/run"
    check.write_file(base .. ".in", input or "")
    local _, _, code = os.execute(string.format("%s <%s.in >%s 2>%s.err", words_of(arguments), base,
        redirect or base .. ".out", base))
    return collected(base, redirect, code)
end

-- A test must not end because a command does.
local function main(arguments)
    local exit = os.exit
    os.exit = function() error("a command ends the process: start it by program.start") end
    local code = cli.main(arguments)
    os.exit = exit
    return code
end

---The same within this process, which is the program under test, without its start.
function M.run(arguments, input, redirect)
    local base = M.directory .. "/run"
    check.write_file(base .. ".in", input or "")
    return collected(base, redirect, within(main, arguments, base .. ".in",
        redirect or base .. ".out", base .. ".err"))
end

---A command that is killed when the checkpoint has been written so often, whatever the clock says.
---Resumed runs write what they begin with once more: two times are progress.
---@param arguments string[]
---@param checkpoint string
---@param times integer
---@param signal string|nil default KILL
---@return integer exit_code 137 when it was killed, string output, string messages
function M.killed(arguments, checkpoint, times, signal)
    local out = M.directory .. "/killed"
    local script = string.format([[
set -m # or what runs in the background would ignore interrupts
checkpoint=%s seen=%s left=%d
exec 9<> <(:) # nothing comes from here: reading is a short sleep
ln -f "$checkpoint" $seen 2>/dev/null || rm -f $seen
cd /; %s >%s.out 2>%s.err </dev/null & p=$!
trap 'kill -KILL $p; exit' INT TERM
while [ $left -gt 0 ] && kill -0 $p 2>/dev/null; do
    if [ -e "$checkpoint" ] && ! [ "$checkpoint" -ef $seen ]; then
        ln -f "$checkpoint" $seen && left=$((left - 1))
    fi
    read -t 0.001 -u 9
done
kill -%s $p 2>/dev/null
wait $p]], quote(checkpoint), quote(M.directory .. "/seen"), times, words_of(arguments), out,
        out, signal or "KILL")
    local _, _, code = os.execute("bash -c " .. quote(script) .. " 2>/dev/null")
    return code, check.read_file(out .. ".out"), check.read_file(out .. ".err")
end

---A run that is killed again and again and goes on from its checkpoint: killed once at least,
---however fast the machine is, as one that ended before its kill begins again.
---@param name string
---@param begin string[] its arguments
---@param resume string[] what goes on with it
---@param checkpoint string
---@return string output of the part that reached the end, integer kills
function M.survive(name, begin, resume, checkpoint)
    local kills, code, output, messages = 0, nil, nil, nil
    for _ = 1, 50 do
        os.remove(checkpoint)
        code, output, messages = M.killed(begin, checkpoint, math.random(4))
        while code == 137 and kills < 200 do
            kills = kills + 1
            code, output, messages = M.killed(check.exists(checkpoint) and resume or begin,
                checkpoint, math.random(3, 20))
        end
        if kills > 0 or code ~= 0 then break end
    end
    check.equal("exit code of " .. name .. " (" .. messages .. ")", code, 0)
    check.is_true(name .. " was killed", kills > 0)
    return output, kills
end

---Kills a command once its processes have written so many process ids into a file, a line each, and
---waits until they have ended, a minute at most.
---@param command string of the shell, without redirections
---@param pids string the file
---@param count integer
---@return string the processes that are left; empty: none
function M.killed_runner(command, pids, count)
    local alive = M.file "alive"
    os.execute(string.format([[
rm -f '%s'
%s >/dev/null 2>&1 </dev/null &
pid=$!
for i in $(seq 600); do
    [ "$(cat '%s' 2>/dev/null | wc -l)" -ge %d ] && break
    sleep 0.1
done
kill -KILL $pid
for i in $(seq 600); do
    for one in $(cat '%s'); do echo /proc/$one/status; done |
        xargs grep -ls '^State:.[^ZX]' >'%s'
    [ -s '%s' ] || break
    sleep 0.1
done]], pids, command, pids, count, pids, alive, alive))
    check.is_true("its processes were there", #M.lines_of("cat '" .. pids .. "'") >= count)
    return check.read_file(alive)
end

---One list of all the items.
---@return any[]
function M.joined(...)
    local made = {}
    for _, list in ipairs { ... } do table.move(list, 1, #list, #made + 1, made) end
    return made
end

---@param command string of the shell
---@return string[]
function M.lines_of(command)
    local pipe, lines = assert(io.popen(command)), {}
    for line in pipe:lines() do lines[#lines + 1] = line end
    pipe:close()
    return lines
end

---A command that must succeed, with results and nothing else on standard output. Of twins it says
---that they decide alike.
---@return string output
function M.succeed(name, arguments, input)
    local output, messages, code = M.run(arguments, input)
    messages = messages:gsub("[^\n]* made the same decisions[^\n]*\n", "")
    check.equal("exit code of " .. name, code, 0)
    check.equal("silence of " .. name, messages, "")
    return output
end

---A command that must fail with this exit code and message, and without a result.
function M.fails(name, arguments, code, message)
    local output, messages, got = M.run(arguments)
    check.equal("exit code of " .. name, got, code)
    check.equal("no result of " .. name, output, "")
    check.equal("message of " .. name, messages, message .. "\n")
end

---The digest in the result of a command that must succeed.
---@return string|nil
function M.digest(name, arguments)
    return M.succeed(name,
        M.joined(arguments, { "--no-jobs", "--format", "json" })):match '"digest": "(%x+)"'
end

---A file in the test's directory.
---@return string path
function M.file(name, text)
    local path = M.directory .. "/" .. name
    if text then check.write_file(path, text) end
    return path
end

return M
