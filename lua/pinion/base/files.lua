-- Reading whole files and writing results, with every error noticed: a full disk must not look like
-- success.

local core = require "pinion.core"
local fault = require "pinion.base.fault"

local M = {}

local PIECE = 1 << 20 -- bytes that are read at once

---@class pinion.Reader a file of which reading fails loudly: an error is not the end of the file
---@field path string
---@field file file*
local Reader = {}
Reader.__index = Reader
Reader.__close = function(self) self.file:close() end

-- Returns what a function of a file has returned; raises a fault where that was an error.
local function checked_read(self, value, why)
    if why then fault.at(self.path, nil, why) end
    return value
end

---@param format string|integer as for read of files
---@return string|nil
function Reader:read(format)
    return checked_read(self, self.file:read(format))
end

---@return fun(): string|nil
function Reader:lines()
    return function() return self:read "l" end
end

---@return integer
function Reader:seek(...)
    return checked_read(self, self.file:seek(...))
end

-- Returns the reason without the path in front of it.
local function reason_of(path, why)
    return why:sub(1, #path + 2) == path .. ": " and why:sub(#path + 3) or why
end

---Opens a file to be read; raises a fault when it cannot.
---@param path string
---@return pinion.Reader
function M.open(path)
    local file, why = io.open(path, "rb")
    if not file then fault.at(path, nil, reason_of(path, why)) end
    return setmetatable({ path = path, file = file }, Reader)
end

---Returns the first bytes of a file; nil where there is none, and for standard input, "-".
---@param path string
---@param size integer
---@return string|nil
function M.beginning(path, size)
    if path == "-" or not core.file_exists(path) then return nil end
    local file <close> = M.open(path)
    return file:read(size) or ""
end

---Returns the name of a new file for a while; raises a fault when there can be none.
---@return string path to be removed
function M.temporary()
    local made, path = pcall(os.tmpname)
    if not made then fault.run("no temporary file: %s", path) end
    return path
end

-- Reads all that is left of a file, if it is not too much; nil and why not.
local function read_all(file)
    local pieces, size = {}, 0
    while true do
        local piece, why = file:read(PIECE)
        if not piece then return not why and table.concat(pieces) or nil, why end
        pieces[#pieces + 1], size = piece, size + #piece
        if size > core.limits.file then return nil, "is too large (expected at most 1 GiB)" end
    end
end

---Reads a whole file; nil and the system's reason when it cannot.
---@param path string
---@return string|nil text, string|nil reason
function M.read(path)
    local file, why = io.open(path, "rb")
    if not file then return nil, reason_of(path, why) end
    local text, reason = read_all(file)
    file:close()
    return text, reason
end

---Reads a whole file, or standard input for "-"; raises a fault when it cannot.
---@param path string
---@return string text, string name what messages call it
function M.input(path)
    local name, text, why = path, nil, nil
    if path == "-" then
        name = "<stdin>"
        text, why = read_all(io.stdin)
    else
        text, why = M.read(path)
    end
    if not text then fault.at(name, nil, why or "cannot be read") end
    return text, name
end

---Fails early, before a long run, when a file cannot be written. What the file holds stays as it
---is.
---@param path string|nil
function M.check_writable(path)
    local ok, why = true, nil
    if path then ok, why = core.output_check(path) end
    if not ok then fault.located("run", path .. ": " .. why) end
end

-- Identities of files that this command never writes over.
local protected = {}

---Protects the file: from now on nothing is written over it.
---@param path string
function M.protect(path)
    local identity = core.file_identity(path)
    if identity then protected[identity] = path end
end

-- Returns the protected file of this identity; that of a removed file may be another's by now.
local function protected_path(identity)
    local path = protected[identity or ""]
    return path and core.file_identity(path) == identity and path or nil
end

---Makes a new file. It takes its place when `make` has returned, and not when it raises: an old
---file outlives what fails.
---@param path string
---@param make fun(file: any): any gets the file, with methods write and path
---@return any what `make` returns
local function with_file(path, make)
    local function checked(done, why)
        if not done then fault.located("run", path .. ": " .. why) end
        return done
    end
    local input = protected_path(core.file_identity(path))
    if input then fault.usage("%s: %s is read (expected another file)", path, input) end
    local file <close> = checked(core.output(path))
    local made = make(file, checked)
    checked(file:commit())
    return made
end

---Writes a whole file through `print_it(write)`, or to standard output when there is no path.
---@param path string|nil
---@param print_it fun(write: fun(text: string))
function M.write(path, print_it)
    if not path then
        -- The program itself looks at standard output before it ends, where a full disk or a
        -- closed descriptor shows, and says so once.
        print_it(function(text) io.stdout:write(text) end)
        return
    end
    with_file(path, function(file, checked)
        print_it(function(text) checked(file:write(text)) end)
    end)
end

---Lets another program write a file; it may write to the path that `make` is given.
---@param path string
---@param make fun(path: string)
function M.made(path, make)
    with_file(path, function(file) make(file:path()) end)
end

---Writes the file that something of the user's own begins as, never over a file that is there.
---@param name string what it is called
---@param path string|nil default NAME.lua
---@param text fun(path: string): string what is in it
---@return string path
function M.begin(name, path, text)
    if not name:find("^[%w_-]+$") or #name > 31 then
        fault.usage("NAME: must be 1 to 31 letters, digits, _ or -, got '%s'", name)
    end
    path = path or name .. ".lua"
    local begun = text(path)
    local there = io.open(path, "rb")
    if there then
        there:close()
        fault.usage("%s: already exists (give another name, or --output FILE)", path)
    end
    M.write(path, function(write) write(begun) end)
    return path
end

-- ---- files that must not be one -----------------------------------------------------------------

-- Returns a path, or "-" for standard input.
local function identity_of_input(path)
    return core.file_identity(path == "-" and 0 or path)
end

---@class pinion.Written a file that is going to be written
---@field path string|nil nil: standard output
---@field name string the option that names it
---@field what string what goes there

---Raises a fault when a file that is going to be written is one that is read, or one that is
---written already. Files are compared by device and inode, whatever their paths look like. What is
---no plain file, such as /dev/null, may be shared.
---@param read string[] paths
---@param written pinion.Written[]
function M.keep_apart(read, written)
    local inputs, outputs = {}, {}
    for _, path in ipairs(read) do
        local identity = identity_of_input(path)
        if identity then inputs[identity] = path end
    end
    for _, output in ipairs(written) do
        local path = output.path or "its file"
        local identity = core.file_identity(output.path or 1)
        local input = inputs[identity or ""] or protected_path(identity)
        local other = outputs[identity or ""]
        if input then
            input = input == "-" and "standard input" or input
            local leads = input == path and "" or string.format("leads to %s, which ", input)
            fault.usage("%s: %s %sis read (expected another file)", output.name, path, leads)
        end
        if other then
            fault.usage("%s: %s is where %s goes (expected another file)", output.name, path, other)
        end
        if identity then outputs[identity] = output.what end
    end
end

return M
