---What exported policies of the cluster model are made of: see pinion/export.
local values -- pinion/export/values, given

local M = {
    prefix = "pn_scheduler", view = "pn_scheduler_view", policy = "pn_scheduler_policy",
    attribute = "attribute_of", header = "pn_scheduler_policy.h", fail = "pn_scheduler_give_up",
    changes = { arrival = "PN_SCHEDULER_KEYS_ON_ARRIVAL", served = "PN_SCHEDULER_KEYS_SERVED",
        planned = "PN_SCHEDULER_KEYS_PLANNED", timed = "PN_SCHEDULER_KEYS_TIMED" },
    words = { map = "PN_SCHEDULER_MAP", reduce = "PN_SCHEDULER_REDUCE" },
    results = { kill = "int", suspend = "int", kill_task = "bool", suspend_task = "bool" },
    uses = {
        first = { "pn_scheduler_order order = pn_scheduler_order_get(view);",
            "pn_scheduler_admission admission = pn_scheduler_admission_get(view);" },
        last = "return pn_scheduler_set_rules(view, &order, &admission);",
        -- what the table has where the words decide, so that it gets its memory
        unless = { { "elapses", ".elapses = 1" }, { "in_order", ".started_first = 1" } },
        words = {
            { "estimates", "order.estimates = COND;" },
            { "shares", "order.shares = COND ? PN_SCHEDULER_SHARES_CONSERVING : "
                .. "PN_SCHEDULER_SHARES_NONE;" },
            { "strict", "order.shares = COND ? PN_SCHEDULER_SHARES_STRICT : order.shares;" },
            { "delays", "order.delays = COND;" }, { "colocates", "order.colocates = COND;" },
            { "elapses", "order.elapses = COND;" },
            { "memoryless", "order.memoryless = COND;" },
            { "in_order", "order.started_first = COND;" },
            { "maps_first", "admission.maps_first = COND;" },
            { "reserves", "admission.reserve = COND ? PN_SCHEDULER_RESERVE_ALL : "
                .. "PN_SCHEDULER_RESERVE_NONE;" },
            { "reserves_less", "admission.reserve = COND ? PN_SCHEDULER_RESERVE_LESS : "
                .. "admission.reserve;" },
            { "reserves_strict", "admission.reserve = COND ? PN_SCHEDULER_RESERVE_STRICT : "
                .. "admission.reserve;" },
            { "deadlines", "admission.deadlines = COND;" },
            { "forecasts", "admission.finishes = COND ? PN_SCHEDULER_FINISHES_FORECAST : "
                .. "PN_SCHEDULER_FINISHES_NONE;" },
            { "keep", "admission.ended_predecessors = COND;" },
            { "satu", "admission.ended_feedback = COND;" },
            { "suspends", "" }, -- which the host sees by the function preempt
        },
    },
    helpers = {
        { "scaled", [[
/* Returns a * b / c. */
static int64_t scaled(const VIEW *view, int64_t a, int64_t b, int64_t c)
{
    if (a < 0 || b < 0 || c < 1) {
        PREFIX_fail(view, PN_ERR_POLICY);
        return 0;
    }
    return saturated(pn_scheduler_scale((uint64_t)a, (uint64_t)b, (uint64_t)c));
}
]] },
        { "killed", [[
/* Kills tasks of a job. Returns how many. */
static int64_t killed(VIEW *view, uint32_t job, uint32_t kind, uint64_t most)
{
    uint32_t count = 0;
    must(view, PREFIX_kill(view, job, kind, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX,
                           &count));
    return count;
}
]] },
        { "suspended", [[
/* Suspends tasks of a job. Returns how many. */
static int64_t suspended(VIEW *view, uint32_t job, uint32_t kind, uint64_t most)
{
    uint32_t count = 0;
    must(view, PREFIX_suspend(view, job, kind, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX,
                              &count));
    return count;
}
]] },
        { "running_task", [[
/* Returns the attempt of a task that runs, which are counted from 1. */
static uint32_t running_task(const VIEW *view, uint32_t job, uint32_t kind, int64_t task)
{
    uint32_t place = PN_SCHEDULER_NO_ATTEMPT;
    if (task >= 1 && task <= UINT32_MAX)
        place = PREFIX_task_attempt(view, job, kind, (uint32_t)(task - 1));
    if (place == PN_SCHEDULER_NO_ATTEMPT || PREFIX_attempt_suspended(view, place))
        PREFIX_fail(view, PN_ERR_POLICY);
    return place;
}
]] },
        { "kill_task", [[
/* Kills the older attempt of a task. Returns whether it could be killed. */
static bool kill_task(VIEW *view, uint32_t job, uint32_t kind, int64_t task)
{
    uint32_t place = running_task(view, job, kind, task);
    return place != PN_SCHEDULER_NO_ATTEMPT && PREFIX_kill_attempt(view, place) == PN_OK;
}
]] },
        { "suspend_task", [[
/* Suspends the older attempt of a task. Returns whether it could be suspended. */
static bool suspend_task(VIEW *view, uint32_t job, uint32_t kind, int64_t task)
{
    uint32_t place = running_task(view, job, kind, task);
    return place != PN_SCHEDULER_NO_ATTEMPT && PREFIX_suspend_attempt(view, place) == PN_OK;
}
]] },
        { "limit_of", [[
/* Returns a limit: the largest means none. */
static uint32_t limit_of(uint64_t x)
{
    return x < UINT32_MAX ? (uint32_t)x : UINT32_MAX;
}
]] },
        { "job_of", [[
/* Returns the job with this id: `job`, another one in the system, or none. */
static uint32_t job_of(const VIEW *view, uint32_t job, uint64_t id)
{
    if (id == 0 || PREFIX_id(view, job) == id)
        return id == 0 ? PN_NO_JOB : job;
    job = PREFIX_next(view, PN_NO_JOB);
    while (job != PN_NO_JOB && PREFIX_id(view, job) != id)
        job = PREFIX_next(view, job);
    return job;
}
]] },
        { "slots", [[
/* Returns a number of slots. */
static uint64_t slots(const VIEW *view, int64_t x)
{
    if (x < 1)
        PREFIX_fail(view, PN_ERR_POLICY);
    return x < 1 ? 1 : (uint64_t)x;
}
]] },
    },
    by_hand = {},
}

