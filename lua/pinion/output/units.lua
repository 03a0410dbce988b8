-- Units in which people read what models count in ms or permille.

local text = require "pinion.base.text"

local M = {}

---Returns the label of an axis in a unit that can be read, and what its values are divided by.
---@param label string with its unit in brackets at its end, if it has one
---@param most number the largest value, which says what can be read
---@return string label, number size
function M.axis(label, most)
    local quantity, unit = label:match "^(.*) %((%a+)%)$"
    if unit == "permille" then return quantity, 1000 end
    if unit ~= "ms" then return label, 1 end
    local name, size = text.unit_of(most)
    return string.format("%s (%s)", quantity, name), size
end

---@class pinion.Clock how a page writes moments
---@field axis string label of an axis of time
---@field unit number what moments are divided by
---@field suffix string behind a length of time

---Returns how moments of a model are written where lengths of time are as long as this.
---@param model pinion.Model
---@param most number
---@return pinion.Clock
function M.clock(model, most)
    if model.settings.unit ~= "ms" then
        return { axis = model.log.time.axis, unit = model.log.time.unit,
            suffix = model.words.time_unit }
    end
    local name, size = text.unit_of(most)
    return { axis = string.format("time (%s)", name), unit = size, suffix = " " .. name }
end

return M
