-- How many verdicts change with the number of seeds: a paper with few seeds beside the same paper
-- with as many as it takes by default.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local text = require "shared.text"

local M = {}

local KEYS = { "paper", "section", "claim", "few_seeds", "few", "many_seeds", "many" }

local function key_of(section, claim)
    return table.concat({ section.name, claim.where, claim.label }, "\n")
end

---Lists the claims of two reports on one paper with both verdicts.
---@param few table report with few seeds
---@param many table report with more
---@return table[] rows
function M.rows(few, many)
    local verdicts, rows = {}, {}
    for _, section in ipairs(few.sections) do
        for _, claim in ipairs(section.claims) do
            verdicts[key_of(section, claim)] = claim.verdict:upper()
        end
    end
    for _, section in ipairs(many.sections) do
        for _, claim in ipairs(section.claims) do
            rows[#rows + 1] = { paper = many.paper.name, section = section.name,
                claim = claim.label, few_seeds = few.seeds, many_seeds = many.seeds,
                few = verdicts[key_of(section, claim)] or "-", many = claim.verdict:upper() }
        end
    end
    return rows
end

---Runs papers with few seeds and with their own number of seeds.
---@param list { paper: pinion.Paper, settings: pinion.PaperOptions }[]
---@param seeds integer few
---@return table[] rows
function M.measure(list, seeds)
    local rows = {}
    for _, entry in ipairs(list) do
        local reports = {}
        for i, count in ipairs { seeds, entry.settings.seeds } do
            local settings = setmetatable({ seeds = count }, { __index = entry.settings })
            reports[i] = papers.reproduce(entry.paper, settings)
            if reports[i].interrupted then error(reports[i].interrupted, 0) end
        end
        local made = M.rows(table.unpack(reports))
        table.move(made, 1, #made, #rows + 1, rows)
    end
    return rows
end

-- The rows whose verdicts differ, and how many of them are UNDECIDED once.
local function changed_of(rows)
    local changed, undecided = {}, 0
    local open = papers.UNDECIDED:upper()
    for _, row in ipairs(rows) do
        if row.few ~= row.many then
            changed[#changed + 1] = row
            if row.few == open or row.many == open then undecided = undecided + 1 end
        end
    end
    return changed, undecided
end

local function columns(seeds)
    return {
        { key = "paper", title = "paper" }, { key = "section", title = "section" },
        { key = "claim", title = "claim" },
        { key = "few", title = string.format("with %d seeds", seeds) },
        { key = "many_seeds", title = "seeds", right = true, show = text.amount },
        { key = "many", title = "with these" },
    }
end

---Writes the verdicts that differ.
---@param rows table[]
---@param seeds integer few
---@return string
function M.text(rows, seeds)
    local changed, undecided = changed_of(rows)
    local counts = string.format("Different: %d of %s, %d of them UNDECIDED with one of the two "
        .. "numbers of seeds.\n", #changed, text.count(#rows, "verdict"), undecided)
    return #changed == 0 and counts
        or experiment.table(columns(seeds), changed):text() .. "\n" .. counts
end

---Makes a table of all verdicts, for files.
---@param rows table[]
---@return pinion.Table
function M.table(rows)
    local made = {}
    for i, key in ipairs(KEYS) do made[i] = { key = key } end
    return experiment.table(made, rows)
end

return M
