---What exported policies of the dag model are made of: see pinion/export.
local values -- pinion/export/values, given

local M = {
    prefix = "pn_dispatch", view = "pn_dispatch_view", policy = "pn_dispatch_policy",
    attribute = "attribute_of", header = "pn_dispatch_policy.h", fail = "pn_dispatch_give_up",
    results = {},
    uses = {
        first = { "pn_dispatch_order order = pn_dispatch_order_get(view);" },
        last = "return pn_dispatch_set_order(view, &order);",
        unless = {},
        words = {
            { "queues", "order.by_queue = COND;\n"
                .. "    order.keys = order.by_queue ? PN_DISPATCH_KEYS_FIXED : order.keys;" },
            { "limits", "order.limits = COND;" }, { "virtual", "order.virtual_run = COND;" },
        },
    },
    helpers = {
        { "weight_of", [[
/* Returns a weight of shares. */
static uint32_t weight_of(const VIEW *view, int64_t x)
{
    if (x < 1 || x > PN_DISPATCH_WEIGHT_MOST)
        PREFIX_fail(view, PN_ERR_POLICY);
    return x < 1 || x > PN_DISPATCH_WEIGHT_MOST ? 1 : (uint32_t)x;
}
]] },
        { "scaled", [[
/* Returns a * b / c. */
static int64_t scaled(const VIEW *view, int64_t a, int64_t b, int64_t c)
{
    if (a < 0 || b < 0 || c < 1) {
        PREFIX_fail(view, PN_ERR_POLICY);
        return 0;
    }
    pn_wide value = pn_dispatch_scale((uint64_t)a, (uint64_t)b, (uint64_t)c);
    return value.high > 0 ? INT64_MAX : saturated(value.low);
}
]] },
        { "high_of", [[
/* Makes a number of any size two for a key: multiples of 2^53, and the rest. */
static int64_t high_of(pn_wide x)
{
    return x.high >> 42 ? (int64_t)PN_INTEGER_MAX - 1 : (int64_t)(x.high << 11 | x.low >> 53);
}

static int64_t low_of(pn_wide x)
{
    return (int64_t)(x.low & (PN_INTEGER_MAX - 1));
}
]] },
    },
    by_hand = {},
}

local COUNTS <const> = { node = "pn_dispatch_nodes_all(view)",
    queue = "pn_dispatch_queues_all(view)", resource = "pn_dispatch_resources(view)" }

-- ---- functions that the kernel calls ------------------------------------------------------------

---Returns what functions about a stage and a node get.
local function place_given(i)
    if i == 2 then
        return values.new("job", "pn_dispatch_stage_job(view, stage)", values.ATOM,
            { is_there = true })
    end
    if i == 3 then return values.new("stage", "stage") end
    return values.index("node", COUNTS.node)
end

---Writes `return` of a number that must be from 0 on.
local function return_amount(most)
    return function(writer, list, node)
        writer:line("return amount(view, %s, %s);", writer:first(list, "int", node), most)
    end
end

---Returns the hooks of this policy.
function M.hooks(exporter)
    local packs = exporter:at_path { "align" } ~= nil
    return {
        { c = "job_key", field = "key", form = packs and "packed" or "key",
            path = { "key", "of" } },
        { c = "queue_key", field = "queue_key", form = "queue_key", path = { "queue_key" } },
        { c = "score", field = "score", form = "score", path = { "score" } },
        { c = "align", field = "align", form = "align", path = { "align" } },
        { c = "preempt", field = "preempt", form = "act", path = { "preempt" } },
        { c = "leave", field = "leave", form = "finish", path = { "leave" } },
    }
end

-- ---- methods ------------------------------------------------------------------------------------

---Returns a number of nothing less than 0, in C.
local function saturated(c)
    return values.not_negative("saturated(" .. c .. ")")
end

function M.argument(writer, node) writer:refuse(node, "an argument is not exported") end

