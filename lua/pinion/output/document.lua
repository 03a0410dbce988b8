-- A result as a document: lines, tables and lists of what and how much, which become aligned text,
-- Markdown or LaTeX.

local text = require "pinion.base.text"

local M = {}

---@class pinion.Document
local Document = {}
Document.__index = Document

---@return pinion.Document
function M.new()
    return setmetatable({}, Document)
end

---Adds lines, each ended by a newline or the last one not; nothing for an empty text.
---@param lines string
function Document:lines(lines)
    for line in (lines:gsub("\n$", "") .. "\n"):gmatch "(.-)\n" do
        if lines ~= "" then self[#self + 1] = { line = text.visible(line) } end
    end
end

---Adds an empty line, which only text has.
function Document:gap()
    self[#self + 1] = { line = "" }
end

---@param columns { [1]: string, right: boolean? }[] title and alignment
---@param rows string[][]
---@param width integer|nil aligned text goes on in further tables where it is wider than this
---@param heading string|nil what a page puts above it
function Document:table(columns, rows, width, heading)
    self[#self + 1] = { columns = columns, rows = rows, width = width, heading = heading }
end

---Adds what is in another document.
---@param other pinion.Document
---@param heading string of its first table
function Document:add(other, heading)
    for _, block in ipairs(other) do
        if block.columns and heading then block.heading, heading = heading, nil end
        self[#self + 1] = block
    end
end

---@param entries string[][] { label, value }
function Document:list(entries)
    self[#self + 1] = { entries = entries }
end

-- ---- aligned text -------------------------------------------------------------------------------

local STYLES = {}

local function table_text(block)
    if block.width then return text.tables(block.columns, block.rows, block.width) end
    return text.table(block.columns, block.rows)
end

STYLES.table = function(block)
    if block.columns then return table_text(block) end
    return block.entries and text.list(block.entries) or block.line .. "\n"
end

-- ---- Markdown -----------------------------------------------------------------------------------

local function markdown(cell)
    return (text.visible(cell):gsub("[\\`*_<>|#]", "\\%0"))
end

local function markdown_line(cells)
    return "| " .. table.concat(cells, " | ") .. " |\n"
end

local function escaped(cells, escape)
    local made = {}
    for i, cell in ipairs(cells) do made[i] = escape(cell) end
    return made
end

local function titles_of(columns)
    local titles = {}
    for i, column in ipairs(columns) do titles[i] = column[1] end
    return titles
end

local function markdown_table(block)
    local rules, lines = {}, {}
    for i, column in ipairs(block.columns) do rules[i] = column.right and "---:" or "---" end
    lines[1] = markdown_line(escaped(titles_of(block.columns), markdown))
    lines[2] = markdown_line(rules)
    for _, row in ipairs(block.rows) do
        lines[#lines + 1] = markdown_line(escaped(row, markdown))
    end
    return table.concat(lines) .. "\n"
end

-- Every line is a paragraph.
STYLES.markdown = function(block)
    if block.columns then return markdown_table(block) end
    if block.line then return block.line == "" and "" or markdown(block.line) .. "\n\n" end
    local lines = {}
    for i, entry in ipairs(block.entries) do
        lines[i] = string.format("- %s: %s\n", markdown(entry[1]), markdown(entry[2]))
    end
    return table.concat(lines) .. "\n"
end

-- ---- LaTeX --------------------------------------------------------------------------------------

local LATEX = {
    ["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}", ["$"] = "\\$", ["&"] = "\\&",
    ["#"] = "\\#", ["_"] = "\\_", ["%"] = "\\%", ["^"] = "\\textasciicircum{}",
    ["~"] = "\\textasciitilde{}", ["<"] = "$<$", [">"] = "$>$", ["|"] = "$|$",
    ["±"] = "$\\pm$", ["≈"] = "$\\approx$", ["…"] = "\\ldots{}", ["·"] = "$\\cdot$",
}

local function latex(cell)
    return (text.visible(cell):gsub("[%z\1-\127\194-\244][\128-\191]*", LATEX))
end

-- Writes a cell. A number below 0 has a minus, what is missing a dash.
local function latex_cell(cell)
    if cell == "-" then return "--" end
    return (latex(cell):gsub("^%-(%d)", "$-$%1"))
end

local function latex_table(block)
    local sides, lines = {}, {}
    for i, column in ipairs(block.columns) do sides[i] = column.right and "r" or "l" end
    local function add(line) lines[#lines + 1] = line .. "\n" end
    local function row(cells)
        add(table.concat(escaped(cells, latex_cell), " & ") .. " \\\\")
    end
    add("\\begin{tabular}{" .. table.concat(sides) .. "}")
    add "\\hline"
    row(titles_of(block.columns))
    add "\\hline"
    for _, cells in ipairs(block.rows) do row(cells) end
    add "\\hline"
    add "\\end{tabular}\n"
    return table.concat(lines)
end

STYLES.latex = function(block)
    if block.columns then return latex_table(block) end
    if block.line then return block.line == "" and "" or latex(block.line) .. "\n\n" end
    local lines = { "\\begin{tabular}{ll}\n" }
    for i, entry in ipairs(block.entries) do
        lines[i + 1] = string.format("%s & %s \\\\\n", latex(entry[1]), latex_cell(entry[2]))
    end
    return table.concat(lines) .. "\\end{tabular}\n\n"
end

-- ---- all of them --------------------------------------------------------------------------------

---Returns whether a format is one of a document: table, markdown, latex.
---@param format string
---@return boolean
function M.has(format)
    return STYLES[format] ~= nil
end

---@param style "table"|"markdown"|"latex"
---@return string
function Document:text(style)
    local write, parts = STYLES[style], {}
    for i, block in ipairs(self) do parts[i] = write(block) end
    local whole = table.concat(parts)
    return style == "table" and whole or (whole:gsub("\n+$", "\n"))
end

return M
