-- What the readers of the models share: optional fields of jobs, what messages call a job, and
-- where a parameter stands.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"

local M = {}

---@class pinion.Place says where a job of the list stands
---@field lua boolean whether the list is made of Lua tables, which are not marked as arrays
---@field fail fun(index: integer|nil, field: string|nil, reason: string) raises; index nil: the list itself
---@field inexact table<number, integer>|nil floats that the file gives by longer literals, with their lines

---Counts the groups, but for that of the jobs without one.
---@param groups any[]
---@return integer
function M.named(groups)
    local count = 0
    for _, group in ipairs(groups) do count = count + (group and 1 or 0) end
    return count
end

---@param job table
---@return string " ('its name')", or nothing
function M.label(job)
    return type(job.name) == "string" and string.format(" (%s)", check.show(job.name)) or ""
end

---Returns the file that a parameter of a run is in; nil for one of the command line.
---@param settings pinion.Settings
---@param path string the parameter's name, and perhaps more behind it
---@return string|nil
function M.where_of(settings, path)
    local given = settings.params_given and settings.params_given[path:match("^[%w_]+")]
    return given == nil and settings.params_where or nil
end

---Settles the seed. Where a model draws by the scenario's seed, it may be among the parameters too;
---then it is the scenario's own.
---@param settings pinion.Settings
function M.settle_seed(settings)
    local given = settings.params and settings.params.seed
    if given == nil then return end
    local where = M.where_of(settings, "seed")
    local seed, why = check.integer(given, 0, check.INTEGER_MAX)
    if not seed then fault.at(where, "params.seed", why) end
    if settings.seed ~= nil and settings.seed ~= seed then
        fault.at(where, "params.seed",
            string.format("must be the scenario's seed, %d, or be left out, got %d", settings.seed,
            seed))
    end
    local params = {}
    for name, value in next, settings.params do params[name] = value end
    params.seed = nil
    settings.seed, settings.params = seed, params
end

---Raises a fault when of two parameters the lower end of a range is beyond the upper one.
---@param settings pinion.Settings
---@param lower string
---@param upper string
---@param default integer of both
function M.check_range(settings, lower, upper, default)
    local params = settings.params or {}
    local lo, hi = math.tointeger(params[lower]), math.tointeger(params[upper])
    if (lo or default) <= (hi or default) then return end
    local name = hi and upper or lower
    local other = hi and string.format("must be >= %s, which is %d%s, got %d", lower,
        lo or default, lo and "" or " by default", hi)
    fault.at(M.where_of(settings, name), "params." .. name,
        other or string.format("must be <= %s, which is %d by default, got %d", upper, default,
        lo))
end

return M
