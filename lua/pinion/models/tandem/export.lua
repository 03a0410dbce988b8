---What exported policies of the tandem model are made of: see pinion/export.
local values -- pinion/export/values, given

local M = {
    prefix = "pn_tandem", view = "pn_tandem_view", policy = "pn_tandem_policy",
    attribute = "attribute", header = "pn_tandem_policy.h",
    results = { fill_map = "float", fill_shuffle = "float" },
    helpers = {
        { "delay", [[
/* Returns in what time it wakes. */
static double delay(const VIEW *view, double x)
{
    if (!(x >= 0))
        PREFIX_fail(view, PN_ERR_POLICY);
    return x;
}
]] },
        { "fill_map", [[
/* Serves by an order. Returns what of the capacity is left. */
static double fill_map(VIEW *view, uint32_t order, double capacity)
{
    double left = 0;
    must(view, pn_tandem_fill_map(view, order, capacity, &left));
    return left;
}
]] },
        { "fill_shuffle", [[
static double fill_shuffle(VIEW *view, uint32_t order, double capacity)
{
    double left = 0;
    must(view, pn_tandem_fill_shuffle(view, order, capacity, &left));
    return left;
}
]] },
    },
    by_hand = {},
}

local WAYS = { first = "PN_TANDEM_FIRST", strict = "PN_TANDEM_STRICT", share = "PN_TANDEM_SHARE",
    rigid = "PN_TANDEM_RIGID" }

M.by_hand.rank = { takes = { "job", "value" }, write = function(writer, node, job, station)
    local number = ({ map = 0, shuffle = 1 })[station.text]
    if not number then writer:refuse(node, "a station is not known by its name") end
    return values.amount(string.format("(int64_t)pn_tandem_rank(view, %s, %d)", job, number),
        values.UNARY)
end }

local LIMIT_MOST <const> = (1 << 32) - 1

---Returns how many jobs share the map station, in C: a number that is known to be one.
local function limit_of(writer, node, station, shares, limit)
    if station ~= "map" or not shares then
        writer:refuse(node, "limit goes with serve = \"share\" at the map station")
    elseif limit.type ~= "int" or limit.low < 1 or limit.high > LIMIT_MOST then
        writer:refuse(node, "a limit must be an integer from 1 to 2^32 - 1, or a parameter of "
            .. "such a range")
    end
    return values.unsigned(limit, "uint32_t")
end

---Changes how a station serves, in init.
M.by_hand.serve = { takes = { "value", "table" }, write = function(writer, node, station, changes)
    local function refuse() writer:refuse(node, "serve with other arguments is not exported") end
    if (station.text ~= "map" and station.text ~= "shuffle") or changes.kind ~= "table" then
        refuse()
    end
    local way = writer.exporter:at_path { station.text, "serve" }
    local service = writer:temporary "service"
    local shares = way and way.value == "share"
    writer:line("pn_tandem_service %s = pn_tandem_policy_of(view)->%s;", service.c, station.text)
    for _, item in ipairs(changes.items) do
        if item.name == "serve" then shares = item.value.value == "share" end
    end
    for _, item in ipairs(changes.items) do
        local value = writer:value(item.value)
        local c = item.name == "serve" and WAYS[value.text]
            or item.name == "order" and writer:order(value, node)
            or item.name == "limit" and limit_of(writer, node, station.text, shares, value)
        writer:line("%s.%s = %s;", service.c, item.name == "serve" and "way" or item.name,
            c or refuse())
    end
    return values.new("nothing", string.format("must(view, pn_tandem_serve(view, %d, %s))",
        station.text == "map" and 0 or 1, service.c))
end }

---Writes `return` of wake.
local function return_delay(writer, list, node)
    local value = list[1] or values.none()
    if value.type == "nil" then
        writer:line "return PN_TANDEM_NEVER;"
        return
    end
    writer:line("return delay(view, %s);", writer:convert(value, "float", node))
end

M.forms = {
    wake = { nil_is_fine = true, head = "static double NAME(const VIEW *view)",
        returns = return_delay,
        last = "return PN_TANDEM_NEVER;" },
}

local HOOKS = {
    { c = "act", field = "act", form = "act", path = { "rates" } },
    { c = "wake", field = "wake", form = "wake", path = { "wake" } },
}

function M.hooks() return HOOKS end

---Returns where the definition has a key or a member.
function M.path(exporter, kind, name)
    local in_order = { "orders", name, kind }
    for _, item in ipairs(exporter.definition.items) do
        if item.name == "orders" then return in_order end
    end
    return { name, kind }
end

---Returns what a key gets behind the job: what is left of it.
local function sizes_given(i)
    return values.new("float", string.format("pn_tandem_%s_left(view, job)",
        i == 3 and "map" or "shuffle"))
end

function M.argument(writer, node, name, given, called)
    if name ~= "capacity" then writer:refuse(node, "an argument is not exported") end
    if given.type ~= "nil" then return writer:convert(given, "float", node) end
    return string.format("pn_tandem_%s_idle(view)", called == "fill_map" and "map" or "shuffle")
end

---Returns the model's part.
---@param of_values table pinion/export/values
---@param forms table of pinion/export
return function(of_values, forms)
    values = of_values
    M.forms.key = setmetatable({ given = sizes_given }, { __index = forms.key })
    return M
end
