-- Real traces, which are no part of the project: tests that need them are skipped without.

local M = {}

---Returns the folder of the traces, or ends the test as skipped.
---@param holds string what the folder holds, behind "the folder whose"
function M.folder(holds)
    local folder = os.getenv "PINION_TRACES"
    if folder and folder ~= "" then return folder end
    print("PINION_TRACES is not set: it names the folder whose " .. holds)
    os.exit(77)
end

return M
