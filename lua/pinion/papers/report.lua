-- What a paper's reproduction found, as text for a reader of the paper, as CSV, and as JSON with every number.

local check = require "pinion.base.check"
local csv = require "pinion.base.csv"
local core = require "pinion.core"
local files = require "pinion.base.files"
local json = require "pinion.base.json"
local papers = require "pinion.papers"
local text = require "pinion.base.text"

local M = {}

-- Prose is filled to this width; tables are as wide as they need to be.
local WIDTH = 110

local VERDICTS = { [papers.HOLDS] = "HOLDS", [papers.PARTLY] = "HOLDS IN PART", [papers.FAILS] = "FAILS",
    [papers.UNDECIDED] = "UNDECIDED" }

-- Prose in lines of at most WIDTH, the first behind `head`, the others indented as far.
local function fill(head, prose)
    local lines, line = {}, head
    local indent, empty = string.rep(" ", utf8.len(head)), true
    for word in prose:gmatch "%S+" do
        if not empty and utf8.len(line) + 1 + utf8.len(word) > WIDTH then
            lines[#lines + 1] = line
            line, empty = indent, true
        end
        line = line .. (empty and "" or " ") .. word
        empty = false
    end
    lines[#lines + 1] = line
    return table.concat(lines, "\n") .. "\n"
end

local function indented(block, by)
    return (block:gsub("([^\n]+)", by .. "%1"))
end

-- ---- text ------------------------------------------------------------------------------------------------

-- Nothing for a table whose columns have no titles: it is for files alone.
local function table_text(made)
    local columns, rows = {}, {}
    for _, column in ipairs(made.columns) do
        if column.title then columns[#columns + 1] = column end
    end
    if #columns == 0 then return nil end
    local heads = {}
    for c, column in ipairs(columns) do heads[c] = { column.title, right = column.right } end
    for r, row in ipairs(made.rows) do
        rows[r] = {}
        for c, column in ipairs(columns) do
            local value = row[column.key]
            rows[r][c] = column.show and column.show(value, row) or value == nil and "-" or tostring(value)
        end
    end
    return (made.title and fill("  ", made.title) or "") .. indented(text.table(heads, rows), "  ")
end

local function claim_text(claim)
    local lines = { fill("  claim      ", claim.claim .. " (" .. claim.where .. ")"), fill("  paper      ", claim.paper) }
    if claim.reference and claim.reference ~= "" then lines[#lines + 1] = fill("  reference  ", claim.reference) end
    lines[#lines + 1] = fill("  ours       ", claim.ours)
    lines[#lines + 1] = fill("  verdict    ", VERDICTS[claim.verdict] .. ": " .. claim.because)
    return table.concat(lines)
end

---What stands before the first section.
function M.head_text(paper, options)
    local lines = {
        fill("", string.format("%s: \"%s\", %s.", paper.authors, paper.title, paper.venue)),
        fill("", string.format("Reproduced: %s. Seed %d, %d seeds (replicas)%s unless said otherwise, pinion %s.",
            paper.reproduces, options.seed, options.seeds,
            options.jobs and (paper.unit and ", " or " of ") .. text.count(options.jobs, paper.unit or "job") or "", core.version)),
        fill("", "\"Reference\" is an independent simulator under the same rules: a number of ours that differs from it is "
            .. "flagged. Claims are the paper's: one that fails is a finding. Digests are of the decisions of all runs of a "
            .. "row: " .. papers.DIGEST_RULE .. "."),
    }
    return table.concat(lines, "\n")
end

---@param section pinion.PaperSection
---@return string
function M.section_text(section)
    local parts = { "\n" .. section.title .. "\n" .. string.rep("=", utf8.len(section.title)) .. "\n", fill("", section.where
        .. ".") }
    for _, sentence in ipairs(section.setup) do parts[#parts + 1] = fill("", sentence) end
    for _, made in ipairs(section.tables) do
        local shown = table_text(made)
        if shown then parts[#parts + 1] = "\n" .. shown end
    end
    for _, claim in ipairs(section.claims) do parts[#parts + 1] = "\n" .. claim_text(claim) end
    if #section.notes > 0 then parts[#parts + 1] = "\n" end
    for _, note in ipairs(section.notes) do parts[#parts + 1] = fill("  note       ", note) end
    for _, path in ipairs(section.figures) do parts[#parts + 1] = "  figure     " .. path .. "\n" end
    return table.concat(parts)
end

-- Every number of ours that was held to the reference, and those that differ.
local function comparisons_of(report)
    local count, differing = 0, {}
    for _, section in ipairs(report.sections) do
        for _, comparison in ipairs(section.comparisons) do
            count = count + 1
            if not comparison.agrees then differing[#differing + 1] = { section = section.name, comparison = comparison } end
        end
    end
    return count, differing
end

---@return integer how many numbers differ from the reference
function M.differing(report)
    local _, differing = comparisons_of(report)
    return #differing
end

---What stands after the last section: every claim with its verdict, and the numbers that differ from the reference.
---@return string
function M.summary_text(report)
    local rows = {}
    for _, section in ipairs(report.sections) do
        for _, claim in ipairs(section.claims) do rows[#rows + 1] = { section.name, claim.where, claim.label,
            VERDICTS[claim.verdict] } end
    end
    local count, differing = comparisons_of(report)
    local parts = {
        "\nSummary\n=======\n",
        indented(text.table({ { "section" }, { "where" }, { "the paper's claim" }, { "verdict" } }, rows), "  "),
        "\n", count == 0 and "No number was compared with the reference.\n" or
            string.format("%s compared with the reference: %s.\n", text.count(count, "number"),
                #differing == 0 and "all agree" or string.format("%d differ", #differing)),
    }
    for _, entry in ipairs(differing) do
        local c = entry.comparison
        parts[#parts + 1] = string.format("  DIFFERS  %s: %s: %.6g, reference %.6g, at most %.3g apart was expected\n",
            entry.section, c.label, c.ours, c.reference, c.tolerance)
    end
    if report.interrupted then parts[#parts + 1] = "Interrupted: sections are missing.\n" end
    return table.concat(parts)
end

-- ---- files -----------------------------------------------------------------------------------------------

local function csv_cell(value)
    if value == nil then return "" end
    if type(value) == "number" then return json.number(value) end
    if type(value) == "boolean" then return tostring(value) end
    return csv.quote(value)
end

local function write_csv(path, keys, rows)
    files.write(path, function(write)
        write(table.concat(keys, ",") .. "\n")
        for _, row in ipairs(rows) do
            local cells = {}
            for i, key in ipairs(keys) do cells[i] = csv_cell(row[key]) end
            write(table.concat(cells, ",") .. "\n")
        end
    end)
end

local function keys_of(made)
    local keys = {}
    for _, column in ipairs(made.columns) do
        if not column.words then keys[#keys + 1] = column.key end
    end
    return keys
end

---One CSV file per table of a section.
---@param section pinion.PaperSection
---@param directory string
function M.section_csv(section, directory)
    for _, made in ipairs(section.tables) do write_csv(directory .. "/" .. made.name .. ".csv", keys_of(made), made.rows) end
end

local CLAIM_KEYS = { "label", "where", "claim", "paper", "reference", "ours", "verdict", "because" }

---The claims with their verdicts, and the numbers held to the reference.
---@param directory string
function M.report_csv(report, directory)
    local claims, comparisons = {}, {}
    for _, section in ipairs(report.sections) do
        for _, claim in ipairs(section.claims) do claims[#claims + 1] = setmetatable({ section = section.name },
            { __index = claim }) end
        for _, comparison in ipairs(section.comparisons) do
            comparisons[#comparisons + 1] = setmetatable({ section = section.name }, { __index = comparison })
        end
    end
    write_csv(directory .. "/claims.csv", { "section", table.unpack(CLAIM_KEYS) }, claims)
    write_csv(directory .. "/comparisons.csv", { "section", "label", "ours", "reference", "tolerance", "agrees" }, comparisons)
end

-- ---- JSON ------------------------------------------------------------------------------------------------

local function record(keys, row)
    local pairs_in_order = {}
    for i, key in ipairs(keys) do pairs_in_order[i] = { key, row[key] } end
    return json.object(pairs_in_order)
end

local function records(keys, rows)
    local list = {}
    for i, row in ipairs(rows) do list[i] = record(keys, row) end
    return json.list(list)
end

local function section_object(section)
    local tables = {}
    for i, made in ipairs(section.tables) do
        tables[i] = json.object { { "name", made.name }, { "title", made.title }, { "rows", records(keys_of(made), made.rows) } }
    end
    return json.object {
        { "name", section.name }, { "title", section.title }, { "where", section.where }, { "setup", json.list(section.setup) },
        { "tables", json.list(tables) }, { "claims", records(CLAIM_KEYS, section.claims) },
        { "comparisons", records({ "label", "ours", "reference", "tolerance", "agrees" }, section.comparisons) },
        { "notes", json.list(section.notes) }, { "figures", json.list(section.figures) },
    }
end

---@param report table
---@param write fun(text: string)
function M.json(report, write)
    local paper = report.paper
    local count, differing = comparisons_of(report)
    local fields = {
        { "paper", paper.name }, { "title", paper.title }, { "authors", paper.authors }, { "venue", paper.venue },
        { "pinion", core.version },
        { "seed", report.seed }, { "seeds", report.seeds }, { "digest_rule", papers.DIGEST_RULE },
        { "compared", count }, { "differing", #differing },
        { "sections", json.rows(#report.sections, function(i) return json.encode(section_object(report.sections[i])) end) },
    }
    for _, name in ipairs { "jobs", "trace", "interrupted" } do
        if report[name] then table.insert(fields, #fields, { name, report[name] }) end
    end
    if report.set then table.insert(fields, #fields, { "set", record(check.sorted_keys(report.set), report.set) }) end
    json.write(fields, write)
    write("\n")
end

return M
