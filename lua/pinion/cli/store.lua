-- The command `store`: what is in a store, and its care.

local core = require "pinion.core"
local document = require "pinion.output.document"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local json = require "pinion.base.json"
local kept = require "pinion.run.kept"
local say = require "pinion.base.say"
local setup = require "pinion.cli.setup"
local store_of = require "pinion.base.store"
local text = require "pinion.base.text"

local M = {}

-- Disagreements are named up to this many.
local NAMED = 10

local function hosts_text(hosts)
    local names = {}
    for name in next, hosts do names[#names + 1] = name end
    table.sort(names)
    return #names <= 3 and table.concat(names, ", ") or #names .. " machines"
end

local function add_disagreements(doc, store, count)
    if count == 0 then return end
    doc:gap()
    doc:lines(string.format("%s: two results of the same unit differ",
        text.count(count, "disagreement")))
    local rows = {}
    for i, one in ipairs(store.index:disagreements(NAMED)) do
        rows[i] = { one.key, store:host_of(one.file), one.digest, store:host_of(one.other),
            one.other_digest }
    end
    doc:table({ { "unit" }, { "machine" }, { "digest" }, { "other" }, { "digest" } }, rows)
end

-- Returns what there is, as text.
local function document_of(store, groups, counts)
    local doc, rows = document.new(), {}
    doc:list {
        { "store", store.path },
        { "files", string.format("%s, %s bytes", text.amount(counts.files),
            text.amount(counts.bytes)) },
        { "units", string.format("%s finished, %s failed", text.amount(counts.units),
            text.amount(counts.failed)) },
        { "lines", string.format("%s, of these %s duplicate, %s torn, %s wrong",
            text.amount(counts.lines), text.amount(counts.duplicates), text.amount(counts.torn),
            text.amount(counts.wrong)) },
    }
    for i, group in ipairs(groups) do
        rows[i] = { text.amount(group.finished), text.amount(group.failed),
            text.duration(math.ceil(group.seconds * 1000)), text.amount(group.bytes),
            hosts_text(group.hosts), group.current and "" or "other build", group.experiment }
    end
    if #rows > 0 then
        doc:gap()
        doc:table({ { "units", right = true }, { "failed", right = true },
            { "core time", right = true }, { "bytes", right = true }, { "machines" }, { "" },
            { "experiment" } }, rows)
    end
    add_disagreements(doc, store, counts.disagreements)
    return doc
end

local function json_of(store, groups, counts)
    return json.encode(json.tree {
        store = store.path, counts = counts, experiments = groups,
        disagreements = store.index:disagreements(1000),
    }) .. "\n"
end

local function prune(args)
    local count, dropped = kept.prune(args.folder, args.host, args.current)
    say("%s: kept %s%s", args.folder, text.count(count, "unit"),
        dropped > 0 and string.format(", dropped %d of other builds", dropped) or "")
    return 0
end

---@return integer exit code 1 when machines disagree
function M.store(args)
    for _, name in ipairs { "host", "current" } do
        if args[name] and not args.prune then
            fault.usage("--%s: needs --prune", name)
        end
    end
    if args.prune and (args.output or args.format) then
        fault.usage("--prune: prints nothing (expected no --output and no --format)")
    end
    local guard <close> = core.interrupt_guard(fault.interrupted)
    if args.prune then return prune(args) end
    local store = store_of.open(args.folder, nil)
    if args.output and args.output:find "%.jsonl$" then
        files.check_writable(args.output)
        files.write(args.output, function(write) kept.export(store, write) end)
        return 0
    end
    local format = setup.format(args)
    local groups, counts = kept.groups(store), store.index:counts()
    setup.emit(args, function(write)
        if format == "json" then
            write(json_of(store, groups, counts))
        elseif format == "csv" then
            fault.usage("--format: a store is shown as table, json, markdown or latex; --output "
                .. "UNITS.jsonl writes its units")
        else
            write(document_of(store, groups, counts):text(format))
        end
    end)
    return counts.disagreements > 0 and 1 or 0
end

return M
