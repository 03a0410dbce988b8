-- A checkpoint with a right checksum and wrong contents: whatever is changed in it, either it is
-- refused with one line or the run is resumed. Nothing is read or written where it should not be
-- (run with sanitizers, that shows), and nothing runs for ever.
--
--   PINION_DAMAGES=N       so many changed files (default 500)
--   PINION_TEST_SEED=S     repeats those of the fresh seed

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"
local signed = require "signed"

local DAMAGES = tonumber(os.getenv "PINION_DAMAGES" or 500)
local fresh = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
print("seed " .. fresh .. " (PINION_TEST_SEED=" .. fresh .. " repeats it)")

-- ---- files --------------------------------------------------------------------------------------

local path = program.directory .. "/damaged.checkpoint"

-- ---- runs that stand still ----------------------------------------------------------------------

local COUNTING = [[
return {
  name = "counting", model = "%s", state = { "seen" }, per_job = { "turn" },
  arrive = function(s, job) s.state.seen = s.state.seen + 1; s.per_job.turn[job] = s.state.seen %% 7 end,
  %s
}]]
local SLOTTED = COUNTING:format("slotted",
    "key = { changes = 'served', of = function(s, job) return s.per_job.turn[job] + "
        .. "s:remaining(job) end },")
local SHARES = COUNTING:format("slotted",
    "share = { changes = 'served', of = function(s, job) return s.per_job.turn[job] + 1 end },")
local TANDEM = COUNTING:format("tandem", [[map = { changes = "arrival", key = function(s, job) return s.per_job.turn[job] end },
  shuffle = { changes = "served", key = function(s, job) return s:shuffle_left(job) end },]])
local CLUSTER = COUNTING:format("cluster",
    "key = { changes = 'served', of = function(s, job, kind) return s.per_job.turn[job], "
        .. "s:running(job, kind) end },")

-- Few jobs, so that the files are small.
local JOBS = { slotted = {}, tandem = {}, cluster = {} }
for i = 1, 40 do
    JOBS.slotted[i] = { arrival = 2 * i, maps = i * 7 % 31,
        reduces = { i % 5 + 1, i % 5 + 1, i % 3 + 1 } }
    JOBS.tandem[i] = { arrival = i, map = i * 7 % 5 / 2, shuffle = i * 3 % 4 / 2 }
    JOBS.cluster[i] = { submit = 300 * i, maps = i % 9 + 1, reduces = i % 4, map_ms = 700,
        remote_ms = 50, reduce_ms = 900, deadline = 20000 }
end

local function slotted(over)
    local made = { machines = 8, workload = JOBS.slotted, checkpoint = path, every = 1000000,
        until_slot = 40, quiet = true }
    return setmetatable(over, { __index = made })
end
local function tandem(over)
    local made = { model = "tandem", workload = JOBS.tandem, checkpoint = path, every = 1e9,
        until_time = 20.0, quiet = true }
    return setmetatable(over, { __index = made })
end
local function cluster(over)
    local made = { model = "cluster", nodes = "3x2x1", workload = JOBS.cluster, checkpoint = path,
        every = 1000000000,
        until_time = 7000, quiet = true }
    return setmetatable(over, { __index = made })
end

local RUNS = {
    slotted { policy = "asrpt", reduce = "nonpreemptive" },
    slotted { policy = "psrpt", reduce = "nonpreemptive", keep_jobs = false },
    slotted { policy = "dsrpt", reduce = "preemptive", timeline = 20 },
    slotted { policy = "asrpt_cu", error = "lognormal(1,0.5)" },
    slotted { policy = pinion.policy(SLOTTED) },
    slotted { policy = pinion.policy(SHARES) },
    tandem { policy = "splitsrpt", bounds = "tight" },
    tandem { policy = "fcfs" },
    tandem { policy = "ps", timeline = 20 },
    tandem { policy = "maxsrpt", error = "lognormal(1,0.5)", slowdown_by_size = "4x1" },
    tandem { policy = pinion.policy(TANDEM) },
    cluster { policy = "fair", timeline = 20 },
    cluster { policy = "hsrtf-prp", failures = "5000:1:12000", params = { heartbeat_ms = 1000 } },
    cluster { policy = "rtmr" },
    cluster { policy = pinion.policy(CLUSTER) },
}

local function flat(settings)
    local made = {}
    for name, value in next, getmetatable(settings).__index do made[name] = value end
    for name, value in next, settings do made[name] = value end
    return made
end

local function begun(settings)
    os.remove(path)
    pinion.run(flat(settings))
    local bytes = check.read_file(path)
    check.is_true("signing is what the program does", signed(bytes) == bytes)
    return bytes
end

-- The same a while later.
local function gone_on(settings)
    local made = flat(settings)
    made.resume = true
    for _, name in ipairs { "until_slot", "until_time" } do
        made[name] = made[name] and made[name] * 3
    end
    return made
end

-- ---- damage -------------------------------------------------------------------------------------

local WORDS = { 0, 1, 2, 7, 255, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32, 1 << 53,
    1 << 62, math.mininteger, -1, -2,
    0x7FF0000000000000, 0x7FF8000000000000, 0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF }

