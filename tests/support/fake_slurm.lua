-- squeue, sinfo and scontrol of a Slurm that is a file: `fake_slurm.lua COMMAND FOLDER HOST`, where
-- HOST is the process that calls. Each squeue lets one unit of time pass: what runs comes
-- nearer to its end, and what is released starts where its node has room.
--
--   queue    an element per line: job element state priority cpus memory uid limit left node
--            required odd; "left" are the units of time until it ends, `odd` a column that differs
--   nodes    name state cpus memory
--   events   TIME COMMAND: what happens at a time, as: cancel ID, fail ID, down NODE, drain NODE,
--            up NODE, forget ID, kill (the host, before the output)
--   faults   what the next squeue does: fail, half, cut, hang, strange; each once. `batch N` is for
--            scontrol: it does N commands, then kills the host
--   time, starts, ends: what has happened

local command, folder, host = arg[1], arg[2], arg[3]

local function lines_of(name)
    local lines, file = {}, io.open(folder .. "/" .. name)
    for line in file and file:lines() or function() end do lines[#lines + 1] = line end
    if file then file:close() end
    return lines
end

-- A file is there as a whole or not at all, whenever this process is killed.
local function write(name, lines)
    local path = folder .. "/" .. name
    local file = assert(io.open(path .. ".new", "w"))
    for _, line in ipairs(lines) do file:write(line, "\n") end
    file:close()
    assert(os.rename(path .. ".new", path))
end

local function append(name, format, ...)
    local file = assert(io.open(folder .. "/" .. name, "a"))
    file:write(string.format(format, ...), "\n")
    file:close()
end

local FIELDS <const> = { "job", "element", "state", "priority", "cpus", "memory", "uid", "limit",
    "left", "node", "required", "odd" }

local function read_queue()
    local queue = {}
    for i, line in ipairs(lines_of "queue") do
        local element, k = {}, 0
        for word in line:gmatch "%S+" do
            k = k + 1
            element[FIELDS[k]] = math.tointeger(tonumber(word)) or word
        end
        element.id = element.element == "-" and tostring(element.job)
            or element.job .. "_" .. element.element
        queue[i] = element
    end
    return queue
end

local function write_queue(queue)
    local lines = {}
    for i, element in ipairs(queue) do
        local words = {}
        for k, name in ipairs(FIELDS) do words[k] = tostring(element[name]) end
        lines[i] = table.concat(words, " ")
    end
    write("queue", lines)
end

local function read_nodes()
    local nodes = {}
    for _, line in ipairs(lines_of "nodes") do
        local name, state, cpus, memory = line:match "(%S+) (%S+) (%d+) (%d+)"
        nodes[#nodes + 1] = { name = name, state = state, cpus = tonumber(cpus),
            memory = tonumber(memory), free = tonumber(cpus), room = tonumber(memory) }
        nodes[name] = nodes[#nodes]
    end
    return nodes
end

local function write_nodes(nodes)
    local lines = {}
    for i, node in ipairs(nodes) do
        lines[i] = string.format("%s %s %d %d", node.name, node.state, node.cpus, node.memory)
    end
    write("nodes", lines)
end

local function value(element, name, default)
    local odd_name, odd = tostring(element.odd):match "^([^=]+)=(.*)$"
    return odd_name == name and odd or default
end

-- ---- time ---------------------------------------------------------------------------------------

local function kill_host(signal)
    os.execute(string.format("kill -%s %s 2>/dev/null", signal, host))
end

local ACTS = {
    cancel = function(element) element.state = "CA" end,
    fail = function(element) element.state = "F" end,
    forget = function(element) element.state = "gone" end,
    requeue = function(element)
        element.state, element.node, element.left = "RQ", "-", 3 -- it waits for a unit of time
    end,
}

local function act(name, of, queue, nodes)
    if name == "kill" then kill_host "KILL" end
    if name == "up" then nodes[of].state = "idle" end
    if name == "drain" then nodes[of].state = "drain" end
    if name == "down" then
        nodes[of].state = "down*"
        for _, element in ipairs(queue) do
            if element.state == "R" and element.node == of then ACTS.requeue(element) end
        end
    end
    for _, element in ipairs(ACTS[name] and queue or {}) do
        if element.id == of or tostring(element.job) == of then ACTS[name](element) end
    end
end

local function finish(element)
    element.left = element.left - 1
    if element.left > 0 then return end
    element.state = "CD"
    append("ends", "%s", element.id)
end

local function take(nodes, element)
    local node = nodes[element.node]
    node.free, node.room = node.free - element.cpus, node.room - element.memory
end

local function start(nodes, element)
    for _, node in ipairs(nodes) do
        local suits = (element.required == "-" or element.required == node.name)
            and value(element, "blocked") == nil
        if suits and node.state == "idle" and node.free >= element.cpus
                and node.room >= element.memory then
            element.state, element.node = "R", node.name
            take(nodes, element)
            append("starts", "%s %s", element.id, node.name)
            return
        end
    end
end

local function pass(queue, nodes)
    local time = tonumber(lines_of("time")[1] or 0) + 1
    write("time", { time })
    for _, event in ipairs(lines_of "events") do
        local at, name, of = event:match "(%d+) (%a+) ?(%S*)"
        if tonumber(at) == time then act(name, of, queue, nodes) end
    end
    for _, element in ipairs(queue) do
        if element.state == "R" then finish(element) end
        if element.state == "R" then take(nodes, element) end
    end
    for _, element in ipairs(queue) do
        if element.state == "PD" and element.priority > 0 then start(nodes, element) end
        if element.state == "RQ" and element.left < 3 then element.state = "PD" end
        if element.state == "RQ" then element.left = 2 end
    end
    for i = #queue, 1, -1 do
        if queue[i].state == "gone" then table.remove(queue, i) end
    end
    write_queue(queue)
    write_nodes(nodes)
end

-- ---- commands -----------------------------------------------------------------------------------

local function row(element)
    local node = element.node == "-" and "" or element.node
    return table.concat({ element.job, element.element == "-" and "N/A" or element.element,
        element.state, element.priority,
        string.format("cpu=%d,mem=%dM,node=%s,billing=1", element.cpus, element.memory,
            value(element, "nodes", "1")), value(element, "partition", "batch"), element.uid,
        element.limit, value(element, "begin", "N/A"), node,
        value(element, "required", element.required ~= "-" and element.required or ""),
        value(element, "sharing", "OK"), value(element, "features", "(null)"), "(null)",
        value(element, "dependency", "(null)"), value(element, "licenses", "(null)"), "N/A", "N/A",
        "N/A", "N/A", "N/A", element.state == "PD" and element.priority > 0 and "Resources"
        or "None" }, "\t") .. "\t"
end

local function limits(queue)
    for _, element in ipairs(queue) do
        if element.state == "PD" then
            print(string.format("%d\t%s%s\t%s", element.job, element.element,
                value(element, "limit", ""), value(element, "excluded", "")))
        end
    end
end

local function next_fault(pattern)
    local faults = lines_of "faults"
    if not (faults[1] or ""):find(pattern) then return nil end
    local fault = table.remove(faults, 1)
    write("faults", faults)
    return fault
end

local FAULTS = {
    fail = function()
        io.stderr:write "Unable to contact slurm controller\n"
        os.exit(1)
    end,
    half = function(rows)
        for i = 1, #rows // 2 do print(rows[i]) end
        os.exit(1)
    end,
    cut = function(rows)
        io.write(rows[1], "\n", rows[2]:sub(1, 9))
        os.exit(0)
    end,
    hang = function() os.execute "exec sleep 1000" end,
    strange = function(rows) print((rows[1]:gsub("\t%u+\t", "\tNEW_STATE\t", 1))) end,
    empty = function() os.exit(0) end,
}

local function is_over(queue)
    for _, element in ipairs(queue) do
        if ("PD RQ R"):find(element.state, 1, true) then return false end
    end
    return true
end

local COMMANDS = {}

function COMMANDS.squeue(queue)
    for _, word in ipairs(arg) do
        if word:find "%%F" then return limits(queue) end
    end
    local fault, rows = next_fault "^%a+$", {}
    if not fault then pass(queue, read_nodes()) end
    if is_over(queue) then kill_host "TERM" end
    for i, element in ipairs(queue) do rows[i] = row(element) end
    if fault then FAULTS[fault](rows) end
    for _, line in ipairs(rows) do print(line) end
end

function COMMANDS.sinfo()
    for _, node in ipairs(read_nodes()) do
        print(string.format("%s\t%s\t%d\t%d\t", node.name, node.state, node.cpus, node.memory))
    end
end

local REQUESTS = {
    update = function(element, words)
        element.required = words:match "ReqNodeList=(%S+)" or "-"
    end,
    release = function(element) element.priority = 1000 end,
    hold = function(element)
        if element.state ~= "R" then element.priority = 0 end
    end,
    requeuehold = function(element)
        if element.state ~= "R" then return end
        ACTS.requeue(element)
        element.priority = 0
    end,
}

function COMMANDS.scontrol(queue)
    local most = tonumber((next_fault "^batch %d+$" or ""):match "%d+")
    for line in io.lines() do
        if most == 0 then return kill_host "KILL" end
        most = most and most - 1
        append("requests", "%s", line)
        local name, id = line:gsub(" incomplete", ""):match "^(%a+) [JobId=]*([%d_]+)"
        for _, element in ipairs(queue) do
            if element.id == id or tostring(element.job) == id then
                REQUESTS[name](element, line)
            end
        end
        write_queue(queue)
    end
end

COMMANDS[command](read_queue())
