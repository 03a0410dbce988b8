-- Fifty processes, each with a random seed of its own for the hash of strings, agree on the lengths
-- of tables with holes: a policy prints them and decides by them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
program.run = program.start -- each run is a process of its own

-- Places and names come and go, so that the tables are rehashed when the hash of the names has it.
local policy = program.file("lengths.lua", [==[
local function random(state, n)
  state.seed = (state.seed * 1103515245 + 12345) % 2147483648
  return (state.seed // 65536) % n + 1
end
local names = {}
for i = 1, 64 do names[i] = "key" .. i end
local state, lengths = { seed = 12345, sum = 0 }, {}
local function note(n) state.sum = (state.sum * 31 + n) % 1000003 end
for round = 1, 800 do
  local t = {}
  for step = 1, 10 + random(state, 40) do
    local what = random(state, 6)
    if what == 1 then t[names[random(state, 64)]] = nil
    elseif what <= 3 then t[names[random(state, 64)]] = true
    elseif what == 4 then t[random(state, 12)] = nil
    else t[random(state, 12)] = "x" end
  end
  note(#t)
  note(rawlen(t))
  note(select("#", table.unpack(t)))
  table.insert(t, "y")
  for i = 1, 14 do note(t[i] == "y" and i or 0) end
  table.remove(t)
  table.sort(t, function(a, b) return tostring(a) < tostring(b) end)
  for i = 1, 14 do note(t[i] == "x" and i or 0) end
  lengths[round] = #t
end
local sum = state.sum
print(sum, table.concat(lengths, " ", 1, 40))
return { name = "x", model = "slotted", key = { changes = "arrival", of = function(s, job) return (s:arrival(job) * sum) % 7 end } }
]==])

local command = { "simulate", "--workload", "zheng:0,slots=30", "--set", "machines=100", "--policy",
    policy, "--no-jobs", "--quiet",
                  "--format", "json" }
local first
for process = 1, 50 do
    local output, messages, code = program.run(command)
    check.equal("exit code " .. messages:sub(1, 200), code, 0)
    local told = messages .. (output:match '"digest": "(%x+)"' or "no digest")
    first = first or told
    check.equal("lengths and digest of process " .. process, told, first)
end
check.equal("the lengths are printed", first:match "lengths.lua:%d+: %d+\t%d+ %d+" ~= nil, true)
check.done()
