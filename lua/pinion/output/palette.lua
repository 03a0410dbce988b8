-- The colours of all figures, for light and for dark backgrounds: Okabe and Ito's, which
-- colour-blind readers can tell apart, and a dark violet. What has no colour of its own is light
-- grey: two things never share a colour in silence.

local M = {}

---On a light background, in the order in which they are given.
M.LIGHT = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442",
    "#332288" }
---The same colours on a dark one.
M.DARK = { "#3D8FD1", "#E8743B", "#2BB58C", "#E39BC3", "#F2B134", "#8FD3FF", "#F7F08A",
    "#7C5CE0" }
---All that have none of these.
M.OTHERS, M.OTHERS_DARK = "#B9B9B9", "#707070"
---Lines of curves, which yellow would be too faint for.
M.LINES = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#332288",
    "#999999" }

local function channels(hex)
    return tonumber(hex:sub(2, 3), 16), tonumber(hex:sub(4, 5), 16), tonumber(hex:sub(6, 7), 16)
end

---Returns a colour as it looks on white when it covers so much of it.
---@param hex string
---@param share number
---@return string
function M.tint(hex, share)
    local mixed = {}
    for i, channel in ipairs { channels(hex) } do
        mixed[i] = math.floor(255 + (channel - 255) * share + 0.5)
    end
    return string.format("#%02X%02X%02X", table.unpack(mixed))
end

---Returns what can be read on a colour.
---@param hex string
---@return string
function M.ink(hex)
    local red, green, blue = channels(hex)
    return 0.299 * red + 0.587 * green + 0.114 * blue > 130 and "#000" or "#fff"
end

return M
