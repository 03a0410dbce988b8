-- What is in a store: experiments and machines, what can be dropped, and all of it as JSON Lines.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local store_of = require "pinion.base.store"
local text = require "pinion.base.text"

local M = {}

-- A file that was written to so lately may be written to again, in seconds.
local RECENT = 60

---@class pinion.StoreGroup units that one command asked for, by one build
---@field experiment string
---@field pinion string version
---@field build string
---@field current boolean whether this program can use them
---@field finished integer
---@field failed integer
---@field seconds number of one core
---@field bytes integer
---@field hosts table<string, integer> units by machine

-- Reads what the lines that say who wrote the others say, once each.
local function new_abouts()
    local known = {}
    return function(text, file)
        local about = known[text or ""]
        if not about then
            about = store_of.read_about(text)
            known[text or ""] = about
        end
        return about
    end
end

local function is_current(about)
    return about.build == store_of.BUILD and about.pinion == core.version
end

---@param store pinion.Store
---@return pinion.StoreGroup[] in the order in which they are found
function M.groups(store)
    local groups, by_name, about_of = {}, {}, new_abouts()
    store:each(function(_, value, file, about_text)
        local about = about_of(about_text, file)
        local name = string.format("%s\n%s\n%s", about.experiment, about.pinion, about.build)
        local group = by_name[name]
        if not group then
            group = { experiment = about.experiment or "?", pinion = about.pinion or "?",
                build = about.build or "?", current = is_current(about), finished = 0, failed = 0,
                seconds = 0, bytes = 0, hosts = {} }
            groups[#groups + 1], by_name[name] = group, group
        end
        local state = value:sub(1, 9) == '{"failed"' and "failed" or "finished"
        group[state] = group[state] + 1
        group.seconds = group.seconds + (tonumber(value:match '"seconds":([%d.]+)') or 0)
        group.bytes = group.bytes + #value
        local host = about.host or "?"
        group.hosts[host] = (group.hosts[host] or 0) + 1
        if core.interrupted() then fault.interrupted() end
    end)
    return groups
end

---Writes every unit as a line of JSON: key, host, version, what it is, and its value or why it
---failed.
---@param store pinion.Store
---@param write fun(text: string)
function M.export(store, write)
    local about_of = new_abouts()
    store:each(function(key, value, file, about_text)
        local about = about_of(about_text, file)
        write(string.format('{"key":"%s","host":%s,"pinion":%s,"build":%s,"experiment":%s,%s\n',
            key, core.json_quote(about.host or ""), core.json_quote(about.pinion or ""),
            core.json_quote(about.build or ""), core.json_quote(about.experiment or ""),
            value:sub(2)))
    end)
end

-- ---- pruning ------------------------------------------------------------------------------------

local function remove(store, name)
    local done, why = os.remove(store.path .. "/" .. name)
    if not done then fault.located("run", why) end
end

local function check_quiet(store)
    for _, file in ipairs(store.index:files()) do
        if os.time() - file.modified < RECENT then
            fault.run("%s: %s was written to less than %d s ago: pruning could lose new units "
                .. "(expected a store that no process uses)", store.path, file.name, RECENT)
        end
    end
end

-- Checks that nothing has come to these files since.
local function check_unchanged(store, old)
    local bytes = {}
    store:refresh()
    for _, file in ipairs(store.index:files()) do bytes[file.name] = file.bytes end
    for _, file in ipairs(old) do
        if bytes[file.name] ~= file.bytes then
            fault.run("%s: %s was written to meanwhile, so nothing was removed (expected a store "
                .. "that no process uses)", store.path, file.name)
        end
    end
end

-- Checks agreement. One value of each unit is kept, but it is not known yet which is the right one.
local function check_agreed(store)
    local count = store.index:counts().disagreements
    if count == 0 then return end
    fault.run("%s: machines disagree on %s, and pruning would hide it (give --host, whose units "
        .. "are removed; see `pinion store %s`)", store.path, text.count(count, "unit"),
        store.path)
end

-- Removes what a machine has written.
local function drop_host(store, host)
    local known, dropped = {}, 0
    for _, file in ipairs(store.index:files()) do
        local about = core.json_read(store.index:about(file.name) or "{}") or {}
        known[about.host or "?"] = true
        if about.host == host then
            remove(store, file.name)
            dropped = dropped + 1
        end
    end
    if dropped > 0 then return end
    local names = {}
    for name in next, known do names[#names + 1] = name end
    table.sort(names)
    fault.usage("--host: %s has written nothing in %s (known: %s)", host, store.path,
        table.concat(names, ", "))
end

-- Makes new files, one for each machine, so that each still says who wrote what is in it.
local function new_files(store)
    local by_host, last, made = {}, {}, {}
    function made.append(host, about_text, key, value)
        local into = by_host[host] or store:new_writer()
        by_host[host] = into
        if about_text ~= last[host] then into:append(store_of.ABOUT, about_text) end
        last[host] = about_text
        into:append(key, value)
    end
    function made.close()
        for _, into in next, by_host do into:close() end
    end
    return made
end

---Leaves every unit once, in one file for each machine: torn, wrong and double lines go. What ends
---it on the way, such as Ctrl-C, loses nothing.
---@param path string
---@param host string|nil everything that this machine has written goes, too
---@param current boolean whether units of other builds go, too
---@return integer kept, integer dropped units of other builds
function M.prune(path, host, current)
    local store = store_of.open(path, nil)
    check_quiet(store)
    if host then
        drop_host(store, host)
        store = store_of.open(path, nil)
    end
    check_agreed(store)
    local old, about_of, kept, dropped = store.index:files(), new_abouts(), 0, 0
    local new = new_files(store)
    store:each(function(key, value, file, about_text)
        local about = about_of(about_text, file)
        if current and not is_current(about) then
            dropped = dropped + 1
            return
        end
        new.append(about.host or "?", about_text, key, value)
        kept = kept + 1
    end)
    new.close()
    check_unchanged(store, old)
    for _, each in ipairs(old) do remove(store, each.name) end
    return kept, dropped
end

return M
