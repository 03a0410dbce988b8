-- What the tests of papers share: the paper in the list, what is refused, and a whole page as JSON,
-- claim by claim and file by file.

local check = require "check"
local core = require "pinion.core"
local program = require "program"

local M = { directory = program.directory .. "/paper" }

---Runs `pinion paper …`: its output, messages and exit code.
function M.run(...)
    return program.run { "paper", ... }
end

---That the list names the paper, with its title and these sections. Returns the list as text.
function M.check_listed(name, title, sections)
    local listed = M.run()
    check.contains("the list names the paper", listed, name .. "  " .. title)
    local described
    for _, entry in ipairs(core.json_decode((M.run("--format", "json")), "list").papers) do
        if entry.name == name then described = entry end
    end
    for i, section in ipairs(sections) do
        check.equal("section " .. i, described.sections[i].name, section)
    end
    check.equal("sections of the paper", #described.sections, #sections)
    return listed
end

---{ { arguments }, message }, …: each ends with exit code 2, this message and no result.
function M.check_refused(mistakes)
    for _, mistake in ipairs(mistakes) do
        local output, messages, exit_code = M.run(table.unpack(mistake[1]))
        check.equal("exit code: " .. mistake[2], exit_code, 2)
        check.equal("message", messages, mistake[2])
        check.equal("no result: " .. mistake[2], output, "")
    end
end

---A page whose numbers all agree: its sections in this order, with tables, whole claims, the files
---that it names, and what it leaves out. Returns sections by name, and verdicts by "section:
---label".
function M.check_page(report, names)
    local sections, claims = {}, {}
    check.equal("number of sections", #report.sections, #names)
    check.is_true("what is left out", #report.left_out > 0)
    for i, section in ipairs(report.sections) do
        check.equal("section " .. i, section.name, names[i])
        sections[section.name] = section
        local had = #section.claims == 0
        for _, claim in ipairs(section.claims) do
            had = had or claim.verdict ~= "cannot be had"
            claims[section.name .. ": " .. claim.label] = claim.verdict
            for _, field in ipairs { "where", "claim", "paper", "ours", "because" } do
                check.is_true(section.name .. ", " .. claim.label .. ": " .. field,
                    type(claim[field]) == "string"
                    and claim[field] ~= "")
            end
        end
        -- Without anything to run there is nothing to show.
        check.is_true(section.name .. " has a table", not had or #section.tables > 0
            and #section.tables[1].rows > 0)
        for _, comparison in ipairs(section.comparisons) do
            check.is_true(string.format("%s: %s: %.9g, reference %.9g", section.name,
                comparison.label, comparison.ours,
                comparison.reference), comparison.agrees)
        end
        for _, made in ipairs(section.tables) do
            local lines =
                select(2, check.read_file(M.directory .. "/" .. made.name .. ".csv"):gsub("\n", ""))
            check.equal("lines of " .. made.name .. ".csv", lines, #made.rows + 1)
        end
        for _, path in ipairs(section.figures) do
            check.contains(path, check.read_file(path), "</svg>")
        end
    end
    return sections, claims
end

return M
