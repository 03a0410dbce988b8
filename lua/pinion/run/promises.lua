-- Promises of the cluster model that leave something out, in one voice for runs, comparisons and sweeps: where a node is offered
-- slots at its heartbeats only, tasks wait for them, and a policy that admits jobs by estimates knows of that by est_extra_ms alone.

local M = {}

-- The longest time between two heartbeats of the runs; 0: there is none.
local function longest_beat(params, axes)
    local longest = math.tointeger(params.heartbeat_ms) or 0
    for _, axis in ipairs(axes) do
        if axis.name == "params.heartbeat_ms" then
            for _, value in ipairs(axis.values) do longest = math.max(longest, math.tointeger(value) or 0) end
        end
    end
    return longest
end

local function varies(axes, name)
    for _, axis in ipairs(axes) do
        if axis.name == name then return true end
    end
    return false
end

---Says what promises leave out, once. Whoever has given est_extra_ms knows.
---@param settings pinion.Settings
---@param rows { promises: boolean|nil }[] of a comparison or a sweep, or a result
---@param axes pinion.Axis[]|nil of a sweep
function M.warn(settings, rows, axes)
    local params, promises = settings.params or {}, false
    axes = axes or {}
    for _, row in ipairs(rows) do promises = promises or row.promises end
    if not promises or params.est_extra_ms ~= nil or varies(axes, "params.est_extra_ms") then return end
    local beat = longest_beat(params, axes)
    if beat > 0 then
        io.stderr:write(string.format("pinion: heartbeat_ms is %d and est_extra_ms 0: promises leave out what tasks wait for heartbeats "
            .. "(expected est_extra_ms=auto)\n", beat))
    end
end

return M
