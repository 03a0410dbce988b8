-- What a paper's reproduction found, as text for a reader of the paper, as CSV, and as JSON with
-- every number.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local text = require "shared.text"

local M = {}

-- Prose is filled to this width; tables are as wide as they need to be.
local WIDTH = 110

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

-- ---- text ---------------------------------------------------------------------------------------

-- Nothing for a table whose columns have no titles: it is for files alone.
local function table_text(entry)
    local lines = entry.made:text()
    if lines == "" then return nil end
    return (entry.title and fill("  ", entry.title) or "") .. indented(lines, "  ")
end

local function claim_text(claim)
    local lines = {
        fill("  claim      ", claim.claim .. " (" .. claim.where .. ")"),
        fill("  paper      ", claim.paper),
    }
    if claim.reference and claim.reference ~= "" then
        lines[#lines + 1] = fill("  reference  ", claim.reference)
    end
    lines[#lines + 1] = fill("  ours       ", claim.ours)
    lines[#lines + 1] = fill("  verdict    ", claim.verdict:upper() .. ": " .. claim.because)
    return table.concat(lines)
end

---How many jobs a replica has, or whatever the paper counts; empty when its settings fix that.
---@param paper pinion.Paper
---@param jobs integer|nil
---@return string
function M.jobs_text(paper, jobs)
    if not jobs then return "" end
    return (paper.unit and ", " or " of ") .. text.count(jobs, paper.unit or "job")
end

---What stands before the first section.
function M.head_text(paper, options)
    local lines = {
        fill("", string.format("%s: \"%s\", %s.", paper.authors, paper.title, paper.venue)),
        fill("", string.format(
            "Reproduced: %s. Seed %d, %d seeds (replicas)%s unless said otherwise, pinion %s.",
            paper.reproduces, options.seed, options.seeds, M.jobs_text(paper, options.jobs),
            pinion.version)),
        fill("", "\"Reference\" is an independent simulator under the same rules: a number of ours "
            .. "that differs from it is flagged. Claims are the paper's: one that fails is a "
            .. "finding. Digests are of the decisions of all runs of a row: " .. papers.DIGEST_RULE
                .. "."),
    }
    return table.concat(lines, "\n")
end

---@param section pinion.PaperSection
---@return string
function M.section_text(section)
    local parts = {
        "\n" .. section.title .. "\n" .. string.rep("=", utf8.len(section.title)) .. "\n",
        fill("", section.where .. "."),
    }
    for _, sentence in ipairs(section.setup) do parts[#parts + 1] = fill("", sentence) end
    for _, entry in ipairs(section.tables) do
        local shown = table_text(entry)
        if shown then parts[#parts + 1] = "\n" .. shown end
    end
    for _, claim in ipairs(section.claims) do parts[#parts + 1] = "\n" .. claim_text(claim) end
    if #section.notes > 0 then parts[#parts + 1] = "\n" end
    for _, note in ipairs(section.notes) do parts[#parts + 1] = fill("  note       ", note) end
    for _, path in ipairs(section.figures) do
        parts[#parts + 1] = "  figure     " .. path .. "\n"
    end
    return table.concat(parts)
end

-- Every number of ours that was held to the reference, and those that differ.
local function comparisons_of(report)
    local count, differing = 0, {}
    for _, section in ipairs(report.sections) do
        for _, comparison in ipairs(section.comparisons) do
            count = count + 1
            if not comparison.agrees then
                differing[#differing + 1] = { section = section.name, comparison = comparison }
            end
        end
    end
    return count, differing
end

---@return integer how many numbers differ from the reference
function M.differing(report)
    local _, differing = comparisons_of(report)
    return #differing
end

local CLAIM_COLUMNS = {
    { key = "section", title = "section" }, { key = "where", title = "where" },
    { key = "label", title = "the paper's claim" }, { key = "verdict", title = "verdict" },
}

---What stands after the last section: every claim with its verdict, and the numbers that differ
---from the reference.
---@return string
function M.summary_text(report)
    local rows = {}
    for _, section in ipairs(report.sections) do
        for _, claim in ipairs(section.claims) do
            rows[#rows + 1] = {
                section = section.name, where = claim.where, label = claim.label,
                verdict = claim.verdict:upper(),
            }
        end
    end
    local count, differing = comparisons_of(report)
    local parts = {
        "\nSummary\n=======\n",
        indented(experiment.table(CLAIM_COLUMNS, rows):text(), "  "),
        "\n", count == 0 and "No number was compared with the reference.\n" or
            string.format("%s compared with the reference: %s.\n", text.count(count, "number"),
                #differing == 0 and "all agree" or string.format("%d differ", #differing)),
    }
    for _, entry in ipairs(differing) do
        local c = entry.comparison
        parts[#parts + 1] = string.format(
            "  DIFFERS  %s: %s: %.6g, reference %.6g, at most %.3g apart was expected\n",
            entry.section, c.label, c.ours, c.reference, c.tolerance)
    end
    if report.interrupted then parts[#parts + 1] = "Interrupted: sections are missing.\n" end
    return table.concat(parts)
end

---What the paper has and this reproduction does not run, each with the reason.
---@param paper pinion.Paper
---@return string
function M.left_out_text(paper)
    local parts = { "\nLeft out\n========\n" }
    for _, entry in ipairs(paper.left_out) do
        parts[#parts + 1] = fill("  ", entry.what .. ": " .. entry.why .. ".")
    end
    return table.concat(parts)
end

-- ---- files --------------------------------------------------------------------------------------

---One CSV file per table of a section.
---@param section pinion.PaperSection
---@param directory string
function M.section_csv(section, directory)
    for _, entry in ipairs(section.tables) do
        entry.made:csv(directory .. "/" .. entry.name .. ".csv")
    end
end

local CLAIM_KEYS = { "label", "where", "claim", "paper", "reference", "ours", "verdict", "because" }
local COMPARISON_KEYS = { "label", "ours", "reference", "tolerance", "agrees" }

local function table_of(keys, rows)
    local columns = {}
    for i, key in ipairs(keys) do columns[i] = { key = key } end
    return experiment.table(columns, rows)
end

-- Rows of all sections in one table, each with the name of its section.
local function over_sections(report, field, keys)
    local rows = {}
    for _, section in ipairs(report.sections) do
        for _, row in ipairs(section[field]) do
            rows[#rows + 1] = setmetatable({ section = section.name }, { __index = row })
        end
    end
    return table_of({ "section", table.unpack(keys) }, rows)
end

---The claims with their verdicts, and the numbers held to the reference.
---@param directory string
function M.report_csv(report, directory)
    over_sections(report, "claims", CLAIM_KEYS):csv(directory .. "/claims.csv")
    over_sections(report, "comparisons", COMPARISON_KEYS):csv(directory .. "/comparisons.csv")
end

-- ---- JSON ---------------------------------------------------------------------------------------

-- An object on one line, of { name, text of its value } pairs in this order.
local function object(fields)
    local parts = {}
    for i, field in ipairs(fields) do parts[i] = experiment.json(field[1]) .. ": " .. field[2] end
    return "{" .. table.concat(parts, ", ") .. "}"
end

local function list(texts)
    return "[" .. table.concat(texts, ", ") .. "]"
end

-- One element on each line, as the value of a field of the outer object.
local function rows(texts)
    if #texts == 0 then return "[]" end
    return "[\n    " .. table.concat(texts, ",\n    ") .. "\n  ]"
end

-- The outer object, one field on each line.
local function document(fields)
    local lines = {}
    for i, field in ipairs(fields) do
        lines[i] = "  " .. experiment.json(field[1]) .. ": " .. field[2]
    end
    return "{\n" .. table.concat(lines, ",\n") .. "\n}\n"
end

local function fields_of(values, names)
    local fields = {}
    for i, name in ipairs(names) do fields[i] = { name, experiment.json(values[name]) } end
    return fields
end

local function section_object(section)
    local tables = {}
    for i, entry in ipairs(section.tables) do
        tables[i] = object {
            { "name", experiment.json(entry.name) }, { "title", experiment.json(entry.title) },
            { "rows", entry.made:json() },
        }
    end
    local fields = fields_of(section, { "name", "title", "where", "setup" })
    table.move({
        { "tables", list(tables) }, { "claims", table_of(CLAIM_KEYS, section.claims):json() },
        { "comparisons", table_of(COMPARISON_KEYS, section.comparisons):json() },
        { "notes", experiment.json(section.notes) },
        { "figures", experiment.json(section.figures) },
    }, 1, 5, #fields + 1, fields)
    return object(fields)
end

---@param report table
---@return string
function M.json(report)
    local count, differing = comparisons_of(report)
    local fields = fields_of(report.paper, { "title", "authors", "venue" })
    table.insert(fields, 1, { "paper", experiment.json(report.paper.name) })
    local function add(name, value) fields[#fields + 1] = { name, value } end
    add("pinion", experiment.json(pinion.version))
    for _, name in ipairs { "seed", "seeds" } do add(name, experiment.json(report[name])) end
    add("digest_rule", experiment.json(papers.DIGEST_RULE))
    add("compared", experiment.json(count))
    add("differing", experiment.json(#differing))
    for _, name in ipairs { "jobs", "trace" } do
        if report[name] then add(name, experiment.json(report[name])) end
    end
    if report.interrupted then add("interrupted", "true") end
    if report.set then add("set", experiment.json(report.set)) end
    local sections = {}
    for i, section in ipairs(report.sections) do sections[i] = section_object(section) end
    add("sections", rows(sections))
    add("left_out", table_of({ "what", "why" }, report.paper.left_out):json())
    return document(fields)
end

---The list of the papers.
---@param all pinion.Paper[]
---@return string
function M.list_json(all)
    local entries = {}
    for i, paper in ipairs(all) do
        local sections = {}
        for k, section in ipairs(paper.sections) do
            sections[k] = object(fields_of(section, { "name", "title" }))
        end
        local fields = fields_of(paper, { "name", "title", "authors", "venue", "reproduces" })
        fields[#fields + 1] = { "sections", list(sections) }
        entries[i] = object(fields)
    end
    return document { { "papers", rows(entries) } }
end

return M
