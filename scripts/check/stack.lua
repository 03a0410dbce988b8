-- The worst case of the stack of every public call, from the call graphs that gcc writes
-- (-fcallgraph-info=su,da): lua5.4 scripts/check/stack.lua [--update | --all] NAME=FOLDER...
-- NAME is a machine, and FOLDER holds the graphs of the kernel's files, compiled for it. Compares
-- with the head comments of kernel/include/pn_*.h and the table in docs/embedding.md.
--
-- A call by a pointer is a call of every function of that type whose address is stored in a field
-- of that name, or handed over otherwise, in the rooms that the call may reach. What a host may
-- give (hooks, policies, mem* and abort) counts as 0. Recursion, a frame whose size is not known,
-- and a pointer that no function fits, end the check.

local CORES = { cluster = "scheduler", dag = "dispatch" } -- the models that use another room
local CALLS = { -- the columns, and the functions in them
    { "_init", { init = true } },
    { "_submit", { submit = true } },
    { "_run", {
        run = true, run_some = true, step = true, plan = true, wait = true, offer = true,
        tick = true, wake = true, started = true, finished = true, failed = true, cancel = true,
        node_up = true, node_down = true, ready = true,
    } },
    { "_validate", { validate = true } },
    { "any other", nil },
}
local HOST = { memcpy = 0, memset = 0, memmove = 0, memcmp = 0, abort = 0 }
local PAGE = "docs/embedding.md"

local function fail(...)
    print("stack: " .. string.format(...))
    os.exit(1)
end