---Returns the argument of a method in C. Of stages, only the one that the function is called for.
function M.take(writer, node, name, given)
    if name == "stage" then
        if given[1].type ~= "job" or not given[2] or given[2].type ~= "stage" then
            writer:refuse(node, "only the stage that the call is about is exported")
        end
        return given[2].c, 2
    end
    return writer:place(given[1], node, COUNTS[name], name == "resource" and 1 or 0)
end

local function weight_of(weight)
    return weight and string.format("weight_of(view, %s)", weight) or "1"
end

M.by_hand.share = { takes = { "job", "int?" }, write = function(_, _, job, weight)
    return saturated(string.format("pn_dispatch_share(view, %s, %s)", job, weight_of(weight)))
end }

M.by_hand.queue_share = { takes = { "queue", "int?" }, write = function(_, _, queue, weight)
    return saturated(string.format("pn_dispatch_queue_share(view, %s, PN_DISPATCH_NO_STAGE, %s)",
        queue, weight_of(weight)))
end }

---Checks that a number cannot be negative.
local function check_amount(writer, node, x)
    if x.type ~= "int" or x.low < 0 then writer:refuse(node, "an amount is expected") end
end

M.by_hand.log2 = { takes = { "value" }, write = function(writer, node, x)
    check_amount(writer, node, x)
    return values.amount(string.format("(int64_t)pn_dispatch_log2((uint64_t)max_int(%s, 1))", x.c),
        values.UNARY)
end }

M.by_hand.exact = { takes = { "value" }, write = function(writer, node, x)
    check_amount(writer, node, x)
    local held = writer:temporary "exact"
    writer:line("const int64_t %s = %s;", held.c, x.c)
    return { list = {
        values.int(held.c .. " / (int64_t)PN_INTEGER_MAX", values.PRODUCT, 0, 1024),
        values.int(held.c .. " % (int64_t)PN_INTEGER_MAX", values.PRODUCT, 0, values.MOST),
    } }
end }

for _, name in ipairs { "service", "virtual_tag" } do
    M.by_hand[name] = { takes = { "job" }, write = function(writer, _, job)
        local held = writer:temporary "wide"
        writer:line("const pn_wide %s = pn_dispatch_%s(view, %s);", held.c, name, job)
        return { list = { values.amount("high_of(" .. held.c .. ")"),
            values.amount("low_of(" .. held.c .. ")") } }
    end }
end

M.by_hand.exchange = { takes = { "count" }, write = function(_, _, permille)
    return values.new("nothing", string.format("must(view, pn_dispatch_exchange(view, %s))",
        permille))
end }

---Returns the model's part.
---@param of_values table pinion/export/values
---@param forms table of pinion/export
return function(of_values, forms)
    values = of_values
    M.forms = {
        packed = { head = forms.key.head, job = true, key = true, must = "a key",
            returns = function(writer, list, node)
                writer:line "key->word[0] = 0;"
                writer:line("key->word[1] = amount(view, %s, INT64_MAX);",
                    writer:first(list, "int", node))
                if writer.depth > 1 then writer:line "return;" end
            end },
        queue_key = { head = "static void NAME(const VIEW *view, uint32_t queue, pn_key *key)",
            key = true, must = "a key", taken = { "queue" }, returns = forms.key.returns,
            given = function() return values.index("queue", COUNTS.queue) end },
        score = { head = "static uint64_t NAME(const VIEW *view, uint32_t stage, uint32_t node)",
            taken = { "stage", "node" }, given = place_given,
            returns = function(writer, list, node)
                writer:line("return %s;",
                    forms.word(writer, list[1] or values.none(), node))
            end },
        align = { head = "static uint64_t NAME(const VIEW *view, uint32_t stage, uint32_t node)",
            taken = { "stage", "node" }, given = place_given,
            returns = return_amount "(int64_t)1 << 42" },
    }
    return M
end
