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

return M
