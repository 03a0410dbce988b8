-- What the kernel's keys of jobs mean, as numbers: an order has two words of each, the first of
-- which decides. Tables of policies name the readers here.

local M = {}

---@class pinion.RankedJob where an order of a policy has a job
---@field job integer
---@field place integer from 1 on
---@field high integer the first word of its key, 64 bits
---@field low integer the second one
---@field rank integer
---@field queue integer

---@alias pinion.KeyReader fun(ranked: pinion.RankedJob): number|nil, string|nil

---@class pinion.PolicyOrder jobs that a policy ranks one after the other
---@field orders integer[] of the kernel, from 0 on; those of the first go before those of the next
---@field of string|nil the kind that jobs in it wait for; nil: any
---@field key string what the key is, with its unit
---@field read pinion.KeyReader the key as a number; nil: the job has none, or its place says all; and what there is to say besides

---@class pinion.PolicyOrders
---@field policies table<string, pinion.PolicyOrder[]|string> by name; a text: why it has none
---@field others pinion.PolicyOrder[] of policies in Lua
---@field apart boolean|nil whether jobs compete with those of their own rank only

local WORD = 2.0 ^ 64

local function unsigned(word)
    return word >= 0 and word + 0.0 or word + WORD
end

---Jobs in order of arrival: their place says all.
function M.none() return nil end

---@param ranked pinion.RankedJob
function M.whole(ranked)
    return ranked.high >= 0 and ranked.high or unsigned(ranked.high)
end

---Those with the largest number first.
function M.most(ranked) return ~ranked.high end

---The image of a double, see pn_key_double.
function M.real(ranked)
    local word = ranked.high
    word = word < 0 and word & math.maxinteger or ~word
    return (string.unpack("<d", string.pack("<i8", word)))
end

---Machines held for the weight, see share_word of the slotted model.
function M.share(ranked)
    if ranked.low == ranked.job then return ranked.high end
    return ranked.high + ranked.low / 2.0 ^ 41
end

---The first word in parts of a unit.
function M.parts(unit)
    return function(ranked) return unsigned(ranked.high) / unit end
end

---Both words as one number, in parts of a unit.
function M.wide(unit)
    return function(ranked) return (unsigned(ranked.high) * WORD + unsigned(ranked.low)) / unit end
end

-- No finite double has an image below this, nor its complement.
local RAW = 1 << 52

---Of a policy in Lua: a double, or one of the keys that the kernel knows; in order of arrival they
---are the jobs' numbers.
function M.scripted(ranked)
    local high = ranked.high
    if 0 <= high and high < RAW then return M.share(ranked) end
    if high < 0 and ~high < RAW then return M.most(ranked) end
    return M.real(ranked)
end

---Where the kernel knows no other such key than the number of a job, or of its start.
function M.scripted_or_number(ranked)
    local numbered = ranked.low == ranked.job and 0 <= ranked.high and ranked.high < RAW
    if numbered then return nil end
    return M.scripted(ranked)
end

-- Priorities stand ahead of keys of the kernel, in the first word from this bit on.
local PRIORITY_BIT, NORMAL = 43, 1000000

---A key that has the job's priority ahead of it, see behind_priority of the kernel's policies.
---@param read pinion.KeyReader of what is left: where one word is enough, in the first one
---@param words integer of the key
---@return pinion.KeyReader
function M.behind_priority(read, words)
    local rest = {}
    return function(ranked)
        local priority = NORMAL - (ranked.high >> PRIORITY_BIT)
        local high = ranked.high & (1 << PRIORITY_BIT) - 1
        rest.job, rest.place, rest.rank, rest.queue = ranked.job, ranked.place, ranked.rank,
            ranked.queue
        rest.high, rest.low = words == 1 and ranked.low or high, ranked.low
        local value, note = read(rest)
        if priority == 0 then return value, note end
        return value, string.format("priority %d%s", priority, note and ", " .. note or "")
    end
end

---One order of the kernel.
---@param order integer
---@param key string
---@param read pinion.KeyReader
---@param of string|nil
---@return pinion.PolicyOrder
function M.order(order, key, read, of)
    return { orders = { order }, key = key, read = read, of = of }
end

M.ARRIVAL = "order of arrival"

-- What a policy in Lua calls its key, nobody knows.
M.SCRIPTED = "as the policy computes it"

return M
