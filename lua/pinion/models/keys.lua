-- The orders of a policy and what their keys are: words, and the numbers in the two words of a key.
-- The policy says of which parts its keys are made: see pn_key_part in pn_base.h.

local M = {}

---@class pinion.RankedJob where an order of a policy has a job
---@field job integer
---@field place integer from 1 on
---@field high integer the first word of its key, 64 bits
---@field low integer the second one
---@field rank integer
---@field queue integer

---@class pinion.KeyPart one of pn_key_part
---@field form string
---@field name string|nil
---@field names string[]|nil
---@field orders string|nil
---@field unit number|nil
---@field base integer
---@field word integer
---@field shift integer
---@field bits integer
---@field alone boolean
---@field choice integer

---@class pinion.PolicyOrder jobs that a policy ranks one after the other
---@field orders integer[] of the kernel, from 0 on; those of the first go before those of the next
---@field of string|nil the kind that jobs in it wait for; nil: any
---@field key string what the key is, with its unit
---@field read fun(ranked: pinion.RankedJob): number|nil, string|nil, number|nil the key as a number (nil: the job has none, or its place says all), what there is to say besides, and the number that breaks ties

-- ---- numbers ------------------------------------------------------------------------------------

local WORD = 2.0 ^ 64

local function unsigned(word)
    return word >= 0 and word + 0.0 or word + WORD
end

-- Returns the image of a double, see pn_key_double.
local function real(word)
    word = word < 0 and word & math.maxinteger or ~word
    return (string.unpack("<d", string.pack("<i8", word)))
end

local function bits_of(part, ranked)
    local word = (part.word == 0 and ranked.high or ranked.low) >> part.shift
    return part.bits < 64 and word & (1 << part.bits) - 1 or word
end

local function in_unit(part, number)
    return part.unit and number / part.unit or number
end

-- No finite double has an image below this, nor its complement.
local RAW = 1 << 52

local function is_image(word)
    return word >= RAW or ~word >= RAW
end

-- What a number is, by the form of its part; a second one is of equal jobs.
local NUMBERS = {}

function NUMBERS.whole(part, ranked)
    local bits = bits_of(part, ranked)
    if part.base == 0 and (bits < 0 or part.unit) then bits = unsigned(bits) end
    return in_unit(part, bits - part.base)
end

function NUMBERS.falling(part, ranked) return in_unit(part, part.base - bits_of(part, ranked)) end

function NUMBERS.wide(part, ranked)
    return in_unit(part, unsigned(bits_of(part, ranked)) * WORD + unsigned(ranked.low))
end

function NUMBERS.signed(_, ranked)
    local high = ranked.high ~ math.mininteger
    if high == (ranked.low < 0 and -1 or 0) then return ranked.low end
    return high * WORD + unsigned(ranked.low)
end

function NUMBERS.real(part, ranked)
    local word = bits_of(part, ranked)
    return real(part.bits < 64 and word | math.mininteger or word)
end

-- Returns the machines held for the weight, see share_word of the slotted model.
function NUMBERS.share(_, ranked)
    if ranked.low == ranked.job then return ranked.high end
    return ranked.high + ranked.low / 2.0 ^ 41
end

-- Returns the numbers of a policy in Lua: one double or two, or a key that the kernel knows; in
-- order of arrival these are the jobs' numbers.
function NUMBERS.scripted(part, ranked)
    local high = ranked.high
    if 0 <= high and high < RAW then return NUMBERS.share(part, ranked) end
    if high < 0 and ~high < RAW then return ~high end
    return real(high), ranked.low ~= ranked.job and is_image(ranked.low) and real(ranked.low) or nil
end

-- Returns them where the kernel knows no other key without doubles than the number of a job, or of
-- its start.
function NUMBERS.scripted_or_number(part, ranked)
    if ranked.low == ranked.job and 0 <= ranked.high and ranked.high < RAW then return nil end
    return NUMBERS.scripted(part, ranked)
end

-- Returns them in the tandem model, where the second word of a key that the kernel knows need not
-- be a double.
function NUMBERS.scripted_first(part, ranked)
    return (NUMBERS.scripted_or_number(part, ranked))
end

-- Returns what to say of a part that is no number.
local function note_of(part, ranked)
    if part.form == "priority" then
        local priority = part.base - bits_of(part, ranked)
        return priority ~= 0 and "priority " .. priority or nil
    end
    local index = part.form == "rank" and ranked.rank or bits_of(part, ranked)
    local note = part.names and part.names[index + 1]
    return note ~= "" and note or nil
end

