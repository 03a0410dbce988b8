-- Policies in whose files one value is a wrong one: such a policy is loaded, or it is refused with
-- one line that names the file.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"

local WRONG <const> = { "nil", "true", "-1", "1.5", "1 << 62", "0 / 0", '""', '"x"', "{}", "{ 1 }",
    "function() end", "s", "job", "#s", "not 1" }

local loaded, refused = 0, 0

local function try(text, changed)
    local good, policy, why = pcall(core.policy_load, { text = text, chunk = "chunk" })
    check.is_true("nothing is raised: " .. changed, good)
    if policy then
        loaded = loaded + 1
        check.is_true("a name: " .. changed, #policy:describe().name > 0)
        policy:close()
        return
    end
    refused = refused + 1
    check.matches("one line: " .. changed, why, "^chunk:[^\n]+$")
end

for _, path in ipairs(program.lines_of "find policies tests/policies -name '*.lua' | sort") do
    local text = check.read_file(path)
    for from, to in text:gmatch "[%w_]+ =()[^,{}\n=]+()" do
        local before, after = text:sub(1, from - 1), text:sub(to)
        for _, value in ipairs(WRONG) do
            try(before .. " " .. value .. after, string.format("%s at %d: %s", path, from, value))
        end
    end
end
print(string.format("%d changed policies: %d refused, %d loaded", loaded + refused, refused,
    loaded))
check.is_true("some are refused, and some are not", loaded > 1000 and refused > 1000)

check.done()
