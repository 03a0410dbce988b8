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

local places = succeed("places", { "export", file("places.lua", [[
return { name = "places", model = "dag", key = { changes = "served",
  of = function(s, job)
    local sum = 0
    for node = 0, s:nodes() - 1 do sum = sum + s:node_speed(node) end
    return sum, s:node_free(s:weight(job), 1)
  end } }
]]) })
check.contains("a node that exists", places, "pn_dispatch_node_speed(view, (uint32_t)node)")
check.contains("a node that may not exist", places:gsub("%s+", " "), "pn_dispatch_node_free(view, "
    .. "below(view, saturated(pn_dispatch_weight_of(view, job)), pn_dispatch_nodes_all(view)), "
    .. "below(view, 0, pn_dispatch_resources(view)))")

-- What the definition declares becomes the policy's table in C, behind its name and source.
local TABLES = {
    { "slotted", [[ virtual = "truth", load = "cumulative",
  orders = { a = { by = "remaining", jobs = "load" }, b = "most_remaining",
    c = { by = "arrival", jobs = "reduce", walk = true },
    d = { by = "share", jobs = "unfinished", changes = "served",
      of = function(s, job) return 2 end } },
  slot = function(s) s:fill("reduce", "c") end]], [[
    .preemptive = 1,
    .nonpreemptive = 1,
    .shadow = PN_SLOTTED_SHADOW_TRUTH,
    .load = PN_SLOTTED_LOAD_CUMULATIVE,
    .order_count = 4,
    .orders = {
        {.key = pn_slotted_key_remaining,
         .changes = PN_SLOTTED_CHANGES_WHEN_SERVED,
         .members = PN_SLOTTED_WITH_LOAD},
        {.key = pn_slotted_key_most_remaining,
         .changes = PN_SLOTTED_CHANGES_WHEN_SERVED,
         .members = PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES},
        {.key = NULL,
         .changes = PN_SLOTTED_CHANGES_ON_ARRIVAL,
         .members = PN_SLOTTED_WITH_REDUCES,
         .fit = 1},
        {.key = pn_slotted_share_key,
         .changes = PN_SLOTTED_CHANGES_WHEN_SERVED,
         .members = PN_SLOTTED_WITH_MAPS | PN_SLOTTED_WITH_REDUCES | PN_SLOTTED_WITH_RUNNING},
    },
    .weight = weight_d,
    .state_bytes_per_job = 1 * sizeof(cell),
    .act = act,
    .arrive = arrive,
]] },
    { "cluster", [[ uses = { "estimates", "delays", "colocates", "memoryless" },
  elapse = function(s, now) end,
  key = { changes = "timed", of = function(s, job, kind) return 1 end }]], [[
    .order = {.keys = PN_SCHEDULER_KEYS_TIMED, .delays = 1, .colocates = 1, .estimates = 1,
        .elapses = 1, .memoryless = 1},
    .key = job_key,
    .elapse = elapse,
]] },
    { "cluster", [[ records = true, admit = function(s, job) return true end,
  uses = { "in_order", "maps_first", "reserves", "reserves_less", "keep", "satu", "deadlines" },
  key = { changes = "arrival", of = function(s, job, kind) return 1 end }]], [[
    .order = {.keys = PN_SCHEDULER_KEYS_ON_ARRIVAL, .started_first = 1},
    .admission = {.deadlines = 1, .finishes = PN_SCHEDULER_FINISHES_RECORDED, .maps_first = 1,
        .reserve = PN_SCHEDULER_RESERVE_LESS, .ended_predecessors = 1, .ended_feedback = 1},
    .key = job_key,
    .admit = admit,
]] },
    { "dag", [[ uses = { "queues", "limits", "virtual", "preempts" },
  preempt = function(s) end, queue_key = function(s, queue) return 1 end]], [[
    .order = {.keys = PN_DISPATCH_KEYS_FIXED, .by_queue = 1, .limits = 1, .virtual_run = 1,
        .preempts = 1},
    .queue_key = queue_key,
    .preempt = preempt,
]] },
    { "dag", [[ align = function(s, job, stage, node) return 1 end,
  key = { changes = "served", of = function(s, job) return 1 end }]], [[
    .order = {.keys = PN_DISPATCH_KEYS_SERVED, .packs = 1},
    .key = job_key,
    .align = align,
]] },
    { "tandem", [[ orders = {
    a = { of = "mapping", changes = "served", key = function(s, job) return s:map_left(job) end,
      member = function(s, job) return s:mapping(job) end },
    b = { of = "backlog", key = "longest" }, c = { of = "present" } },
  rates = function(s) end]], [[
    .work_conserving = PN_TANDEM_NO_PROMISE,
    .order_count = 3,
    .orders = {
        {.key = key_a,
         .member = member_a,
         .changes = PN_TANDEM_WHEN_SERVED,
         .members = PN_TANDEM_MAPPING},
        {.key = pn_tandem_key_longest,
         .changes = PN_TANDEM_WHEN_SERVED,
         .members = PN_TANDEM_BACKLOG},
        {.key = NULL,
         .changes = PN_TANDEM_ON_ARRIVAL,
         .members = PN_TANDEM_PRESENT},
    },
    .act = act,
]] },
    { "tandem", " work_conserving = true, rates = function(s) end", [[
    .work_conserving = PN_TANDEM_WORK_CONSERVING,
    .act = act,
]] },
}
for i, case in ipairs(TABLES) do
    local path = file("table_" .. i .. ".lua", string.format(
        'return { name = "x", model = "%s",%s }\n', case[1], case[2]))
    local text = succeed("a table", { "export", path })
    check.equal("table " .. i .. ", " .. case[1],
        text:match "\nconst pn_%l+_policy x_policy = {\n.-    %.source = [^\n]*\n(.*)};\n$",
        case[3])
