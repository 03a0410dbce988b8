-- Policies in C: what is refused, with which words; scripts/check/export.sh compiles and runs what
-- is not.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local fails, succeed, file = program.fails, program.succeed, program.file
local WHERE = " (docs/policies.md says what can be exported)"

-- ---- what is written ----------------------------------------------------------------------------

local TEXT = [[
return { name = "mine-1", model = "slotted",
  key = { changes = "served", of = function(s, job) return s:remaining(job), -s:arrival(job) end } }
]]
local mine = file("mine.lua", TEXT)
local made = succeed("export", { "export", mine })
check.contains("the key", made, [[
static void key_key(const pn_slotted_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double((double)(int64_t)pn_slotted_remaining(view, job));
    key->word[1] = pn_key_double((double)-(int64_t)pn_slotted_arrival(view, job));
}
]])
check.contains("the table", made, "const pn_slotted_policy mine_1_policy = {\n"
    .. "    .struct_size = sizeof(pn_slotted_policy),\n    .name = \"mine-1\",\n")
check.contains("where it comes from", made, "Exported by pinion from " .. mine)
local written = file "mine.c"
succeed("--output", { "export", mine, "--output", written })
check.equal("it writes the same", check.read_file(written), made)
check.equal("the file stays", check.read_file(mine), TEXT)

-- ---- what is refused ----------------------------------------------------------------------------

fails("its own file", { "export", mine, "--output", mine }, 2,
    "pinion: --output: " .. mine .. " is read (expected another file)")
fails("no file", { "export", "nosuch.lua" }, 2,
    "pinion: nosuch.lua: No such file or directory (expected a policy's file)")
fails("a name", { "export", "fifo" }, 2, "pinion: export: 'fifo' is built in, in C (expected a "
    .. "policy's file, such as policies/slotted/fifo.lua)")
fails("makespan", { "export", "policies/makespan/fifo.lua" }, 2, "policies/makespan/fifo.lua: "
    .. "policies of the makespan model are not exported (expected another model)")

-- Each is the body of a key of the slotted model, on line 3.
local BODIES = {
    { "local t = {} return 1", "a table is not exported" },
    { "return s:attribute(job, 'x', 1)", "s:attribute is not exported" },
    { "return #'text'", "# is not exported" },
    { "return 1 << s:remaining(job)", "a shift must be by a known number from 0 to 63" },
    { "local x = 1 if s:in_maps(job) then x = job end return x", "a variable is int and job" },
    { "for i = 3, 1, -1 do end return 1",
        "only loops over integers by steps of 1 are exported" },
    { "return 1 or 2", "`or` of this kind is not exported (write an if)" },
    { "local f = function() return 1 end return f()", "a function is not exported" },
    { "return s:idle() and 1 or 2", "a condition must be a boolean or a job" },
    { "return tostring(1)", "tostring is not exported" },
    { "return nothing", "a key is a nil" },
    { "repeat local x = 1 until true return 1", "repeat is not exported" },
}
for i, case in ipairs(BODIES) do
    local path = file("refused_" .. i .. ".lua", string.format([[
local nothing = nil
return { name = "x", model = "slotted", key = { changes = "served",
  of = function(s, job) %s end } }
]], case[1]))
    fails(case[1], { "export", path }, 2, path .. ":3: " .. case[2] .. WHERE)
end
local recursive = file("recursive.lua", [[
local function f(s, n) if n < 1 then return 0 end return f(s, n - 1) end
return { name = "x", model = "slotted", key = { changes = "served",
  of = function(s, job) return f(s, 3) end } }
]])
fails("recursion", { "export", recursive }, 2,
    recursive .. ":1: f calls itself, or too deep" .. WHERE)

check.done()
