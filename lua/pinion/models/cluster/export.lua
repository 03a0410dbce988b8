---What exported policies of the cluster model are made of: see pinion/export.
local values -- pinion/export/values, given

local M = {
    prefix = "pn_scheduler", view = "pn_scheduler_view", policy = "pn_scheduler_policy",
    header = "pn_scheduler_policy.h", fail = "pn_scheduler_give_up",
    words = { map = "PN_SCHEDULER_MAP", reduce = "PN_SCHEDULER_REDUCE" },
    results = {},
    uses = {
        first = { "pn_scheduler_order order = pn_scheduler_order_get(view);",
            "pn_scheduler_admission admission = pn_scheduler_admission_get(view);",
            "order.elapses = 0;" },
        last = "return pn_scheduler_set_rules(view, &order, &admission);",
        words = {
            estimates = "order.estimates = COND;",
            shares = "order.shares = COND ? PN_SCHEDULER_SHARES_CONSERVING : "
                .. "PN_SCHEDULER_SHARES_NONE;",
            strict = "order.shares = COND ? PN_SCHEDULER_SHARES_STRICT : order.shares;",
            delays = "order.delays = COND;", colocates = "order.colocates = COND;",
            elapses = "order.elapses = COND;", memoryless = "order.memoryless = COND;",
            maps_first = "admission.maps_first = COND;", deadlines = "admission.deadlines = COND;",
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
    { c = "leave", field = "leave", form = "finish", path = { "leave" } },
}

---Returns the hooks of this policy; `refuse` is what it cannot have.
function M.hooks(exporter, refuse)
    for _, path in ipairs { { "admit" }, { "copy" }, { "key", "changes" } } do
        local node = exporter:at_path(path)
        if node and node.kind == "function" then
            refuse(node, "%s is not exported", table.concat(path, "."))
        end
    end
    return HOOKS
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

---Returns the model's part.
---@param of_values table pinion/export/values
---@param forms table of pinion/export
return function(of_values, forms)
    values = of_values
    local status, last = forms.act.returns, "return PN_OK;"
    local function kind_given() return values.new("kind", "kind") end
    M.forms = {
        key = { head = "static void NAME(const VIEW *view, uint32_t job, uint32_t kind, "
            .. "pn_key *key)",
            job = true, key = true, taken = { "kind" }, returns = forms.key.returns,
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
        pick = { head = "static int NAME(VIEW *view, uint32_t node, uint32_t kind, "
            .. "uint32_t *picked)",
            acts = true, taken = { "node", "kind", "picked" }, last = last,
            given = function(i)
                return i == 2 and values.index("node", NODES) or kind_given()
            end,
            returns = function(writer, list, node)
                writer:line("*picked = %s;", writer:first(list, "job", node))
                writer:line "return PN_OK;"
            end },
    }
    return M
end