end

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
    { "local t = { 1 } return 1", "a table is not exported" },
    { "local t = {} t[#t + 1] = job t[1] = nil return 1",
        "an entry of a list becomes nil, or no job" },
    { "local t = {} t[#t + 1] = job t[1] = 0 return 1",
        "an entry of a list becomes nil, or no job" },
    { "local t = {} t[#t + 1] = job t[#t + 1] = 0.5 return 1", "memory holds a float" },
    { "local t = {} t.x = 1 return 1", "int is expected here, got text" },
    { "local function f() local t = {} return t end return #f()", "a function returns a list" },
    { "for i, x in ipairs(job) do end return 1", "only local lists can be gone through" },
    { "local t = {} for _, x in ipairs(t) do x = 1 end return 1",
        "the variable of a loop is assigned to" },
    { "return s:attribute(job, 'x')", "s:attribute has other arguments" },
    { "return s:attribute(job, s:id(job), 1)", "an attribute is not known by its name" },
    { "return s:attribute(job, 'a b', 1) + s:attribute(job, 'A_b', 1)",
        "attributes a b and A_b have the same name in C" },
    { "return s:attribute(job, 'x', 'text')", "float is expected here, got text" },
    { "return #'text'", "# of a text is not exported" },
    { "return 1 << s:remaining(job)", "a shift must be by a known number from 0 to 63" },
    { "local x = 1 if s:in_maps(job) then x = job end return x", "a variable is int and job" },
    { "for i = 3, 1, s:idle() do end return 1",
        "only loops over integers by a known step are exported" },
    { "for i = 3, 1, 0 do end return 1", "only loops over integers by a known step are exported" },
    { "return 1 or 2", "`or` of this kind is not exported (write an if)" },
    { "return math.max(function() end, 1)", "a function is not exported here" },
    { "local x = 1 local function f() return x end x = 2 return f()",
        "x is a variable of the function around this one" },
    { "return s:idle() and 1 or 2", "a condition must be a boolean or a job" },
    { "return tostring(1)", "tostring is not exported" },
    { "return nothing", "a key is a nil" },
    { "repeat local x = 1 until x return 1", "a condition must be a boolean or a job" },
    { "goto done ::done:: return 1", "goto is not exported here" },
}
for i, case in ipairs(BODIES) do
    local path = file("refused_" .. i .. ".lua", string.format([[
local nothing = nil
return { name = "x", model = "slotted", key = { changes = "served",
  of = function(s, job) %s end } }
]], case[1]))
    fails(case[1], { "export", path }, 2, path .. ":3: " .. case[2] .. WHERE)
