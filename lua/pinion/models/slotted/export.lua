---What exported policies of the slotted model are made of: see pinion/export.
local values -- pinion/export/values, given

local M = {
    prefix = "pn_slotted", view = "pn_slotted_view", policy = "pn_slotted_policy",
    attribute = "attribute", header = "pn_slotted_policy.h",
    results = { share = "int", fill = "int" },
    forms = {
        weight = { head = "static uint64_t NAME(const VIEW *view, uint32_t job)", job = true,
            first = "if (pn_slotted_idle(view) > 0) /* as it was when the key was made */\n"
                .. "    return (uint64_t)kept_weight(view, job)->integer;",
            returns = function(writer, list, node)
                for _, cells in ipairs(writer.exporter.source.cells) do
                    cells.used = cells.used or cells.name == "weight "
                end
                writer:line("return keep(view, kept_weight(view, job), %s);",
                    writer:first(list, "int", node))
            end },
    },
    helpers = {
        { "keep", [[
/* Keeps a weight, which is from 1 to 2^20. */
static uint64_t keep(const VIEW *view, cell *kept, int64_t weight)
{
    kept->integer = weight >= 1 && weight <= 1 << 20 ? weight : 1;
    if (kept->integer != weight)
        PREFIX_fail(view, PN_ERR_POLICY);
    return (uint64_t)kept->integer;
}
]] },
        { "fill", [[
/* Gives to the jobs of an order. Returns how many machines. */
static int64_t fill(VIEW *view, uint32_t order, uint64_t limit)
{
    uint32_t idle = pn_slotted_idle(view);
    must(view, pn_slotted_fill(view, order, limit));
    return (int64_t)idle - pn_slotted_idle(view);
}
]] },
        { "share", [[
/* Gives machines one by one. Returns how many. */
static int64_t share(VIEW *view, uint32_t order, uint64_t limit)
{
    uint32_t idle = pn_slotted_idle(view);
    must(view, pn_slotted_share(view, order, limit));
    return (int64_t)idle - pn_slotted_idle(view);
}
]] },
        { "served_at", [[
/* Returns what the virtual run served, by an index from 1 on. */
static pn_slotted_served served_at(const VIEW *view, int64_t index)
{
    if (index >= 1 && index <= pn_slotted_served_count(view))
        return pn_slotted_served_at(view, (uint32_t)(index - 1));
    PREFIX_fail(view, PN_ERR_POLICY);
    return (pn_slotted_served){ .job = PN_NO_JOB };
}
]] },
    },
}

local HOOKS = {
    { c = "tick", field = "tick", form = "act", path = { "tick" } },
    { c = "act", field = "act", form = "act", path = { "slot" } },
}

function M.hooks() return HOOKS end

---Returns the fields of the table without which functions cannot be called.
---@param body string the policy's functions in C
function M.fields(body)
    local asks = body:find("pn_slotted_attained(", 1, true)
        or body:find("pn_slotted_job_size(", 1, true)
    return asks and "    .sizes = 1,\n" or ""
end

local ALL_IDLE <const> = "PN_SLOTTED_ALL_IDLE"

---Returns where the definition has a key or a weight.
function M.path(_, _, name)
    if name == "key" or name == "share" then return { name, "of" } end
    return { "orders", name, "of" }
end

---Returns how many machines at most.
function M.argument(writer, node, name, given)
    if name ~= "limit" then writer:refuse(node, "an argument is not exported") end
    return given.type == "nil" and ALL_IDLE or writer:amount(given, node)
end

M.by_hand = {}

---Gives to the jobs of an order, which is of the jobs that are named, or of all.
M.by_hand.fill = { takes = { "value", "value", "amount?" },
    write = function(writer, node, what, order, limit)
        local jobs = order.text and writer.exporter:at_path { "orders", order.text, "jobs" }
        if what.text ~= "all" and not (jobs and jobs.value == what.text) then
            writer:refuse(node, "fill is exported for the jobs that the order is declared for")
        end
        writer.made.acts, writer.made.writes = true, true
        return values.amount(string.format("fill(view, %s, %s)", writer:order(order, node),
            limit or ALL_IDLE))
    end }

---Returns what the virtual run served: a job, its maps and its reduces.
M.by_hand.served_at = { takes = { "int" }, write = function(writer, _, index)
    local served = writer:temporary "served"
    writer:line("const pn_slotted_served %s = served_at(view, %s);", served.c, index)
    return { list = {
        values.new("job", served.c .. ".job"),
        values.amount("(int64_t)" .. served.c .. ".maps", values.UNARY),
        values.amount("(int64_t)" .. served.c .. ".reduces", values.UNARY),
    } }
end }

---Returns the model's part.
---@param of_values table pinion/export/values
return function(of_values)
    values = of_values
    return M
end
