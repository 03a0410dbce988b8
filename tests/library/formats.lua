-- Tables as Markdown and LaTeX: the cells of the aligned text, escaped, and nothing lost.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local document = require "pinion.output.document"
local pinion = require "pinion"
local text = require "pinion.base.text"

-- ---- escaping -----------------------------------------------------------------------------------

local doc = document.new()
doc:table({ { "name" }, { "50 %", right = true } },
    { { "a_b|c*d", "-1.50" }, { "$x^2$ & {y}~\\#<>", "3.00 ±0.10" }, { "…/p.lua", "-" } })
check.equal("markdown", doc:text "markdown", [[
| name | 50 % |
| --- | ---: |
| a\_b\|c\*d | -1.50 |
| $x^2$ & {y}~\\\#\<\> | 3.00 ±0.10 |
| …/p.lua | - |
]])
check.equal("latex", doc:text "latex", [[
\begin{tabular}{lr}
\hline
name & 50 \% \\
\hline
a\_b$|$c*d & $-$1.50 \\
\$x\textasciicircum{}2\$ \& \{y\}\textasciitilde{}\textbackslash{}\#$<$$>$ & 3.00 $\pm$0.10 \\
\ldots{}/p.lua & -- \\
\hline
\end{tabular}
]])
local steering = document.new()
steering:table({ { "a\27[31m" }, { "b\n" } }, { { "1", "2" } })
steering:table({ { "c\7" }, { "d" } }, { { "1", "2" } }, 80)
check.equal("titles steer nothing", steering:text "table",
    "a\\x1b[31m  b\\n\n1          2\nc\\x07  d\n1      2\n")
local made = pinion.experiment.table({ { key = "a", title = "a_1" }, { key = "hidden" } },
    { { a = 1, hidden = 2 } })
check.equal("a script's table as markdown", made:markdown(), "| a\\_1 |\n| --- |\n| 1 |\n")
check.equal("a script's table as latex", made:latex(),
    "\\begin{tabular}{l}\n\\hline\na\\_1 \\\\\n\\hline\n1 \\\\\n\\hline\n\\end{tabular}\n")
local untitled = pinion.experiment.table({ { key = "hidden" } }, { { hidden = 2 } })
check.equal("no titles, no table", untitled:markdown() .. untitled:latex() .. untitled:text(), "")

-- ---- lengths of time ----------------------------------------------------------------------------

for _, case in ipairs { { nil, nil, "-" }, { 0, nil, "0 ms" }, { 850, nil, "850 ms" },
    { 12.34, nil, "12.3 ms" }, { 1000, nil, "1.00 s" }, { 39248, nil, "39.2 s" },
    { 100000, nil, "1.67 min" }, { 5900000, nil, "98.3 min" }, { 39240000, nil, "10.9 h" },
    { 400 * 3600e3, nil, "16.7 d" }, { 39248.1, 410.2, "39.2 ±0.4 s" },
    { 39248.1, 30, "39.25 ±0.03 s" }, { 90, 45000, "0.09 ±45.00 s" }, { 320000, 0,
        "5.33 ±0.00 min" }, { 12.5, 3.25, "12.5 ±3.2 ms" } } do
    check.equal("so many ms: " .. tostring(case[1]), text.duration(case[1], case[2]), case[3])
end
check.equal("a difference", text.signed_duration(-26269, 8397), "-26.3 ±8.4 s")
check.equal("… above 0", text.signed_duration(1500), "+1.50 s")
check.equal("… that rounds to nothing", text.signed_duration(-0.01), "0.0 ms")

-- ---- every command that prints a table ----------------------------------------------------------

