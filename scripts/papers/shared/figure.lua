-- Figures of the papers: every policy has one look in all of them, legible in print and without
-- colour.

local experiment = require "pinion".experiment

local M = {}

-- Okabe and Ito's colours, which colour-blind readers can tell apart; each with a point and a dash
-- of its own.
M.COLOURS = {
    blue = "#0072B2", orange = "#D55E00", green = "#009E73", pink = "#CC79A7", black = "#000000",
    grey = "#808080",
}

---What a policy looks like in every figure.
M.STYLES = {
    fifo = { colour = "#0072B2", dash = 1, point = 4 },
    fair = { colour = "#009E73", dash = 2, point = 8 },
    lrpt = { colour = "#CC79A7", dash = 4, point = 12 },
    asrpt = { colour = "#D55E00", dash = 1, point = 7 },
    dsrpt = { colour = "#E69F00", dash = 3, point = 10 },
    psrpt = { colour = "#000000", dash = 5, point = 2 },
    klps = { colour = "#009E73", dash = 2, point = 8 },
    ps = { colour = "#009E73", dash = 2, point = 8 },
    maxsrpt = { colour = "#0072B2", dash = 1, point = 4 },
    splitsrpt = { colour = "#D55E00", dash = 1, point = 7 },
    bsrpt = { colour = "#000000", dash = 5, point = 2 },
    ["hsrtf-pu"] = { colour = "#CC79A7", dash = 4, point = 12 },
    ["hsrtf-pup"] = { colour = "#E69F00", dash = 3, point = 10 },
    ["hsrtf-pr"] = { colour = "#D55E00", dash = 1, point = 7 },
    ["hsrtf-prp"] = { colour = "#000000", dash = 5, point = 2 },
    ["rtmr/rtmr"] = { colour = "#D55E00", dash = 1, point = 7 },
    ["rtmr/open"] = { colour = "#E69F00", dash = 3, point = 10 },
    ["rtmr/live"] = { colour = "#0072B2", dash = 1, point = 4 },
    ["rtmr/dc"] = { colour = "#009E73", dash = 2, point = 8 },
    ["rtmr/srmax"] = { colour = "#CC79A7", dash = 4, point = 12 },
}

---A string of gnuplot's language.
---@param value string
---@return string
function M.quote(value)
    return "'" .. value:gsub("'", "''") .. "'"
end

---@return string "linecolor … dashtype …" and the like
function M.line(policy)
    local style = M.STYLES[policy]
    return string.format("linecolor rgb '%s' dashtype %d linewidth 2", style.colour, style.dash)
end

---@return string
function M.points(policy)
    local style = M.STYLES[policy]
    return string.format("linecolor rgb '%s' pointtype %d pointsize 0.8", style.colour, style.point)
end

---One line of a data file.
function M.row(...)
    local cells = table.pack(...)
    for i = 1, cells.n do
        local value = cells[i]
        if math.type(value) == "float" then
            cells[i] = value == value and experiment.json(value) or "?"
        end
        if value == nil then cells[i] = "?" end
    end
    return table.concat(cells, "\t")
end

---Draws a figure. The script finds its data in the variable `data`.
---@param base string path without extension
---@param width integer
---@param height integer
---@param script string
---@param blocks string[][] blocks of lines, which the script addresses by `index`
---@return string|nil path of the figure; nil when gnuplot is not installed
function M.draw(base, width, height, script, blocks)
    local texts = {}
    for i, block in ipairs(blocks) do texts[i] = table.concat(block, "\n") .. "\n" end
    local path = base .. ".svg"
    local drawn = experiment.figure {
        path = path, width = width, height = height, script = script,
        data = table.concat(texts, "\n\n"),
    }
    return drawn and path or nil
end

return M
