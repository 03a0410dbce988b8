-- The settings of comparisons and sweeps about stores and the number of replicas: read from
-- options of scripts and of the command line alike.

local check = require "pinion.base.check"
local core = require "pinion.core"
local models = require "pinion.models"
local quantity = require "pinion.base.quantity"
local single = require "pinion.run.single"
local store_of = require "pinion.base.store"

local M = {}

-- More parts than this are a slip of the pen.
local PARTS_MAX = 1000000

-- Without --replicas, the first round of --until-half.
M.FIRST_ROUND = 10

-- The largest number of replicas that --until-half comes to by itself.
M.MOST = 1000

---Reads "7/100": part 7 of 100.
---@return { part: integer, of: integer }|nil, string|nil reason
function M.read_shard(value)
    local part, of = tostring(value):match "^%s*(%d+)%s*/%s*(%d+)%s*$"
    part, of = math.tointeger(part), math.tointeger(of)
    if part and of and 1 <= part and part <= of and of <= PARTS_MAX then
        return { part = part, of = of }
    end
    return nil, "must be PART/PARTS such as 7/100, got " .. check.show(value)
end

-- Returns the measures of which rows have intervals.
local function measures_of(model)
    local names = {}
    for _, column in ipairs(model.results.columns) do
        if column.measure then names[#names + 1] = column.name end
    end
    return names
end

---Reads "1%", or "mean_slowdown=1%".
---@param model pinion.Model
---@return { metric: string, ratio: number }|nil, string|nil reason
function M.read_until_half(model, value)
    local shape = "must be a share of the mean such as 1%, or MEASURE=1%, got "
    local metric, share = tostring(value):match "^%s*([%a_][%w_]*)%s*=%s*(.-)%s*$"
    local names = measures_of(model)
    share = share or value
    local percent = tostring(share):match "^%s*(.-)%s*%%%s*$"
    local number, why = quantity.number(percent or share, 0, percent and 100 or 1, true)
    if not number then return nil, shape .. check.show(value) .. " (" .. why .. ")" end
    if metric then
        local known, reason = check.choice(metric, names)
        if not known then return nil, reason end
    end
    return { metric = metric or names[1], ratio = percent and number / 100 or number }
end

---Returns the number of replicas: where the jobs are cut into windows, one for each of these unless
---fewer are asked for.
---@param given integer|nil as the user gave it
---@param settings pinion.Settings gets the number of windows
---@param fail fun(option: string, reason: string)
---@return integer
function M.replicas(given, settings, fail)
    settings.windows = single.windows(settings)
    if settings.windows and (given or 0) > settings.windows then
        fail("replicas", string.format("must be at most %d, the windows of the workload that have "
            .. "jobs, got %d", settings.windows, given))
    end
    return given or settings.windows or 1
end

---@class pinion.StoringOptions as the user gave them, checked
---@field store string|nil a folder
---@field shard { part: integer, of: integer }|nil
---@field only_stored boolean|nil
---@field retry boolean|nil
---@field survey boolean|nil true: nothing is run, and the store need not be there
---@field until_half any|nil
---@field replicas integer|nil
---@field replicas_most integer|nil

---Checks the options together, opens the store, and fills in what plans need.
---@param given pinion.StoringOptions
---@param options pinion.PlanOptions is filled
---@param settings pinion.Settings
---@param experiment string what the store's units are for
---@param fail fun(option: string, reason: string)
function M.fill(given, options, settings, experiment, fail)
    for _, name in ipairs { "shard", "only_stored", "retry" } do
        if given[name] and not given.store and not given.survey then
            fail(name, "needs store")
        end
    end
    if given.store == "" then fail("store", "must be the name of a folder, got ''") end
    if not given.survey and given.only_stored and (given.shard or given.retry) then
        fail("only_stored", "runs nothing, which contradicts shard and retry")
    end
    if given.replicas_most and given.until_half == nil then
        fail("replicas_most", "needs until_half")
    end
    if given.until_half ~= nil then
        local half, why = M.read_until_half(models.of(settings), given.until_half)
        if not half then return fail("until_half", why) end
        if given.shard then
            fail("shard", "has no effect with until_half, which determines the number of "
                .. "replicas during the run (run the same command on several machines to share "
                .. "the work through the store)")
        end
        local windows = settings.windows or math.huge
        options.replicas = given.replicas or math.min(M.FIRST_ROUND, windows)
        half.most = math.min(given.replicas_most or math.max(M.MOST, options.replicas), windows)
        if options.replicas < 2 then fail("replicas", "until_half takes at least 2") end
        if half.most < options.replicas then
            fail("replicas_most", "is less than replicas, " .. options.replicas)
        end
        options.until_half = half
    end
    options.shard, options.only_stored, options.retry = given.shard, given.only_stored, given.retry
    if not given.store or given.survey and not core.file_exists(given.store) then return end
    options.store = store_of.open(given.store, not given.only_stored and experiment or nil)
end

return M
