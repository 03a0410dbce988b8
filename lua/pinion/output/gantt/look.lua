-- What the parts of a chart look like: its style sheet, and the marks over bars that came to
-- nothing.

local M = {}

M.STYLE = [[
<style>
text { font-family: Helvetica, Arial, sans-serif; font-size: 12px; fill: #202020 }
.title { font-size: 15px; font-weight: bold }
.part { font-weight: bold }
.small { font-size: 11px; fill: #505050 }
.tiny { font-size: 9px; fill: #505050 }
.label { text-anchor: middle; font-weight: bold; stroke-width: 3; paint-order: stroke }
.panel { fill: #f6f6f6; stroke: #404040; stroke-width: 1 }
.frame { fill: none; stroke: #404040; stroke-width: 1 }
.grid { stroke: #dcdcdc; stroke-width: 0.7 }
.tick { stroke: #404040; stroke-width: 1 }
.band { stroke: #404040; stroke-width: 1; stroke-dasharray: 5 3 }
.strip { stroke: #fff; stroke-width: 1 }
.end { stroke: #000; stroke-width: 1.2; stroke-dasharray: 4 3 }
.down { fill: #dedede }
.level { fill: #8ab0cc }
.mark { fill: none; stroke: #000; stroke-width: 1 }
</style>
]]

local MARKS = {
    { fate = "killed", path = "M0 6L6 0" },
    { fate = "failed", path = "M0 0L6 6M0 6L6 0" },
    { fate = "lost", path = "M0 3H6" },
    { fate = "dropped", path = "M3 0V6" },
    { fate = "suspended", path = "M2 1V5M4 1V5" },
    { fate = "cancelled", path = "M0 0L6 6" },
    { fate = "unfinished", path = "M1 3H3" },
}

---How attempts end that come to nothing, in the order of the legend.
---@type string[]
M.FATES = {}
for i, mark in ipairs(MARKS) do M.FATES[i] = mark.fate end

---Returns the definitions of the marks that occur: black on a white edge, so that they show on any
---colour.
---@param has fun(fate: string): any
---@return string
function M.patterns(has)
    local parts = {}
    for _, mark in ipairs(MARKS) do
        if has(mark.fate) then
            parts[#parts + 1] = string.format(
                '<pattern id="%s" width="6" height="6" patternUnits="userSpaceOnUse"><path d="%s" '
                .. 'stroke="#fff" stroke-width="2.4" stroke-opacity="0.5"/><path d="%s" '
                .. 'stroke="#000" stroke-width="1.3"/></pattern>\n', mark.fate, mark.path,
                mark.path)
        end
    end
    return #parts > 0 and "<defs>\n" .. table.concat(parts) .. "</defs>\n" or ""
end

return M
