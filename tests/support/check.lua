-- The smallest test helper that serves: every check counts, the first line of a failure says which,
-- the last line sums up.

local M = {
    -- Whether tests are to do less of the same, as they do under sanitizers.
    IS_SHORT = os.getenv "PINION_TEST_SEEDS" ~= nil,
}

local passed, failed = 0, 0

local function show(value)
    return type(value) == "string" and string.format("%q", value) or tostring(value)
end

local function count(ok, name, format, ...)
    if ok then
        passed = passed + 1
    else
        failed = failed + 1
        io.stdout:write("FAILED ", name, ": ", string.format(format, ...), "\n")
        io.stdout:flush()
    end
    return ok
end

function M.equal(name, got, want)
    return count(got == want and math.type(got) == math.type(want), name, "got %s, want %s",
        show(got), show(want))
end

function M.is_true(name, got)
    return count(got, name, "got %s", show(got))
end

---Plain text, not a pattern.
function M.contains(name, text, part)
    return count(type(text) == "string" and text:find(part, 1, true) ~= nil, name,
        "%s does not contain %s", show(text), show(part))
end

function M.matches(name, text, pattern)
    return count(type(text) == "string" and text:find(pattern) ~= nil, name, "%s does not match %s",
        show(text), show(pattern))
end

---`f` raises a message that contains `part`.
function M.raises(name, part, f, ...)
    local ok, problem = pcall(f, ...)
    if ok then return count(false, name, "nothing was raised, want %s", show(part)) end
    return M.contains(name, tostring(problem), part)
end

---Returns a copy of `base` with the fields of `changes` (nil: none).
function M.with(base, changes)
    local made = {}
    for _, part in ipairs { base, changes } do
        for name, value in next, part do made[name] = value end
    end
    return made
end

---A directory of its own for a test's files; M.done removes it.
function M.directory()
    local pipe = assert(io.popen("mktemp -d"))
    M.temporary = pipe:read("l")
    pipe:close()
    return M.temporary
end

function M.write_file(path, text)
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
end

function M.read_file(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read("a")
    file:close()
    return text
end

function M.exists(path)
    local file = io.open(path, "rb")
    if file then file:close() end
    return file ~= nil
end

local made = {}

---A new file with these bytes, removed by M.done.
function M.temporary_file(bytes)
    local path = os.tmpname()
    M.write_file(path, bytes)
    made[#made + 1] = path
    return path
end

---The closing line and the exit status.
function M.done()
    if M.temporary then os.execute("rm -rf '" .. M.temporary .. "'") end
    for _, path in ipairs(made) do os.remove(path) end
    print(string.format("%d passed, %d failed", passed, failed))
    os.exit(failed == 0 and passed > 0, true)
end

return M