-- The cells of the first table in aligned text, apart by two blanks or more.
local function cells_of_text(line)
    local cells = {}
    for cell in (line .. "  "):gmatch "(%S.-)%s%s+" do cells[#cells + 1] = cell end
    return cells
end

local function cells_of_markdown(line)
    local cells = {}
    for cell in line:gmatch "| (.-) %f[|]" do cells[#cells + 1] = cell:gsub("\\(%p)", "%1") end
    return cells
end

local COMMANDS = {
    { "compare", "--workload", "zheng:0,slots=60", "--policies", "fifo,asrpt_cu,psrpt" },
    { "compare", "--workload", "zheng:0,slots=60", "--policies", "fifo,asrpt", "--replicas", "3" },
    { "compare", "--workload", "lin,jobs=200", "--policies", "fcfs,klps_rigid" },
    { "compare", "--workload", "t1_like", "--policies", "fifo,uaas" },
    { "compare", "--workload", "hsrtf", "--policies", "fifo,hsrtf-pr" },
    { "sweep", "--workload", "zheng:0,slots=60", "--over", "machines=90,120", "--policies",
        "fifo,asrpt" },
    { "simulate", "--workload", "bursts,slots=60", "--policy", "fifo", "--jobs-detail" },
    { "workload" }, { "workload", "facebook,jobs=50" }, { "policies" }, { "policies", "idx" },
}
for _, command in ipairs(COMMANDS) do
    local name = table.concat(command, " ")
    local function output(format)
        local quiet = (command[1] == "workload" or command[1] == "policies") and {} or { "-q" }
        return program.succeed(name .. " " .. format,
            program.joined(command, quiet, { "--format", format }))
    end
    local aligned, markdown, latex = output "table", output "markdown", output "latex"
    local columns, rows = nil, 0
    for line in markdown:gmatch "[^\n]+" do
        local cells = cells_of_markdown(line)
        if line:find "^| %-%-%-" then
            check.equal("rule of " .. name, #cells, columns)
        elseif line:find "^|" then
            columns, rows = #cells, rows + 1
            local found = aligned:find(cells[1], 1, true)
            check.is_true("the row is in the text of " .. name .. ": " .. cells[1], found)
        end
    end
    check.is_true("rows of " .. name, rows >= 1 or command[2] == "facebook,jobs=50")
    -- A row of the text has the same cells, unless it is too wide for one table.
    for line in aligned:gmatch "[^\n]+" do
        local cells = cells_of_text(line)
        if #cells > 2 and #cells == columns then
            check.contains("cells of " .. name, markdown:gsub("\\(%p)", "%1"),
                "| " .. table.concat(cells, " | ") .. " |")
        end
    end
    local begins, ends = select(2, latex:gsub("\\begin{tabular}", "")),
        select(2, latex:gsub("\\end{tabular}", ""))
    check.equal("tabulars of " .. name, begins, ends)
    check.is_true("a tabular of " .. name, begins >= 1)
    for sides, body in latex:gmatch "\\begin{tabular}{(%a+)}(.-)\\end{tabular}" do
        for line in body:gmatch "([^\n]+) \\\\\n" do
            check.equal("cells of a row of " .. name, select(2, line:gsub(" & ", "")) + 1, #sides)
        end
    end
    check.is_true("nothing unescaped in " .. name, not latex:find "[^\\][%%_]")
end

-- ---- suffixes -----------------------------------------------------------------------------------

local run = { "compare", "--workload", "zheng:0,slots=60", "--policies", "fifo,asrpt", "-q" }
for suffix, format in next, { txt = "table", md = "markdown", tex = "latex", csv = "csv",
        json = "json" } do
    local path = program.file("out." .. suffix)
    program.succeed("-o ." .. suffix, program.joined(run, { "-o", path }))
    check.equal("." .. suffix .. " is " .. format, check.read_file(path),
        program.succeed("--format " .. format, program.joined(run, { "--format", format })))
end

-- ---- scripts ------------------------------------------------------------------------------------

local comparison = pinion.compare { machines = 10, workload = "zheng:0,slots=60", quiet = true,
    policies = { "fifo", "asrpt" } }
local path = program.file "script.md"
comparison:markdown(path)
check.contains("a script writes markdown", check.read_file(path), "\n| fifo | ")
comparison:latex(path)
check.contains("a script writes latex", check.read_file(path), "\nfifo & ")

check.done()