local function word_for(old)
    local kind = math.random(8)
    if kind <= 4 then return WORDS[math.random(#WORDS)] end
    if kind == 5 then return math.random(0) end
    if kind == 6 then return old ~ (1 << math.random(0, 63)) end
    return kind == 7 and math.random(0, 70) or old + math.random(-4, 4)
end

-- Somewhere behind the first line, mostly where there is something: in the sizes, the state, the
-- block's head or anywhere.
local function damaged(bytes)
    local line = #bytes:match "^[^\n]*\n"
    for _ = 1, math.random(3) == 1 and 3 or 1 do
        local width = ({ 1, 2, 4, 8 })[math.random(4)]
        local at, format = nil, "<I" .. width
        for _ = 1, 5 do
            local most = ({ 24, 700, 3000, #bytes - line - 8 })[math.random(4)]
            at = line + math.random(0, math.min(most, #bytes - line - 8) // width - 1) * width
            if string.unpack(format, bytes, at + 1) ~= 0 then break end
        end
        local word = word_for((string.unpack(format, bytes, at + 1)))
        bytes = bytes:sub(1, at) .. string.pack("<I8", word):sub(1, width)
            .. bytes:sub(at + width + 1)
    end
    return signed(bytes)
end

local accepted, refused = 0, 0

local function try(name, settings, bytes)
    check.write_file(path, bytes)
    local good, why = pcall(pinion.run, settings)
    if good then
        accepted = accepted + 1
        return
    end
    why = tostring(type(why) == "table" and why.message or why)
    refused = refused + 1
    if why:find "\n" or why:find "attempt to" or why:find "internal" then
        check.equal("a refusal of " .. name, why, "one line that says why")
    end
end

local RESUMED, BEGUN = {}, {}
for i, settings in ipairs(RUNS) do
    BEGUN[i], RESUMED[i] = begun(settings), gone_on(settings)
    check.write_file(path, BEGUN[i])
    pinion.run(RESUMED[i]) -- the file as it is can be resumed
end

for _, seed in ipairs { 20131, fresh } do
    math.randomseed(seed)
    for i = 1, DAMAGES // 2 do
        local which = math.random(#RUNS)
        try(string.format("run %d, damage %d of seed %d", which, i, seed), RESUMED[which],
            damaged(BEGUN[which]))
    end
end
-- Every word of the sizes, of the run's state and of the block's head, one by one.
local FIRST_WORDS <const> = 110
for _, which in ipairs { 1, 5, 7, 12 } do
    local whole = BEGUN[which]
    local line = #whole:match "^[^\n]*\n"
    for word = 0, FIRST_WORDS - 1 do
        local at = line + 8 * word
        try(string.format("run %d, word %d", which, word), RESUMED[which],
            signed(whole:sub(1, at) .. ("\xff"):rep(8) .. whole:sub(at + 9)))
    end
end
print(string.format("%d changed files: %d refused, %d resumed", accepted + refused, refused,
    accepted))
check.is_true("some are refused, and some are not", accepted > 0 and refused > 0)

-- ---- the first line -----------------------------------------------------------------------------

-- Of the program, as somebody sent it: every field gone, or of another kind.
local file, scenario = program.directory .. "/s.checkpoint", program.directory .. "/s.json"
check.write_file(scenario,
    '{"model":"slotted","machines":2,"jobs":[{"arrival":1,"maps":3,"reduces":[2,1]},'
    .. '{"arrival":3,"maps":1}]}')
check.write_file(program.directory .. "/p.lua", SLOTTED)
program.succeed("begun", { "simulate", scenario, "--policy", program.directory .. "/p.lua",
    "--checkpoint", file, "--every", "1", "--until", "2" })
local bytes = check.read_file(file)
local line, rest = bytes:match "^([^\n]*)\n(.*)$"
local function relined(text)
    local other = text:gsub(" *}$", "}")
    return signed(other:sub(1, -2) .. (" "):rep(-(#other + 1) % 8) .. "}\n" .. rest)
end
local header = core.json_decode(line, file)
for name in next, header do
    if name ~= "pinion_checkpoint" then
        for _, value in ipairs { "null", "-1", "1e300", '"x"', "[]", "{}", "[1]", '{"a":[1]}',
                "true" } do
            local changed, count = line:gsub('("' .. name .. '":)%b""', "%1" .. value, 1)
            if count == 0 then
                changed, count = line:gsub('("' .. name .. '":)%b[]', "%1" .. value, 1)
            end
            if count == 0 then
                changed, count = line:gsub('("' .. name .. '":)%b{}', "%1" .. value, 1)
            end
            if count == 0 then
                changed, count = line:gsub('("' .. name .. '":)[%w.]+', "%1" .. value, 1)
            end
            check.equal(name .. " is found in the first line", count, 1)
            if core.json_decode(changed, file) then
                check.write_file(file, relined(changed))
                local output, messages,
                    code = program.run { "resume", file, "--until", "9", "--format", "json" }
                local what = name .. " = " .. value .. " in the first line"
                if code == 0 then
                    check.contains(what .. ": the result", output, '"digest"')
                else
                    check.equal(what .. ": exit code", code, 2)
                    check.matches(what .. ": one line", messages, "^[^\n]+\n$")
                    check.is_true(what .. ": no accident: " .. messages,
                        not messages:find "attempt to" and not messages:find "internal")
                end
            end
        end
    end
end

check.done()