local function reader(parts)
    return function(ranked)
        local numbers, notes, alone = {}, {}, false
        for _, part in ipairs(parts) do
            local number = not part.names and NUMBERS[part.form]
            if number then
                table.move({ number(part, ranked) }, 1, 2, #numbers + 1, numbers)
            else
                local note = note_of(part, ranked)
                notes[#notes + 1] = note
                alone = alone or note ~= nil and part.alone
            end
        end
        local note = #notes > 0 and table.concat(notes, ", ") or nil
        if alone then return nil, note end
        return numbers[1], note, numbers[2]
    end
end

-- ---- words --------------------------------------------------------------------------------------

-- Returns the numbers in their order, and what else there is to say of them.
local function words_of(parts)
    local numbers, others = {}, {}
    for _, part in ipairs(parts) do
        local list = NUMBERS[part.form] and not part.names and numbers or others
        list[#list + 1] = part.name
    end
    if #numbers > 0 then table.insert(others, 1, table.concat(numbers, ", then ")) end
    return table.concat(others, "; ")
end

-- ---- orders -------------------------------------------------------------------------------------

local function filtered(parts, is_wanted)
    local found = {}
    for _, part in ipairs(parts) do
        if is_wanted(part) then found[#found + 1] = part end
    end
    return found
end

-- Returns the sets of orders with keys of their own, each as the digits of its orders.
local function sets_of(parts, kinds)
    local sets, seen = {}, {}
    for _, part in ipairs(parts) do
        if part.orders and not seen[part.orders] then
            seen[part.orders], sets[#sets + 1] = true, part.orders
        end
    end
    for i = 1, #sets > 0 and 0 or #kinds do sets[i] = tostring(i - 1) end
    return sets
end

-- Orders of the same kind with the same key lie one behind the other.
local function add_orders(list, digits, parts, kinds)
    local key, read, by_kind = words_of(parts), reader(parts), {}
    for digit in digits:gmatch "%d" do
        local order = math.tointeger(digit)
        local kind = kinds[order + 1]
        if kind and not by_kind[kind] then
            by_kind[kind] = { orders = {}, key = key, read = read, of = kind ~= "" and kind or nil }
            list[#list + 1] = by_kind[kind]
        end
        if kind then table.insert(by_kind[kind].orders, order) end
    end
end

local function parts_of(policy, default)
    if policy.keys then return policy.keys end
    return { setmetatable({ name = policy.key_name }, { __index = default }) }
end

local function orders_of(parts, kinds)
    local list = {}
    for _, digits in ipairs(sets_of(parts, kinds)) do
        add_orders(list, digits, filtered(parts, function(part)
            return not part.orders or part.orders == digits
        end), kinds)
    end
    table.sort(list, function(a, b) return a.orders[1] < b.orders[1] end)
    return list
end

-- Returns the parts that are there with this value of the policy's first parameter, from 1 on.
local function chosen(parts, choice)
    return filtered(parts, function(part) return part.choice == 0 or part.choice == choice end)
end

-- Returns what parts are chosen by.
local function selector(policy, parts)
    return #filtered(parts, function(part) return part.choice > 0 end) > 0 and policy.params[1]
end

---Returns the orders of a policy, or why it has none.
---@param policy pinion.Policy
---@param default pinion.KeyPart where the policy does not say what its keys are
---@param params table<string, any>|nil values of its parameters
---@return pinion.PolicyOrder[]|string
function M.orders(policy, default, params)
    local parts = parts_of(policy, default)
    if parts[1].form == "none" then return parts[1].name end
    local parameter = selector(policy, parts)
    if parameter then
        local value = params and params[parameter.name]
        if value == nil then value = parameter.value end
        for i, choice in ipairs(parameter.choices) do
            if choice == value then parts = chosen(parts, i) end
        end
    end
    return orders_of(parts, policy.orders)
end

-- Adds the keys of these parts in words, each once.
local function add_words(lines, parts, kinds, condition)
    for _, order in ipairs(orders_of(parts, kinds)) do
        local line = order.key .. condition
        if not lines[line] then lines[line], lines[#lines + 1] = true, line end
    end
end

---Returns what a policy's keys are, in one line; nil where it does not say.
---@param policy pinion.Policy
---@param default pinion.KeyPart
---@return string|nil
function M.text(policy, default)
    local parts, lines = parts_of(policy, default), {}
    if parts[1].form == "none" then return "none: " .. parts[1].name end
    if parts[1].name == M.SCRIPTED.name then return nil end
    local parameter = selector(policy, parts)
    if not parameter then add_words(lines, parts, policy.orders, "") end
    for i, choice in ipairs(parameter and parameter.choices or {}) do
        add_words(lines, chosen(parts, i), policy.orders,
            string.format(" (%s %s)", parameter.name, choice))
    end
    return table.concat(lines, "; or ")
end

-- ---- where a policy does not say what its keys are ----------------------------------------------

---Returns a key of one part.
---@param name string
---@param form string
---@return pinion.KeyPart
function M.part(name, form)
    return { name = name, form = form, base = 0, word = 0, shift = 0, bits = 64, alone = false,
        choice = 0 }
end

local AS_COMPUTED <const> = "as the policy computes it"
M.SCRIPTED = M.part(AS_COMPUTED, "scripted")
M.SCRIPTED_OR_NUMBER = M.part(AS_COMPUTED, "scripted_or_number")
M.SCRIPTED_FIRST = M.part(AS_COMPUTED, "scripted_first")

return M