local NODES <const> = "pn_scheduler_all_nodes(view)"

local HOOKS = {
    { c = "job_key", field = "key", form = "key", path = { "key", "of" } },
    { c = "elapse", field = "elapse", form = "elapse", path = { "elapse" } },
    { c = "plan", field = "plan", form = "plan", path = { "plan" } },
    { c = "preempt", field = "preempt", form = "preempt", path = { "preempt" } },
    { c = "pick", field = "pick", form = "pick", path = { "pick" } },
    { c = "admit", field = "admit", form = "admit", path = { "admit" } },
    { c = "copy", field = "copy", form = "copy", path = { "copy" } },
}

-- Where jobs are admitted, what is remembered of one is cleared when it is gone: its key and admit
-- come before arrive. Lines with a question mark are for policies that remember something.
local ADMIT <const> = [[
static int admit(VIEW *view, uint32_t job, pn_scheduler_answer *answer)
{
    answer->accepted = on_admit(view, job, answer);
    if (!answer->accepted && answer->blocker == 0)
        answer->blocker = pn_scheduler_id(view, job);
?    if (!answer->accepted || pn_scheduler_asked(view))
?        forget(view, job);
    return PN_OK;
}]]
local LEAVE <const> = [[
static void leave(VIEW *view, uint32_t job)
{
    on_leave(view, job);
    forget(view, job);
}]]

