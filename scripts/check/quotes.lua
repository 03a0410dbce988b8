-- Whether the scripts of the papers quote them word by word: lua5.4 scripts/check/quotes.lua TEXTS
-- compares every text between quotation marks in scripts/papers/NAME/*.lua with the text of the
-- paper, a file of the folder TEXTS whose name has NAME as a word. A quotation may leave something
-- out or put something else in brackets: "[...]", "...", "[scheduler]". Case, punctuation, formulas
-- and what is hyphenated at the end of a line do not count, and a sentence may have a caption, a
-- table or a footnote of the page in its middle.

local PAPERS = { "zheng", "lin", "tian", "hsrtf", "rtmr" }

local function read(path)
    local file = assert(io.open(path, "rb"))
    local bytes = file:read "a"
    file:close()
    return bytes
end

local function lines_of(command)
    local pipe, lines = assert(io.popen(command)), {}
    for line in pipe:lines() do lines[#lines + 1] = line end
    pipe:close()
    return lines
end

local LIGATURES = { ["ﬀ"] = "ff", ["ﬁ"] = "fi", ["ﬂ"] = "fl", ["ﬃ"] = "ffi", ["ﬄ"] = "ffl" }

-- Letters and digits alone, in lower case.
local function bare(words)
    for ligature, letters in pairs(LIGATURES) do words = words:gsub(ligature, letters) end
    return (words:gsub("[^%w]+", ""):lower())
end

local function text_of(folder, name)
    for _, path in ipairs(lines_of("ls '" .. folder .. "'/*.txt 2>/dev/null")) do
        if path:match "[^/]*$":find("%f[%w]" .. name .. "%f[%W]") then return bare(read(path)) end
    end
end

-- ---- strings of a Lua file ----------------------------------------------------------------------

local SIMPLE = { n = "\n", t = "\t", ["\n"] = "\n" }

-- The string that begins at `at` with a quote, and the position behind it.
local function literal(source, at)
    local quote, parts, i = source:sub(at, at), {}, at + 1
    while source:sub(i, i) ~= quote do
        local character = source:sub(i, i)
        assert(character ~= "", "a string without end")
        if character == "\\" then
            i = i + 1
            character = SIMPLE[source:sub(i, i)] or source:sub(i, i)
        end
        parts[#parts + 1] = character
        i = i + 1
    end
    return table.concat(parts), i + 1
end

-- Where a comment or a text in long brackets that begins at `at` is over; nil: there is none.
local function skipped(source, at)
    local equals = source:match("^%-?%-?%[(=*)%[", at)
    if equals then return select(2, source:find("]" .. equals .. "]", at, true)) + 1 end
    if source:sub(at, at + 1) == "--" then return source:find("\n", at, true) or #source + 1 end
end

-- Calls `found` with each string and its line; strings joined by `..` are one, and what else is
-- joined to them is an omission.
local function each_string(source, found)
    local at, line, joined, first, expects = 1, 1, nil, 1, false
    local function flush()
        if joined then found(joined, first) end
        joined, expects = nil, false
    end
    while at <= #source do
        local character, behind = source:sub(at, at), nil
        behind = skipped(source, at)
        if behind then
            if source:sub(at, at) == "[" then flush() end
        elseif character == '"' or character == "'" then
            local value
            value, behind = literal(source, at)
            if not expects then
                flush()
                first = line
            end
            joined, expects = (joined or "") .. value, false
        elseif source:sub(at, at + 1) == ".." and source:sub(at, at + 2) ~= "..." then
            behind, expects = at + 2, joined ~= nil
        elseif character:find "%s" then
            behind = at + 1
        elseif expects then
            -- An expression up to the next `..` of this level, or the end.
            local close = source:match("^[%w_.:]+%b()()", at) or source:match("^[%w_.:]+()", at)
                or source:match("^%b()()", at) or at + 1
            behind, joined, expects = close, joined .. "[...]", false
        else
            if joined and not source:find("^%)", at) then flush() end
            behind = at + 1
        end
        line = line + select(2, source:sub(at, behind - 1):gsub("\n", ""))
        at = behind
    end
    flush()
end

-- ---- quotations ---------------------------------------------------------------------------------

-- What stands between the parts of a sentence on a page has at most so many letters and digits, and
-- each part has so many at least.
local BETWEEN, PART_LEAST = 900, 8

-- Where words end in the text, from a position on: as they are, or with something between two.
local function find_words(text, words, from)
    local _, last = text:find(bare(words), from, true)
    if last then return last end
    for space in words:gmatch "%s()" do
        local head, tail = bare(words:sub(1, space - 1)), bare(words:sub(space))
        local at = from
        while #head >= PART_LEAST and #tail >= PART_LEAST do
            local _, middle = text:find(head, at, true)
            if not middle then break end
            local begin, behind = text:find(tail, middle + 1, true)
            if begin and begin - middle <= BETWEEN then return behind end
            if not begin then break end
            at = middle + 1
        end
    end
end

-- Whether the parts of a quotation occur in the text, one behind the other.
local function occurs(text, quotation)
    local from = 1
    quotation = quotation:gsub("%b[]", "\0"):gsub("%.%.%.", "\0"):gsub("…", "\0")
        :gsub("%%%-?[%d.]*[sdgfq]", "\0")
    local missing
    for part in quotation:gmatch "[^\0]+" do
        local last = find_words(text, part, from)
        if not last then
            missing = part
            break
        end
        from = last + 1
    end
    return missing == nil, missing
end

local function check_file(path, text)
    local count, wrong = 0, 0
    each_string(read(path), function(words, line)
        for quotation in words:gmatch '"([^"]*)"' do
            local there, missing = occurs(text, quotation)
            count = count + 1
            if not there then
                wrong = wrong + 1
                print(string.format('%s:%d: not in the paper: "%s"%s', path, line, quotation,
                    missing ~= quotation and ', from "' .. missing .. '" on' or ""))
            end
        end
    end)
    return count, wrong
end

local folder = assert(arg[1], "usage: lua5.4 scripts/check/quotes.lua TEXTS [SCRIPTS]")
local scripts = arg[2] or "scripts/papers"
local all, wrong = 0, 0
for _, name in ipairs(PAPERS) do
    local text = text_of(folder, name)
    if not text then
        print("the text of " .. name .. " is not there")
    else
        for _, path in ipairs(lines_of("ls '" .. scripts .. "/" .. name .. "'/*.lua")) do
            local count, missing = check_file(path, text)
            all, wrong = all + count, wrong + missing
        end
    end
end
print(string.format("%d quotations, %d of them not in the papers", all, wrong))
os.exit(wrong == 0)
