-- The command `paper`: starts the scripts of the papers' experiments, which lie beside the program.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"

local M = {}

-- The module of the scripts that makes the command, and its file.
local COMMAND, FILE = "shared.command", "shared/command.lua"

-- Where an installed program has them, and a program in the build folder of a checkout or in a
-- folder of that.
local INSTALLED, CHECKOUT, CHECKOUT_DEPTH = "share/pinion/papers", "scripts/papers", 3

-- Returns the folder that holds a file or folder; nil for the root and for a bare name.
local function above(path)
    return path and path:match "^(.+)/[^/]+$"
end

local function candidates()
    local given = os.getenv "PINION_PAPERS"
    if given and given ~= "" then return { given } end
    local found, folder = {}, above(above(core.program_path()))
    if folder then found[1] = folder .. "/" .. INSTALLED end
    for _ = 1, CHECKOUT_DEPTH do
        if folder then found[#found + 1] = folder .. "/" .. CHECKOUT end
        folder = above(folder)
    end
    return found
end

local function find_scripts()
    local tried = candidates()
    for _, folder in ipairs(tried) do
        local file = io.open(folder .. "/" .. FILE, "rb")
        if file then
            file:close()
            return folder
        end
    end
    fault.run(
        "the papers' scripts were not found (looked for in %s; PINION_PAPERS names their folder)",
        #tried > 0 and table.concat(tried, ", ") or "no folder, as the program's own is not known")
end

---@return integer exit code
function M.paper(args)
    package.path = find_scripts() .. "/?.lua;" .. package.path
    if args.trace then files.protect(args.trace) end
    local ok, outcome = pcall(require(COMMAND).paper, args.name, args)
    if ok then return outcome end
    if type(outcome) == "string" then fault.run("%s", outcome) end
    error(outcome, 0)
end

return M