end
-- Calls that an expression of another model's policy makes, on line 2.
local CALLS = {
    { "dag", "s:exact()", "s:exact has other arguments" },
    { "dag", "s:exact(1, 2)", "s:exact has other arguments" },
    { "dag", "s:share()", "s:share has other arguments" },
    { "dag", "s:share(job, 1, 2)", "s:share has other arguments" },
    { "dag", "s:scale(1, 2)", "s:scale has other arguments" },
    { "dag", "s:scale(1, 2, 3, 4)", "s:scale has other arguments" },
    { "dag", "s:scale(1, s:exact(1))", "s:scale has other arguments" },
    { "dag", "s:log2()", "s:log2 has other arguments" },
    { "dag", "s:log2(s:exact(1))", "s:log2 gets several results of a call" },
    { "dag", "s:virtual_tag(job, 1)", "s:virtual_tag has other arguments" },
    { "dag", "s:weight()", "s:weight has other arguments" },
    { "dag", "s:weight(job, 1)", "s:weight has other arguments" },
    { "cluster", "s:scale(1, 2)", "s:scale has other arguments" },
    { "cluster", "s:running(job)", "s:running has other arguments" },
    { "cluster", "s:remaining_on(job, 1)", "s:remaining_on has other arguments" },
}
for i, case in ipairs(CALLS) do
    local path = file("called_" .. i .. ".lua", string.format([[
return { name = "x", model = "%s", key = { changes = "served", of = function(s, job, kind)
  return %s end } }
]], case[1], case[2]))
    fails(case[2], { "export", path }, 2, path .. ":2: " .. case[3] .. WHERE)
end
-- What preempts, on line 3.
local OWN <const> = "a loop over tasks may only kill or suspend the task itself"
local PREEMPTS = {
    { "for job in s:by_key(kind) do for j in s:by_key(kind) do end end",
        "jobs are sorted within a loop over sorted jobs" },
    { "for job in s:by_key(kind) do sort(s, kind) end",
        "jobs are sorted within a loop over sorted jobs" },
    { "for job in s:jobs() do for task in s:tasks_running(job, kind) do "
        .. "s:kill(job, kind, 1) end end", OWN },
    { "for job in s:jobs() do for task in s:tasks_running(job, kind) do "
        .. "kill(s, job, kind) end end", OWN },
    { "for job in s:jobs() do for task in s:tasks_running(job, kind) do "
        .. "s:kill_task(job, kind, task + 1) end end", OWN },
    { "for job in s:jobs() do for task, _, _, _, _, copied in s:tasks_running(job, kind) do "
        .. "if copied then s:kill_task(job, kind, task) end end end", OWN },
    { "for job in s:jobs() do for a, b, c, d, e, f, g in s:tasks_running(job, kind) do end end",
        "s:tasks_running gives no value for g" },
    { "for job in s:by_key() do end", "s:by_key has other arguments" },
    { "for job in s:by_key(kind) do local given = s:fill(kind) end",
        "jobs are sorted within a loop over sorted jobs" },
    { "for _, word in ipairs { 'map', 'reduce' } do if s:free(word) > 1 then break end end",
        "a loop over known values is not left by a break" },
    { "for _, word in ipairs { s:now() } do end", "a value of the file is not known" },
    { "local x = s:now() + s:kill(s:first(kind), kind, 1)",
        "the result of s:kill stands for itself: local x = s:kill(...)" },
}
for i, case in ipairs(PREEMPTS) do
    local path = file("preempts_" .. i .. ".lua", string.format([[
local function sort(s, kind) for j in s:by_key(kind) do end end
local function kill(s, job, kind) s:kill(job, kind, 1) end return { name = "x", model = "cluster",
  preempt = function(s, kind) %s end,
  key = { changes = "served", of = function(s, job) return 1 end } }
]], case[1]))
    fails(case[1], { "export", path }, 2, path .. ":3: " .. case[2] .. WHERE)
end
check.contains("when keys change", succeed("chosen", { "export", file("chosen.lua", [[
return { name = "x", model = "cluster", params = { late = { default = true } },
  key = { changes = function(p) return p.late and "timed" or "served" end,
    of = function(s, job) return 1 end } }
]]) }), "    order.keys = keys_of(view);\n    return pn_scheduler_set_rules(view, &order, &admission);\n")
local changing = file("changing.lua", [[
return { name = "x", model = "cluster", key = { changes = function(params) return params.when end,
  of = function(s, job, kind) return 1 end },
  params = { when = { default = "timed", choices = { "timed", "served" } } } }
]])
fails("when keys change", { "export", changing }, 2,
    changing .. ":1: when keys change is not known by its name" .. WHERE)
local looking = file("looking.lua", [[
return { name = "x", model = "cluster",
  key = { changes = "served", of = function(s, job, kind) return s:id(s:first(kind)) end } }
]])
fails("a key that acts", { "export", looking }, 2,
    looking .. ":2: key.of may only look" .. WHERE)

-- How a station serves, in init.
local OF_LIMIT <const> = "a limit must be an integer from 1 to 2^32 - 1, or a parameter of such a "
    .. "range"
