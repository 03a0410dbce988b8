-- What figures say, read out of their SVG.

local check = require "check"

local M = {}

function M.count(text, pattern)
    return select(2, text:gsub(pattern, ""))
end

---The figure is XML: every element ends, and nothing but elements and text is there.
function M.check_xml(name, svg)
    local depth, least = 0, 0
    for slash, _, closed in svg:gmatch "<(/?)([%a]+)[^<>]-(/?)>" do
        if slash == "/" then depth = depth - 1 elseif closed ~= "/" then depth = depth + 1 end
        least = math.min(least, depth)
    end
    check.equal(name .. ": elements end", depth, 0)
    check.equal(name .. ": none ends before it begins", least, 0)
    check.equal(name .. ": no stray brackets", M.count(svg, "<"), M.count(svg, ">"))
    check.is_true(name .. ": no numbers that are none", not svg:find '[" M]-?nan'
        and not svg:find '[" M]-?inf')
end

---The panels from the top: places and sizes in points.
---@return { x: number, y: number, width: number, height: number }[]
function M.panels(svg)
    local list = {}
    for x, y, width, height in svg:gmatch
        '<rect x="([%d.]+)" y="([%d.]+)" width="([%d.]+)" height="([%d.]+)" class="panel"' do
        list[#list + 1] = { x = tonumber(x), y = tonumber(y), width = tonumber(width),
            height = tonumber(height) }
    end
    return list
end

---The steps of a path: where each begins, and its height above the baseline, in points.
---@return { [1]: number, [2]: number }[]
function M.steps(path)
    local x, base = path:match "^M([%d.]+) ([%d.]+)"
    local steps, y = {}, base
    for to_x, to_y in path:gmatch "H([%d.]+)V([%d.]+)" do
        if tonumber(to_x) > tonumber(x) then steps[#steps + 1] = { tonumber(x), base - y } end
        x, y = to_x, to_y
    end
    steps[#steps + 1] = { tonumber(x), base - y }
    return steps
end

-- Square points below the steps.
local function area_of(path)
    local area, before = 0, nil
    for _, step in ipairs(M.steps(path)) do
        if before then area = area + (step[1] - before[1]) * before[2] end
        before = step
    end
    return area
end

---Stacked areas of a figure that has one for each panel: square points by the name in the tool tip,
---without what lies below, and in sum.
---@return table<string, number> areas, number all
function M.shares(svg)
    local paths, areas, all, below = {}, {}, 0, 0
    for path, name in svg:gmatch '<path class="share" [^>]*d="([^"]+)"><title>([^<]-): ' do
        table.insert(paths, 1, { path, name })
    end
    -- From the bottom of the lowest panel to the top of the highest.
    local base
    for _, one in ipairs(paths) do
        local own = one[1]:match "^M[%d.]+ ([%d.]+)"
        if own ~= base then base, below = own, 0 end
        local area = area_of(one[1])
        areas[one[2]] = (areas[one[2]] or 0) + area - below
        all, below = all + area - below, area
    end
    return areas, all
end

return M
