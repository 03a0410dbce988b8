-- A store while everything around it fails: processes are killed from outside at random, alone,
-- in shards and beside each other, and between that its files are damaged. Whatever happened, the
-- command prints what it prints without a store, and runs nothing again but what was lost or what
-- several processes had in hand at once. The seed is printed; PINION_TEST_SEED repeats the choices,
-- if not the moments.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local store_of = require "pinion.base.store"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
math.randomseed(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the choices)")
local random = math.random

local STORES <const>, STEPS <const> = check.IS_SHORT and 2 or 4, 12
local KILLS <const> = check.IS_SHORT and 20 or 100
local LEAST_LEFT <const> = 0.8 -- when so much is stored, hardly anything runs that could be killed
local BASE <const> = check.directory() .. "/faults"

-- The experiments, and how many units each has: its policies and their bounds on each replica.
local EXPERIMENTS = {
    { args = { "sweep", "--workload", "zheng:0,slots=1200", "--over", "machines=20,40,60,80",
        "--policies", "fifo,srpt", "--replicas", "25", "--quiet" }, units = 300 },
    { args = { "sweep", "--workload", "lin,jobs=600", "--over", "speed=1,2,3", "--bounds", "tight",
        "--policies", "fcfs,maxsrpt", "--replicas", "20", "--quiet" }, units = 180 },
}
for i, one in ipairs(EXPERIMENTS) do
    one.plain = program.succeed("experiment " .. i, one.args)
end

-- ---- processes ----------------------------------------------------------------------------------