local function read(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read "a"
    file:close()
    return text
end

local function write(path, text)
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
end

local function listed(command)
    local pipe, list = assert(io.popen(command)), {}
    for line in pipe:lines() do list[#list + 1] = line end
    pipe:close()
    return list
end

-- ---- what the sources say -----------------------------------------------------------------------

local lines = {} -- of each file
local functions = {} -- by name and file: types of the parameters
local pointers = {} -- by name: { { types, file, hook }... }: fields and parameters to be called
local stored = {} -- { titles, types, slot, file }: where a function's address may be taken

local function room_of(file) return file:match "^kernel/include/pn_(%a+)" or
    file:match "^kernel/(%a+)/" end

-- The types of parameters, without their names.
local function types_of(parameters)
    local types = {}
    for one in (parameters:sub(2, -2) .. ","):gmatch "([^,]*)," do
        one = one:gsub("%b[]", " * "):gsub("%f[%w_]const%f[^%w_]", " "):gsub("%*", " * ")
        one = one:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
        local words = {}
        for word in one:gmatch "[%w_]+" do words[#words + 1] = word end
        local stars = select(2, one:gsub("%*", ""))
        if words[1] == "struct" then table.remove(words, 1) end
        types[#types + 1] = (words[1] or "") .. ("*"):rep(stars)
    end
    return table.concat(types, ",")
end

local function pick(text, pattern)
    local found = {}
    for one in text:gmatch(pattern) do found[#found + 1] = one end
    return found
end

local function read_source(file)
    local raw = read(file)
    lines[file] = {}
    for line in (raw .. "\n"):gmatch "(.-)\n" do table.insert(lines[file], line) end
    local text = ("\n" .. raw):gsub("/%*.-%*/", " "):gsub("\n#[^\n]*", "\n"):gsub('"[^"\n]*"', '""')
    for name, parameters in text:gmatch "\n[%w_][%w_ %*\n]-%f[%w_]([%w_]+)(%b())%s*{" do
        functions[name] = functions[name] or {}
        functions[name][file] = types_of(parameters)
    end
    local hooks = table.concat(pick(text, "typedef struct pn_[%w_]-_hooks (%b{})"))
    local function note(name, parameters)
        pointers[name] = pointers[name] or {}
        local hook = hooks:find("(*" .. name .. ")", 1, true) ~= nil
        table.insert(pointers[name], { types = types_of(parameters), file = file, hook = hook })
    end
    for name, parameters in text:gmatch "%(%*([%w_]+)%)%s*(%b())" do note(name, parameters) end
    for name, parameters in text:gmatch "%(%*const ([%w_]+)%[%]%)%s*(%b())" do
        note(name, parameters)
    end
    for named, parameters in text:gmatch "typedef [%w_ %*]-([%w_]+)(%b())%s*;" do
        for name in text:gmatch("%f[%w_]" .. named .. "%s*%*([%w_]+)") do note(name, parameters) end
    end
    return text
end

local function read_stores(file, text)
    for before, name, at in text:gmatch "()%f[%w_]([%a_][%w_]*)()" do
        local member = text:sub(math.max(1, before - 2), before - 1):match "[%.>]$"
        if functions[name] and not member and not text:match("^%s*%(", at) then
            local slot = text:sub(math.max(1, before - 80), before - 1):match "%.([%w_]+)%s*=%s*$"
            local here = functions[name][file]
            stored[#stored + 1] = {
                titles = { file .. ":" .. name, name }, file = file, slot = slot,
                types = here or select(2, next(functions[name])),
            }
        end
    end
end

-- The functions that a call by this pointer may reach, by the room that it stands in; nil where
-- none fits and no host gives one. A room's hooks are not its own functions.
local function reached(graph, name, file, allowed)
    local found, given = {}, false
    for _, pointer in ipairs(pointers[name] or {}) do
        local same = room_of(pointer.file) == room_of(file)
        given = given or (same and pointer.file:match "^kernel/include")
        for _, store in ipairs(same and stored or {}) do
            if store.types == pointer.types and
                (not store.slot or store.slot == name) and allowed[room_of(store.file)] and
                not (pointer.hook and room_of(store.file) == room_of(file)) then
                -- what has no frame of its own is a variable of the same name
                for _, title in ipairs(store.titles) do found[title] = graph[title] end
            end
        end
    end
    return (next(found) or given) and found
end

-- ---- the call graph -----------------------------------------------------------------------------

local function read_graphs(folder)
    local graph = {}
    for _, file in ipairs(listed("find '" .. folder .. "' -name '*.ci' | sort")) do
        for line in io.lines(file) do
            local title, label = line:match '^node: { title: "(.-)" label: "(.-)"'
            local bytes, kind = (label or ""):match "\\n(%d+) bytes %(([%w,]+)%)"
            if bytes then
                if kind == "dynamic" then fail("%s has a frame of unknown size", title) end
                graph[title] = graph[title] or { bytes = 0, calls = {} }
                graph[title].bytes = math.max(graph[title].bytes, math.tointeger(bytes))
            end
            local from, to, at = line:match
                '^edge: { sourcename: "(.-)" targetname: "(.-)" label: "(.-)"'
            if from then table.insert(graph[from].calls, { to = to, at = at }) end
        end
    end
    return graph
end

-- What is called by a pointer at a place, or in the arguments of an inline function there.
local function callee(at)
    local file, line, column = at:match "^(.-):(%d+):(%d+)"
    local first = math.tointeger(line)
    local text = table.concat(lines[file] or {}, " ", first, math.min(first + 1, #lines[file]))
    text = text:sub(math.tointeger(column)):gsub("%[[%w_]+%]%(", "(") -- one of an array
    for member, name in text:gmatch "([%.>]?)([%w_]+)%(" do
        local is_function = (functions[name] or {})[file] and member == ""
        if pointers[name] and not is_function then return name, file end
    end
    fail("%s: what is called here?", at)
end

-- The worst case below each function, for calls into one room.
local function measure(graph, room)
    local allowed = { base = true, [room] = true, [CORES[room] or room] = true }
    local worst, path, open = {}, {}, {}
    local visit
    local function visit_pointer(at)
        local name, file = callee(at)
        local targets, deepest = reached(graph, name, file, allowed), 0
        if not targets then fail("%s: no function fits '%s'", at, name) end
        for target in pairs(targets) do deepest = math.max(deepest, visit(target)) end
        return deepest
    end
    function visit(title)
        if worst[title] then return worst[title] end
        local node = graph[title]
        if not node then
            if HOST[title] then return HOST[title] end
            fail("nothing is known of %s", title)
        end
        path[#path + 1] = title
        if open[title] then fail("recursion: %s", table.concat(path, " > ")) end
        open[title] = true
        local deepest = 0
        for _, call in ipairs(node.calls) do
            local below = call.to == "__indirect_call" and visit_pointer(call.at) or visit(call.to)
            deepest = math.max(deepest, below)
        end
        open[title], path[#path] = nil, nil
        worst[title] = node.bytes + deepest
        return worst[title]
    end
    return visit
end

-- ---- the public calls ---------------------------------------------------------------------------

-- The public functions of a header that the library has, with what stands behind pn_MODEL_.
local function public(header, graph)
    local found, text = {}, read(header):gsub("/%*.-%*/", " ")
    for name in text:gmatch "%f[%w_](pn_[%w_]+)%s*%(" do
        if graph[name] then found[name] = name:match "^pn_%w-_([%w_]+)$" or name end
    end
    return found
end

-- A policy asks and gives; it does not run.
local function column_of(call, header)
    local runs = not header:match "pn_base" and not header:match "_policy%.h"
    for i, column in ipairs(CALLS) do
        if not column[2] or (runs and column[2][call]) then return i end
    end
end

-- Of each header the worst case of each column.
local function table_of(graph, headers, all)
    local rows = {}
    local visitors = {} -- by room: pn_input.h declares functions of two
    for _, header in ipairs(headers) do
        local row = {}
        for name, call in pairs(public(header, graph)) do
            local room = room_of(next(functions[name] or { [header] = true })) -- macros define some
            visitors[room] = visitors[room] or measure(graph, room)
            local bytes, i = visitors[room](name), column_of(call, header)
            if all then print(bytes, name) end
            row[i] = math.max(row[i] or 0, bytes)
        end
        rows[header] = row
    end
    return rows
end

-- ---- against the texts --------------------------------------------------------------------------

local function sentence(header, machines, tables)
    local parts = {}
    for i, column in ipairs(CALLS) do
        local numbers = {}
        for _, machine in ipairs(machines) do
            numbers[#numbers + 1] = tables[machine][header][i]
        end
        if numbers[1] then parts[#parts + 1] = column[1] .. " " .. table.concat(numbers, "/") end
    end
    if #parts == 1 then parts[1] = parts[1]:gsub("any other", "any call") end
    return "Stack, worst case, in bytes on " .. table.concat(machines, "/") .. ": " ..
        table.concat(parts, ", ") .. " (see docs/embedding.md)."
end

local STATED = "\n %* Stack, worst case, in bytes.-%(see docs/embedding%.md%)%."

local function wrapped(text)
    local made, line = "", "\n *"
    for word in text:gmatch "%S+" do
        if #line + 1 + #word > 100 then made, line = made .. line, "\n *" end
        line = line .. " " .. word
    end
    return made .. line
end

local function rows_of(headers, machines, tables)
    local rows = {}
    for _, header in ipairs(headers) do
        local cells = { "`" .. header:match "[^/]*$" .. "`" }
        for i = 1, #CALLS do
            local numbers = {}
            for _, machine in ipairs(machines) do
                numbers[#numbers + 1] = tables[machine][header][i]
            end
            cells[#cells + 1] = #numbers > 0 and table.concat(numbers, ", ") or "-"
        end
        rows[#rows + 1] = "| " .. table.concat(cells, " | ") .. " |"
    end
    return table.concat(rows, "\n")
end

-- Other minor versions of a compiler may differ by a little.
local function agree(said, measured)
    local numbers = {}
    for number in measured:gmatch "%f[%w]%d+%f[%W]" do
        numbers[#numbers + 1] = math.tointeger(number)
    end
    local i, good = 0, said:gsub("%s+%*?%s*", " "):gsub("%d+", "N") ==
        measured:gsub("%s+%*?%s*", " "):gsub("%d+", "N")
    for number in said:gmatch "%f[%w]%d+%f[%W]" do
        i = i + 1
        local is, was = numbers[i] or 0, math.tointeger(number)
        good = good and math.abs(is - was) <= math.max(16, was // 20)
    end
    return good and i == #numbers
end

local function main(...)
    local machines, tables, mode = {}, {}, nil
    local headers = {}
    for _, header in ipairs(listed "ls kernel/include/pn_*.h") do
        -- Those that declare no function of their own have no stack.
        if not header:match "pn_strict" and not header:match "pn_model" then
            headers[#headers + 1] = header
        end
    end
    local texts = {}
    for _, file in ipairs(listed "find kernel -name '*.[ch]' | sort") do
        texts[file] = read_source(file)
    end
    for file, text in pairs(texts) do read_stores(file, text) end
    for _, argument in ipairs { ... } do
        local machine, folder = argument:match "^(.-)=(.*)$"
        if machine then
            machines[#machines + 1] = machine
            tables[machine] = table_of(read_graphs(folder), headers, mode == "--all")
        else
            mode = argument
        end
    end
    local bad, page = false, read(PAGE)
    local before, said, after = page:match "^(.-\n| header |[^\n]*\n|[^\n]*\n)(.-)(\n\n.*)$"
    local rows = rows_of(headers, machines, tables)
    if mode == "--all" then return end
    if mode == "--update" then
        write(PAGE, before .. rows .. after)
    elseif not agree(said, rows) then
        print("stack: the table in " .. PAGE .. " says otherwise; measured is\n" .. rows)
        bad = true
    end
    for _, header in ipairs(headers) do
        local text, measured = read(header), wrapped(sentence(header, machines, tables))
        local stated = text:match(STATED)
        if mode == "--update" then
            if stated then
                local from, to = text:find(stated, 1, true)
                write(header, text:sub(1, from - 1) .. measured .. text:sub(to + 1))
            else
                write(header, (text:gsub(" %*/", function() return measured .. " */" end, 1)))
            end
        elseif not stated or not agree(stated, measured) then
            print("stack: " .. header .. " says otherwise; measured is" .. measured)
            bad = true
        end
    end
    if bad then fail "if this is meant, scripts/check/stack.sh --update renews the texts" end
    print(string.format("stack: the worst cases of %d headers are those of the texts, on %s",
        #headers, table.concat(machines, " and ")))
end

main(...)
