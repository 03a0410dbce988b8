-- A store of finished units: a folder to which any number of processes on any number of machines
-- append, each to a file of its own. A unit is a value under a key, which is the hash of all that
-- it depends on. Nothing is rewritten and nothing is locked, so a process may die at any time.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"

local M = {}

---The ending of the names of its files.
M.ENDING = ".units"

---The key of the lines that say who wrote those behind them.
M.ABOUT = ("0"):rep(32)

---The digest of the sources that decide what a run computes.
M.BUILD = core.asset("sources"):match "%x+"

-- The time between two looks at what others have stored is at least so many times what a look
-- takes, which is long where there are many files.
local LOOK_SHARE = 100

---@class pinion.Store
---@field path string
---@field index any the core's
---@field experiment string what the units are for, as a line for people
---@field writer pinion.StoreWriter|nil of this process
---@field owner integer|nil the process that the writer belongs to
---@field looked number when the index was read last
---@field took number seconds that this took
---@field looker integer the process that did it
---@field protected table<string, boolean> names of the files that nothing is written over
local Store = {}
Store.__index = Store
Store.__name = "pinion.Store"

local function fail(path, why)
    fault.located("run", path .. ": " .. why)
end

-- Fails. The index names its folder, or the file that it cannot read.
local function fail_index(path, why)
    if core.interrupted() then fault.interrupted() end
    fault.located("run", why:find(path, 1, true) == 1 and why or path .. ": " .. why)
end

-- Protects: nothing that this process writes takes the place of a store's file.
local function protect(self)
    for _, file in ipairs(self.index:files()) do
        if not self.protected[file.name] then
            self.protected[file.name] = true
            files.protect(self.path .. "/" .. file.name)
        end
    end
end

---Opens a store, and makes it where there is none.
---@param path string
---@param experiment string|nil what its new units are for; nil: only to be read, so that it must be there
---@return pinion.Store
function M.open(path, experiment)
    if experiment then
        local made, why = core.make_folder(path)
        if not made then fail(path, why .. " (expected a folder for a store)") end
    end
    local began = core.clock()
    local index, why = core.store_open(path)
    if not index then fail_index(path, why) end
    local now = core.clock()
    local self = setmetatable({
        path = path, index = index, experiment = experiment or "", looked = now, took = now - began,
        looker = core.pid(), protected = {},
    }, Store)
    protect(self)
    local left_out = index:left_out()
    if left_out then io.stderr:write("pinion: ", left_out, " (its units are left out)\n") end
    return self
end

-- ---- reading ------------------------------------------------------------------------------------

---Reads what was added since, by this process's workers and by others.
function Store:refresh()
    local began = core.clock()
    local done, why = self.index:refresh()
    if not done then fail_index(self.path, why) end
    self.looked, self.disputed = core.clock(), nil
    self.took, self.looker = self.looked - began, core.pid()
    protect(self)
end

---Refreshes likewise, unless this process did it a moment ago. One that stands in for a lost
---process finds what that one has stored.
---@return boolean whether it was done now
function Store:look_again()
    local is_stale = self.looker ~= core.pid()
        or core.clock() - self.looked >= LOOK_SHARE * self.took
    if is_stale then self:refresh() end
    return is_stale
end

---@param key string 32 hex digits
---@return "finished"|"failed"|nil
function Store:state(key)
    return self.index:state(key)
end

---@class pinion.StoredUnit
---@field of table<string, any> what it is, for people
---@field seconds number that it took
---@field digest string|nil of the value
---@field value any|nil
---@field failed string|nil why there is no value: a message
---@field code integer|nil of the failure, see fault.lua
---@field located boolean|nil of the message
---@field defect boolean|nil

-- What a line about others says for people.
local ABOUT_TEXTS = { "host", "pinion", "build", "experiment" }

---Reads what a line about others holds. Members that are no texts are left out.
---@param text string|nil
---@return table<string, any>
function M.read_about(text)
    local about = core.json_read(text or "{}")
    if type(about) ~= "table" then return {} end
    for _, name in ipairs(ABOUT_TEXTS) do
        if type(about[name]) ~= "string" then about[name] = nil end
    end
    return about
end

---Returns the machine that wrote a file.
---@param file string
---@return string
function Store:host_of(file)
    return M.read_about(self.index:about(file)).host or file
end

-- Fails: two machines that disagree on a unit cannot both be right.
local function fail_disputed(self, key, one)
    fail(self.path, string.format("unit %s: %s and %s disagree on it (digests %s and %s, in %s and "
        .. "%s): one of them does not compute exactly; see `pinion store %s`", key,
        self:host_of(one.file), self:host_of(one.other), one.digest, one.other_digest, one.file,
        one.other, self.path))
