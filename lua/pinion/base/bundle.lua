-- Bundles: a Lua file together with the files in its folder that it requires, as one text. The
-- sandbox loads such a text, and what is kept of a policy or a workload (its hash in stores, its
-- text in checkpoints) is the whole of it.

local core = require "pinion.core"
local files = require "pinion.base.files"

local M = {}

local MARK = core.file_mark -- in front of each file behind the first

local function path_of(chunk, name)
    return (chunk:match "^(.*/)" or "") .. name .. ".lua"
end

---Reads a file with those that it requires, and those that they require, none of which is written
---over from now on. A required file that does not exist is left out: the sandbox names the line
---that requires it.
---@param path string
---@return string|nil text, string|nil reason
function M.read(path)
    local text, why = files.read(path)
    local parts, sources, seen = { text }, { text }, {}
    for _, source in ipairs(sources) do
        for name in source:gmatch "require%s*%(?%s*[\"']%./([%w_-]+)[\"']" do
            local file = path_of(path, name)
            if not seen[name] and core.file_exists(file) then
                local found, reason = files.read(file)
                if not found then return nil, string.format("requires %s: %s", file, reason) end
                files.protect(file)
                parts[#parts + 1] = MARK .. name .. "\n" .. found
                sources[#sources + 1] = found
            end
            seen[name] = true
        end
    end
    return text and table.concat(parts), why
end

---Returns the first file of a bundle.
---@param text string
---@return string
function M.own(text)
    return text:match("^[^" .. MARK .. "]*")
end

---Returns whether a message begins with the place of a file of the bundle.
---@param message string
---@param chunk string what messages call its first file
---@param text string
---@return boolean
function M.is_about(message, chunk, text)
    local function begins(file) return message:sub(1, #file + 1) == file .. ":" end
    if begins(chunk) then return true end
    for name in text:gmatch(MARK .. "([^\n]*)\n") do
        if begins(path_of(chunk, name)) then return true end
    end
    return false
end

return M
