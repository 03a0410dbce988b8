-- What docs/experiments.md shows for loading results elsewhere: each block is run where there is
-- what it needs, and prints the means that the sweep of the page has.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

-- ---- the section of the page --------------------------------------------------------------------

local page = check.read_file "docs/experiments.md"
local section = page:match "\n## Loading results elsewhere\n(.-)\n## "
check.is_true("the section is there", section)
local blocks = {}
for kind, block in section:gmatch "\n```(%l+)\n(.-)```" do
    local is_code = kind == "text" or kind == "python" or kind == "r"
    -- What runs a command of its own shows other numbers; the pages' check runs it.
    if is_code and not block:find("jsonlite", 1, true) then blocks[#blocks + 1] = block end
end

-- What the commands of the page make, in a folder of their own.
local sweep = pinion.sweep { workload = "zheng,slots=200", machines = 100, quiet = true,
    policies = { "fifo", "asrpt" }, replicas = 8, over = { machines = { 80, 100 } } }
os.execute("mkdir -p " .. program.directory .. "/build")
sweep:long(program.file "build/long.csv")
if core.database then sweep:db(program.file "build/results.db") end

-- ---- running blocks -----------------------------------------------------------------------------

-- Words of a block, what runs its file, and what says whether that is there.
local TOOLS = {
    { { "import pandas" }, "python3 ", "python3 -c 'import pandas'" },
    { { "import csv", "import sqlite3" }, "python3 ", "python3 -c 'import csv, sqlite3'" },
    { { "RSQLite" }, "Rscript ", "Rscript -e 'library(RSQLite)'" },
    { { "read.csv" }, "Rscript ", "Rscript --version" },
    { { "TYPE sqlite" }, "duckdb < ", "duckdb -c 'LOAD sqlite'" },
    { { "read_csv" }, "duckdb < ", "duckdb -version" },
}

local function tool_of(block)
    for _, tool in ipairs(TOOLS) do
        for _, word in ipairs(tool[1]) do
            if block:find(word, 1, true) then return tool end
        end
    end
end

local ran = 0
for i, block in ipairs(blocks) do
    local tool = tool_of(block)
    check.is_true("known what runs block " .. i, tool)
    local needs_database = block:find("results.db", 1, true)
    if needs_database and not core.database then
        print("left out: a build without SQLite has no data base to load")
    elseif not os.execute(tool[3] .. " >/dev/null 2>&1") then
        print("left out: not here: " .. tool[3])
    else
        ran = ran + 1
        local out = table.concat(program.lines_of(string.format("cd %s && %s%s 2>&1",
            program.directory, tool[2], program.file("block", block))), "\n")
        for _, row in ipairs(sweep.rows) do
            check.contains(string.format("block %d: mean of %s", i, row.policy), out,
                string.format("%.8f", row.mean_flow_time):sub(1, 6))
        end
    end
end
check.equal("ways to load", #blocks, 8)
print(ran .. " of " .. #blocks .. " were run")

check.done()