-- A shell that starts commands in groups of their own and kills as it is told, one line for each
-- thing that it does. A nap is a read of a pipe that nobody writes to.
local OUTSIDER <const> = [==[
set -m # each command has a group of its own, and does not ignore interrupts
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # what looks for leaks is a child, too
exec 9<> <(:)
nap() { read -t "$1" -u 9; }
kids() { read -r -a kid <"/proc/$1/task/$1/children" 2>/dev/null || [ ${#kid[@]} -gt 0 ]; }
is_gone() { ! read -r _ _ state _ 2>/dev/null <"/proc/$1/stat" || [ "$state" = Z ]; }
start() { # output, command
    "${@:2}" >"$1.out" 2>"$1.err" </dev/null &
    pid+=($!)
}
strike() { # how, command, which worker, seconds of waiting
    local p=${pid[$2]} left=2000
    kid=()
    until kids "$p" || is_gone "$p" || [ $((left -= 1)) = 0 ]; do nap 0.001; done
    nap "$4"
    kid=()
    kids "$p"
    if is_gone "$p" || [ ${#kid[@]} = 0 ]; then echo "missed $1"; return; fi
    case $1 in
    worker) kill -KILL "${kid[$(($3 % ${#kid[@]}))]}" ;;
    parent) kill -KILL "$p" ;;
    group) kill -KILL -- "-$p" ;;
    interrupt) kill -INT -- "-$p" ;;
    esac 2>/dev/null && echo "hit $1" || echo "missed $1"
    [ $1 = worker ] && return
    for k in "${kid[@]}"; do
        left=2000
        until is_gone "$k" || [ $((left -= 1)) = 0 ]; do nap 0.001; done
        is_gone "$k" || echo "orphan $k"
    done
}
]==]

local function quoted(words)
    local made = {}
    for i, word in ipairs(words) do made[i] = "'" .. word .. "'" end
    return table.concat(made, " ")
end

local said = {} -- lines of the outsider by their first words, counted

-- Runs commands side by side, and strikes while they run: what each printed, said and exited with.
local function run_and_strike(commands, strikes)
    local lines = { OUTSIDER }
    for i, command in ipairs(commands) do
        lines[#lines + 1] = string.format("start '%s.%d' %s", BASE, i,
            quoted(program.joined({ program.path }, command)))
    end
    for _, strike in ipairs(strikes) do
        lines[#lines + 1] = string.format("strike %s %d %d %.3f", strike.how, strike.at - 1,
            random(0, 7), strike.after)
    end
    for i = 1, #commands do
        lines[#lines + 1] = string.format("wait ${pid[%d]}; echo exit $?", i - 1)
    end
    check.write_file(BASE .. ".sh", table.concat(lines, "\n") .. "\n")
    local ended = {}
    for _, line in ipairs(program.lines_of("bash '" .. BASE .. ".sh' 2>/dev/null")) do
        local code = line:match "^exit (%d+)$"
        if code then
            local path = BASE .. "." .. #ended + 1
            ended[#ended + 1] = { code = tonumber(code), printed = check.read_file(path .. ".out"),
                said = check.read_file(path .. ".err") }
        else
            said[line] = (said[line] or 0) + 1
            check.is_true("workers die with their parent: " .. line, not line:find "^orphan")
        end
    end
    check.equal("all have ended", #ended, #commands)
    return ended
end

-- ---- what is in a store -------------------------------------------------------------------------

local totals = { run = 0, again = 0, failed = 0, lost = 0, torn = 0, flipped = 0, doubled = 0,
    garbage = 0, stored = 0, overlaps = 0, beside = 0 }

local function counts_of(folder)
    return assert(core.store_open(folder)):counts()
end

-- Units that were run between two counts, and of these those that were finished before.
local function run_between(before, after)
    local again = after.duplicates - before.duplicates
    return after.units - before.units + again, again
end

local function files_of(folder)
    local files = {}
    for i, file in ipairs(assert(core.store_open(folder)):files()) do
        files[i] = folder .. "/" .. file.name
    end
    return files
end

-- ---- damage -------------------------------------------------------------------------------------

local function any(list) return list[random(#list)] end

local function bytes(count)
    local made = {}
    for i = 1, count do made[i] = string.char(random(0, 255)) end
    return table.concat(made)
end

local named = 0
local function new_name(folder)
    named = named + 1
    return string.format("%s/%s-%d%s", folder, any { "a", "m", "z" }, named, store_of.ENDING)
end

local function append(path, text)
    local file <close> = assert(io.open(path, "ab"))
    file:write(text)
end

local DAMAGE = {
    torn = function(_, path, text) check.write_file(path, text:sub(1, -1 - random(9))) end,
    flipped = function(_, path, text)
        local at = random(#text)
        local byte = string.char(text:byte(at) ~ 1 << random(0, 7))
        check.write_file(path, text:sub(1, at - 1) .. byte .. text:sub(at + 1))
    end,
    doubled = function(folder, _, text)
        if random(2) == 1 then return check.write_file(new_name(folder), text) end
        local lines = {}
        for line in text:gmatch "[^\n]*\n" do
            if random(3) == 1 then lines[#lines + 1] = line end
        end
        check.write_file(new_name(folder), table.concat(lines))
    end,
    garbage = function(folder, path)
        local kind = random(3)
        if kind == 1 then return check.write_file(new_name(folder), bytes(random(5000))) end
        if kind == 2 then return check.write_file(new_name(folder), "") end
        append(path, bytes(random(200)) .. any { "\n", "" })
    end,
}
local KINDS = { "torn", "flipped", "doubled", "garbage" }

local function damage(folder)
    local files, before = files_of(folder), counts_of(folder).units
    if #files == 0 then return end
    local path, kind = any(files), any(KINDS)
    local text = check.read_file(path)
    if #text < 10 then return end
    DAMAGE[kind](folder, path, text)
    totals[kind] = totals[kind] + 1
    totals.lost = totals.lost + before - counts_of(folder).units
end

-- ---- steps --------------------------------------------------------------------------------------

local function gatherer(one, folder, ...)
    return program.joined(one.args, { "--store", folder, "--processes", "2", ... })
end

-- One to three commands on the store: gatherers, and shards beside them, each with a part of its
-- own: two of one part go the same way and do everything twice.
local function some_commands(one, folder)
    local count = any { 1, 1, 2, 3 }
    local commands, parts = {}, random(math.max(2, count), 4)
    local first = random(parts)
    for i = 1, count do
        commands[i] = random(2) == 1 and gatherer(one, folder)
            or gatherer(one, folder, "--shard", (first + i) % parts + 1 .. "/" .. parts)
    end
    return commands
end

-- Workers of all of them first: then there is somebody left to strike.
local function some_strikes(commands)
    local strikes = {}
    local rounds = { { "worker" }, { "worker" }, { "worker", "parent", "group", "interrupt" } }
    for _, hows in ipairs(rounds) do
        for at in ipairs(commands) do
            strikes[#strikes + 1] = { how = any(hows), at = at, after = random(0, 20) / 1000 }
        end
    end
    return strikes
end

-- What a command that was not killed itself has to say.
local function check_end(one, command, ended)
    if ended.code == 137 then
        check.equal("what was killed has printed nothing", ended.printed, "")
    elseif ended.code == 130 then
        check.equal("nor has what was interrupted", ended.printed, "")
        check.matches("which says so", ended.said, "pinion: interrupted[^\n]*\n$")
    elseif ended.code == 0 then
        local is_part = command[#command]:find "/"
        check.equal("a command that ended well", ended.printed, is_part and "" or one.plain)
    else -- some unit took two processes with it
        check.equal("exit code", ended.code, 1)
        check.equal("no result", ended.printed, "")
        local last = ended.said:match "([^\n]*)\n$"
        check.matches("why", last, "^pinion: [^\n]*was lost: killed by signal 9")
        check.contains("what to do", last, "--retry repeats ")
    end
end

local function step(one, folder)
    local commands = some_commands(one, folder)
    local before = counts_of(folder)
    local ended = run_and_strike(commands, some_strikes(commands))
    for i, command in ipairs(commands) do check_end(one, command, ended[i]) end
    local after = counts_of(folder)
    local run, again = run_between(before, after)
    totals.run, totals.again = totals.run + run, totals.again + again
    if #commands == 1 then
        check.equal("one command runs nothing that is finished", again, 0)
    else
        totals.overlaps, totals.beside = totals.overlaps + 1, totals.beside + run
    end
end

-- The command that gathers, alone and to its end.
local function gather(one, folder)
    local before = counts_of(folder)
    check.equal("gathered", program.succeed("gathering", gatherer(one, folder, "--retry")),
        one.plain)
    local after = counts_of(folder)
    local run, again = run_between(before, after)
    check.equal("gathering runs nothing that is finished", again, 0)
    totals.run = totals.run + run
    check.equal("gathered once more", program.succeed("gathering again", gatherer(one, folder)),
        one.plain)
    check.equal("from what is stored", counts_of(folder).lines, after.lines)
end

-- ---- series -------------------------------------------------------------------------------------

local function count(what)
    local all = 0
    for line, times in next, said do all = all + (line:find("^" .. what) and times or 0) end
    return all
end

local function series(number)
    local folder = BASE .. number
    assert(core.make_folder(folder))
    local first, second = EXPERIMENTS[number % 2 + 1], EXPERIMENTS[(number + 1) % 2 + 1]
    local all = first.units + second.units
    for i = 1, STEPS do
        step(i % 3 == 0 and second or first, folder)
        damage(folder)
        if counts_of(folder).units > LEAST_LEFT * all then break end
    end
    gather(first, folder)
    gather(second, folder)
    local counts = counts_of(folder)
    check.equal("nobody disagrees", counts.disagreements, 0)
    check.equal("what had failed was run again", counts.failed, 0)
    check.equal("all units are there", counts.units, all)
    totals.stored = totals.stored + counts.units
end

local made = 0
while made < STORES or count "hit" - count "hit interrupt" < KILLS do
    made = made + 1
    series(made)
end

-- Every line that was written is a unit that is there, one that was lost, or one that was finished
-- already.
check.equal("no line is unaccounted for", totals.run, totals.stored + totals.lost + totals.again)

print(string.format("%d stores; killed: %d workers, %d parents, %d groups, and %d interrupted (%d "
    .. "times nothing ran); damage: %d torn, %d flipped, %d doubled, %d garbage; %d units run, %d "
    .. "lost and run again; side by side %d times: %d units run, %d of them twice", made,
    count "hit worker", count "hit parent", count "hit group", count "hit interrupt",
    count "missed", totals.torn, totals.flipped, totals.doubled, totals.garbage, totals.run,
    totals.lost, totals.overlaps, totals.beside, totals.again))

check.done()