end

-- Returns the units that machines disagree on. Where there are more than the index keeps, any may
-- be one.
local function disputed_of(self)
    local found, list = {}, self.index:disagreements()
    for _, one in ipairs(list) do found[one.key] = one end
    if self.index:counts().disagreements > #list then fail_disputed(self, list[1].key, list[1]) end
    self.disputed = found
    return found
end

---Returns a unit; nil when it is not there.
---@param key string
---@return pinion.StoredUnit|nil
function Store:get(key)
    local one = (self.disputed or disputed_of(self))[key]
    if one then fail_disputed(self, key, one) end
    local text, file = self.index:get(key)
    if not text then return nil end
    local unit = core.json_read(text)
    if not unit then fail(self.path .. "/" .. file, "unit " .. key .. " is no JSON") end
    return unit
end

---Visits the line that is kept of each unit, file by file. Raises why it cannot visit all.
---@param visit fun(key: string, value: string, file: string, about: string|nil)
function Store:each(visit)
    local done, why = self.index:each(visit)
    if not done then fail_index(self.path, why) end
end

-- ---- writing ------------------------------------------------------------------------------------

-- Files that were begun here: many may be within a second.
local begun = 0

-- Returns a name of a file that no other process has.
local function new_name()
    local host = core.host():gsub("[^%w_-]", "-")
    begun = begun + 1
    return string.format("%s-%d-%d-%d", host, core.pid(), os.time(), begun)
end

-- Processes of machines that share a name, such as containers, may have one number, too.
local NAMES_MOST = 10000

---@class pinion.StoreWriter a file of this process's own
---@field path string
---@field file any the core's
local Writer = {}
Writer.__index = Writer

---@return pinion.StoreWriter
local function open_writer(folder)
    local path, file, why
    for _ = 1, NAMES_MOST do
        path = string.format("%s/%s%s", folder, new_name(), M.ENDING)
        file, why = core.store_writer(path)
        if file or not core.file_exists(path) then break end
    end
    if not file then fail(folder, "cannot add a file: " .. why) end
    return setmetatable({ path = path, file = file }, Writer)
end

function Writer:append(key, value)
    local done, why = self.file:append(key, value)
    if not done then fail(self.path, why) end
end

---Makes sure that what was appended is on the disk.
function Writer:close()
    local done, why = self.file:close()
    if not done then fail(self.path, why) end
end

local function begin(self)
    self.writer, self.owner = open_writer(self.path), core.pid()
    self.writer:append(M.ABOUT, '{"store":1,' .. core.json_encode({
        host = core.host(), pid = core.pid(), began = os.time(), pinion = core.version,
        build = M.BUILD, experiment = self.experiment,
    }):sub(2))
end

local function put(self, key, value)
    -- What a process has inherited is its parent's.
    if self.owner ~= core.pid() then begin(self) end
    self.writer:append(key, value)
end

---Stores the value of a unit.
---@param key string
---@param of table<string, any> what it is, for people
---@param seconds number that it took
---@param value any numbers, strings, booleans, sequences and records of them
function Store:put(key, of, seconds, value)
    local text = core.json_encode(value)
    put(self, key, string.format('{"digest":"%s","seconds":%.6f,"of":%s,"value":%s}',
        core.sha256(text):sub(1, 16), seconds, core.json_encode(of), text))
end

---Stores that a unit failed.
---@param key string
---@param of table<string, any>
---@param seconds number
---@param problem any what was raised
function Store:put_failed(key, of, seconds, problem)
    local known = fault.is(problem)
    put(self, key, string.format('{"failed":%s,"seconds":%.6f,"of":%s,"code":%d%s%s}',
        core.json_quote(known and problem.text or tostring(problem)), seconds,
        core.json_encode(of), known and problem.code or 1,
        known and problem.located and ',"located":true' or "", known and "" or ',"defect":true'))
end

---Returns what appends lines as they are to a new file.
---@return pinion.StoreWriter
function Store:new_writer()
    return open_writer(self.path)
end

---Raises why a unit failed, as the run itself would have.
---@param unit pinion.StoredUnit
function M.raise(unit)
    local kind = unit.code == 2 and "usage" or "run"
    local text = tostring(unit.failed) .. " (stored as failed; --retry repeats it)"
    if unit.defect then error(text, 0) end
    if unit.located then fault.located(kind, text) end
    fault.from_core(kind, text)
end

---Makes sure that what this process has stored is on the disk.
function Store:close()
    local writer = self.owner == core.pid() and self.writer
    self.writer, self.owner = nil, nil
    if writer then writer:close() end
end

return M