---Returns the hooks of this policy.
function M.hooks(exporter)
    local forgets = exporter.admits and exporter.has_columns
    local list = table.move(HOOKS, 1, #HOOKS, 1, {})
    list[#list + 1] = { c = "leave", field = "leave", path = { "leave" }, is_needed = forgets,
        form = not forgets and "finish" or exporter:at_path { "leave" } and "leave" or "forget" }
    return list
end

function M.argument(writer, node) writer:refuse(node, "an argument is not exported") end

---Returns a kind or a node in C.
function M.take(writer, node, name, given)
    if name == "kind" then return writer:convert(given[1], "kind", node) end
    return writer:place(given[1], node, NODES, 0)
end

M.by_hand.remaining_on = { takes = { "job", "int", "int" },
    write = function(_, _, job, maps, reduces)
        return values.int(string.format("saturated(pn_scheduler_remaining_on(view, %s, "
            .. "slots(view, %s), slots(view, %s)))", job, maps, reduces), values.ATOM, 0, math.huge)
    end }

local function add(name, takes, write) M.by_hand[name] = { takes = takes, write = write } end

---Adds a question about a job, or about tasks of a kind of a job, that is answered by an amount.
local function add_amount(name, takes, called)
    add(name, takes, function(_, _, ...)
        return values.amount(string.format("(int64_t)pn_scheduler_%s(view, %s)", called or name,
            table.concat({ ... }, ", ")), values.UNARY)
    end)
end

---Adds what changes something by a call in C.
local function add_act(name, takes, format)
    add(name, takes, function(writer, _, ...)
        writer.made.acts, writer.made.writes = true, true
        return values.new("nothing", string.format(format, ...))
    end)
end

---Adds a finish that may not be known.
local function add_finish(name, called)
    add(name, { "job" }, function(writer, _, job)
        writer.made.acts = true
        return values.new(values.MAYBE, string.format("(int64_t)pn_scheduler_%s(view, %s)", called,
            job), values.UNARY)
    end)
end

local function add_admission()
    add_amount("est", { "job", "kind" }, "est_ms")
    add_amount("input", { "job" }, "input_of")
    add_amount("intermediate", { "job" }, "intermediate_of")
    add_amount("longest", { "job", "kind" })
    add("has_failed", { "job" }, function(_, _, job)
        return values.flag("pn_scheduler_has_failed(view, " .. job .. ")")
    end)
    add_finish("estimate", "estimate_of")
    add_finish("estimate_anew", "estimate_anew")
    add_act("feed_back", { "job" }, "pn_scheduler_feed_back(view, %s)")
    add_act("set_est", { "job", "kind", "amount" },
        "must(view, pn_scheduler_set_est_ms(view, %s, %s, %s))")
    add_act("set_deadline", { "job", "amount" },
        "must(view, pn_scheduler_set_deadline(view, %s, %s))")
    add_act("hold", { "job", "kind", "ms" }, "pn_scheduler_hold(view, %s, %s, %s)")
    add("limit", { "job", "kind", "amount?" }, function(writer, _, job, kind, most)
        writer.made.acts, writer.made.writes = true, true
        return values.new("nothing", string.format("pn_scheduler_limit(view, %s, %s, %s)", job,
            kind, most and "limit_of(" .. most .. ")" or "UINT32_MAX"))
    end)
    add("foresee", { "job" }, function(writer, node, job)
        if not writer.made.taken.answer then
            writer:refuse(node, "s:foresee is exported in the function admit itself")
        end
        local finish, blocker = writer:temporary "finish", writer:temporary "blocker"
        writer:line("must(view, pn_scheduler_foresee(view, %s, answer));", job)
        writer:line("const int64_t %s = (int64_t)answer->estimate;", finish.c)
        writer:line("const uint32_t %s = job_of(view, job, answer->blocker);", blocker.c)
        return { list = { values.new(values.MAYBE, finish.c), values.new("job", blocker.c) } }
    end)
end

---Adds what takes slots back: so many tasks, or one.
local function add_preemption()
    for name, called in next, { kill = "killed", suspend = "suspended" } do
        add(name, { "job", "kind", "amount" }, function(writer, node, job, kind, most)
            writer.made.acts, writer.made.writes = true, true
            writer:does(node, "kills")
            return values.amount(string.format("%s(view, %s, %s, %s)", called, job, kind, most))
        end)
    end
    for _, name in ipairs { "kill_task", "suspend_task" } do
        add(name, { "job", "kind", "int" }, function(writer, node, job, kind, task)
            writer.made.acts, writer.made.writes = true, true
            local loop = writer.tasks
            if not loop or loop.outer or loop.job ~= job or loop.kind ~= kind or loop.task ~= task
                or loop.copied then
                writer:does(node, "kills")
            end
            writer.made.does.kills = true
            return values.new("bool", string.format("%s(view, %s, %s, %s)", name, job, kind, task))
        end)
    end
    add("resumes", { "job", "kind", "node" }, function(_, _, job, kind, node)
        return values.flag(string.format("pn_scheduler_resumes(view, %s, %s, %s)", job, kind, node))
    end)
    add("fill", { "kind" }, function(writer, node, kind)
        local filled = writer:memory_of_jobs("list_fill", writer.made.c .. tostring(node))
        writer.made.acts = true
        writer:does(node, "sorts")
        writer:line("pn_scheduler_fill(view, %s, (uint64_t *)%s(view));", kind, filled.c)
        return values.new("by job", filled.c .. "(view)")
    end)
    add("first", { "kind" }, function(writer, _, kind)
        writer.made.acts = true
        return values.new("job", string.format("pn_scheduler_first(view, %s)", kind))
    end)
end

-- ---- loops --------------------------------------------------------------------------------------

M.walks = {}

---Jobs in the order of their keys. The kernel's list is valid until it sorts again.
M.walks.by_key = { takes = { "kind" },
    begin = function(writer, node, kind)
        local jobs, count, i = writer:temporary "jobs", writer:temporary "count",
            writer:temporary "i"
        writer:does(node, "sorts")
        writer.made.acts = true
        writer:forbid("sorts", "jobs are sorted within a loop over sorted jobs")
        writer:line("uint32_t %s;", count.c)
        writer:line("const uint32_t *%s = pn_scheduler_by_key(view, %s, &%s);", jobs.c, kind,
            count.c)
        writer:line("for (uint32_t %s = 0; %s < %s; %s++) {", i.c, i.c, count.c, i.c)
        return { values.new("job", string.format("%s[%s]", jobs.c, i.c), values.ATOM,
            { is_there = true }) }
    end,
    finish = function(writer) writer:allow "sorts" end,
}

---Returns a row of a loop over attempts of tasks of a job.
local function tasks_by(next_of)
    return { takes = { "job", "kind" },
        begin = function(writer, node, job, kind)
            local run, after, seen = writer:temporary "run", writer:temporary "after",
                writer:temporary "seen"
            writer:forbid("kills", "a loop over tasks may only kill or suspend the task itself")
            writer.tasks = { job = job, kind = kind, outer = writer.tasks,
                copied = node.names[6] and node.names[6] ~= "_" } -- as it was before the loop
            local place = string.format("pn_scheduler_%s(view, %s, %s, ", next_of, job, kind)
            writer:line("for (uint32_t %s = %sPN_SCHEDULER_NO_ATTEMPT), %s;", run.c, place, after.c)
            writer:line("     %s != PN_SCHEDULER_NO_ATTEMPT; %s = %s) {", run.c, run.c, after.c)
            writer:line("    %s = %s%s); /* as it may be killed */", after.c, place, run.c)
            writer:line("    const pn_scheduler_task %s = pn_scheduler_attempt_task(view, %s);",
                seen.c, run.c)
            writer:line("    (void)%s;", seen.c)
            local function field(name) return values.amount("(int64_t)" .. seen.c .. "." .. name,
                values.UNARY) end
            return { values.calculate("+", field "task", values.number(1)),
                values.index(seen.c .. ".node", NODES), field "start", field "attempt",
                values.amount("(int64_t)pn_scheduler_attempt_progress(view, " .. run.c .. ")",
                    values.UNARY),
                values.new("bool", string.format("pn_scheduler_attempt_twin(view, %s) != "
                    .. "PN_SCHEDULER_NO_ATTEMPT", run.c), values.EQUAL) }
        end,
        enter = function(writer, task) writer.tasks.task = task end,
        finish = function(writer)
            writer.tasks = writer.tasks.outer
            writer:allow "kills"
        end,
    }
end
M.walks.tasks_running = tasks_by "next_attempt"
M.walks.tasks_suspended = tasks_by "next_suspended"

---Returns the model's part.
---@param of_values table pinion/export/values
---@param forms table of pinion/export
return function(of_values, forms)
    values = of_values
    add_admission()
    add_preemption()
    local status, last = forms.act.returns, "return PN_OK;"
    local function kind_given() return values.new("kind", "kind") end
    local function slot_given(i)
        return i == 2 and values.index("node", NODES) or kind_given()
    end
    M.forms = {
        admit = { inner = "on_admit", outer = ADMIT, acts = true, job = true, taken = { "answer" },
            head = "static bool NAME(VIEW *view, uint32_t job, pn_scheduler_answer *answer)",
            must = "admit", returns = function(writer, list, node)
                if not list[1] or list[1].type ~= "bool" then
                    writer:refuse(node, "admit returns a %s", (list[1] or values.none()).type)
                end
                writer:line("return %s;", list[1].c)
            end },
        leave = setmetatable({ inner = "on_leave", outer = LEAVE }, { __index = forms.finish }),
        forget = setmetatable({ last = "forget(view, job);" }, { __index = forms.finish }),
        key = { head = "static void NAME(const VIEW *view, uint32_t job, uint32_t kind, "
            .. "pn_key *key)",
            job = true, key = true, must = "a key", taken = { "kind" }, returns = forms.key.returns,
            given = kind_given },
        elapse = { head = "static int NAME(VIEW *view, uint64_t ms)", acts = true, taken = { "ms" },
            returns = status, last = last,
            given = function() return values.amount("(int64_t)ms", values.UNARY) end },
        plan = { head = "static int NAME(VIEW *view, uint32_t reason)", acts = true,
            taken = { "reason" }, returns = status, last = last,
            given = function()
                return values.new("choice", "(int)reason", values.UNARY, { choice = {
                    arrival = "PN_SCHEDULER_ON_ARRIVAL", tick = "PN_SCHEDULER_ON_TICK",
                    finish = "PN_SCHEDULER_ON_FINISH",
                } })
            end },
        preempt = { head = "static int NAME(VIEW *view, uint32_t kind)", acts = true,
            taken = { "kind" }, returns = status, last = last, given = kind_given },
        copy = { head = "static int NAME(VIEW *view, uint32_t node, uint32_t kind, "
            .. "uint32_t *place)",
            acts = true, taken = { "node", "kind", "place" }, last = last, given = slot_given,
            returns = function(writer, list, node)
                if list[1] and list[1].type ~= "nil" then
                    if #list ~= 2 then writer:refuse(node, "a copy is a job and a task") end
                    local job = writer:first(list, "job", node)
                    writer:line("if (%s != PN_NO_JOB)", job)
                    writer:line("    *place = running_task(view, %s, kind, %s);", job,
                        writer:convert(list[2], "int", node))
                end
                writer:line "return PN_OK;"
            end },
        pick = { head = "static int NAME(VIEW *view, uint32_t node, uint32_t kind, "
            .. "uint32_t *picked)",
            acts = true, taken = { "node", "kind", "picked" }, last = last,
            given = slot_given,
            returns = function(writer, list, node)
                writer:line("*picked = %s;", writer:first(list, "job", node))
                writer:line "return PN_OK;"
            end },
    }
    return M
end