local SERVED = {
    { "s:serve('map')", "s:serve has other arguments" },
    { "s:serve('map', {}, 1)", "s:serve has other arguments" },
    { "s:serve('reduce', {})", "serve with other arguments is not exported" },
    { "s:serve('map', { first = 1 })", "serve with other arguments is not exported" },
    { "s:serve('map', { limit = -1 })", OF_LIMIT },
    { "s:serve('map', { limit = 0 })", OF_LIMIT },
    { "s:serve('map', { limit = 1 << 32 })", OF_LIMIT },
    { "s:serve('map', { limit = s.params.any })", OF_LIMIT },
    { "s:serve('map', { limit = 1.5 })", OF_LIMIT },
    { "s:serve('shuffle', { limit = 1 })",
        'limit goes with serve = "share" at the map station' },
    { "s:serve('map', { serve = 'first', limit = 1 })",
        'limit goes with serve = "share" at the map station' },
    { "s:serve('map', { order = 'nosuch' })", "an order is not known by its name" },
    { "s:serve('map', { order = 1 })", "an order is not known by its name" },
}
for i, case in ipairs(SERVED) do
    local path = file("served_" .. i .. ".lua", string.format([[
return { name = "x", model = "tandem", params = { any = { default = 1 } },
  map = { serve = "share" }, shuffle = { serve = "share" }, init = function(s)
  %s end }
]], case[1]))
    fails(case[1], { "export", path }, 2, path .. ":3: " .. case[2] .. WHERE)
end
-- Twelve variables, each of which gets its type from the next one.
local VARIABLES, CELLS = {}, {}
for i = 1, 12 do
    VARIABLES[i] = string.format("v%d = %s", i, i < 12 and "v" .. i + 1 or "1")
    CELLS[i] = string.format("s.state.c%d = %s", i, i < 12 and "s.state.c" .. i + 1 or "0.5")
end
local NAMES <const> = "%s1, %s2, %s3, %s4, %s5, %s6, %s7, %s8, %s9, %s10, %s11, %s12"
local chained = file("chained.lua", string.format([[
local function f() local %s
  while true do %s end end
return { name = "x", model = "slotted", key = { changes = "served",
  of = function(s, job) f() return 1 end } }
]], NAMES:gsub("%%s", "v"), table.concat(VARIABLES, " ")))
fails("a chain of variables", { "export", chained }, 2, chained
    .. ":1: types of variables depend on each other in more than 10 steps" .. WHERE)
local remembered = file("remembered.lua", string.format([[
return { name = "x", model = "slotted", state = { %s },
  arrive = function(s, job) %s end,
  key = { changes = "served", of = function(s, job) return 1 end } }
]], NAMES:gsub("%%s(%d+)", "'c%1'"), table.concat(CELLS, " ")))
fails("a chain in memory", { "export", remembered }, 2, remembered
    .. ":1: types of memory depend on each other in more than 10 steps" .. WHERE)
-- Values of one statement whose order C would not keep, on line 4.
local ORDERED = {
    { "local a, b, c = s.state.x, two(s)", "write this in several statements" },
    { "local a, b = one(s), s:random(0, 1)", "write this in several statements" },
    { "local a, b, c = one(s), two(s)", "write this in several statements" },
    { "s.state.x = s.state.y + one(s)",
        "the result of a function that writes stands for itself: local x = f(s)" },
    { "while s:random(0, 1) == 0 do end",
        "a draw, or a call with several results, is not exported in a condition" },
}
for i, case in ipairs(ORDERED) do
    local path = file("ordered_" .. i .. ".lua", string.format([[
local function one(s) s.state.x = s.state.x + 1 return s.state.x end
local function two(s) s.state.x = s.state.x + 1 return s.state.x, 2 end
return { name = "x", model = "slotted", state = { "x", "y" }, arrive = function(s, job)
  %s end, key = { changes = "served", of = function(s, job) return 1 end } }
]], case[1]))
    fails(case[1], { "export", path }, 2, path .. ":4: " .. case[2] .. WHERE)
end
local recursive = file("recursive.lua", [[
local function f(s, n) if n < 1 then return 0 end return f(s, n - 1) end
return { name = "x", model = "slotted", key = { changes = "served",
  of = function(s, job) return f(s, 3) end } }
]])
fails("recursion", { "export", recursive }, 2,
    recursive .. ":1: f calls itself, or too deep" .. WHERE)

check.done()
