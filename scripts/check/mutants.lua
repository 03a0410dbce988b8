-- Makes mutants of C files: copies with one small change each, as a tired programmer makes them.
--   lua5.4 mutants.lua list FILE...             prints one mutant per line, tab between the fields:
--                                               file, number, line, column, operator,
--                                               "old -> new", the source line, the mutated line
--   lua5.4 mutants.lua apply FILE NUMBER...     prints the file with these mutants, of one round
--   lua5.4 mutants.lua rounds FILE NUMBER...    prints these numbers in rounds, a line each: no two
--                                               of a round change the same line
--   lua5.4 mutants.lua draw COUNT SEED FILE...  prints so many of these lines, drawn at random;
--                                               the same seed draws the same from the same files
-- Comments, strings, preprocessor lines and conditions of PN_ASSERT, PN_ALWAYS, PN_NEVER and
-- _Static_assert stay as they are. Lines have no spaces around them; where a statement of several
-- lines is dropped, the first is shown.

-- ---- tokens -------------------------------------------------------------------------------------

local OPERATORS <const> = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
}

local function set(words)
    local result = {}
    for word in words:gmatch "%S+" do result[word] = true end
    return result
end

-- Returns where a string or a character that begins at `at` ends.
local function quoted_end(text, at)
    local quote, to = text:sub(at, at), at + 1
    while text:sub(to, to) ~= quote do
        to = to + (text:sub(to, to) == "\\" and 2 or 1)
    end
    return to
end

-- Returns the last character of what is skipped from `at` on, or nil: space, a comment, or a
-- preprocessor line with those that continue it.
local function skipped_end(text, at, starts_line)
    local _, to = text:find("^%s+", at)
    if to then return to end
    if text:sub(at, at + 1) == "/*" then return select(2, text:find("*/", at + 2, true)) end
    if text:sub(at, at + 1) == "//" then return (text:find("\n", at, true) or #text + 1) - 1 end
    if not starts_line or text:sub(at, at) ~= "#" then return nil end
    to = at
    while true do
        local line_end = text:find("\n", to, true) or #text + 1
        if text:sub(line_end - 1, line_end - 1) ~= "\\" then return line_end - 1 end
        to = line_end + 1
    end
end

local function token_at(text, at)
    local first = text:sub(at, at)
    if first == '"' or first == "'" then return "quoted", quoted_end(text, at) end
    local _, to = text:find("^[%a_][%w_]*", at)
    if to then return "name", to end
    _, to = text:find("^%.?%d[%w_.]*", at)
    while to and text:find("^[eEpP][+-]", to) do
        _, to = text:find("^[%w_.]*", to + 2)
    end
    if to then return "number", to end
    for _, operator in ipairs(OPERATORS) do
        if text:sub(at, at + #operator - 1) == operator then
            return "operator", at + #operator - 1
        end
    end
    return "operator", at
end

-- Returns the tokens of a C file: { kind, text, from, to }.
local function tokens_of(text)
    local tokens, at, starts_line = {}, 1, true
    while at <= #text do
        local to = skipped_end(text, at, starts_line)
        if to then
            starts_line = starts_line or text:sub(at, to):find "\n" ~= nil
        else
            local kind
            kind, to = token_at(text, at)
            tokens[#tokens + 1] = { kind = kind, text = text:sub(at, to), from = at, to = to }
            starts_line = false
        end
        at = to + 1
    end
    return tokens
end

-- ---- structure ----------------------------------------------------------------------------------

local CLOSING <const> = { ["("] = ")", ["["] = "]", ["{"] = "}" }

-- Notes in each opening bracket where it is closed, and which tokens must stay as they are.
local KEPT <const> = set "PN_ASSERT PN_ALWAYS PN_NEVER _Static_assert sizeof _Alignas"
local function match_brackets(tokens)
    local open = {}
    for at, token in ipairs(tokens) do
        if token.kind == "operator" and CLOSING[token.text] then
            open[#open + 1] = at
        elseif #open > 0 and token.kind == "operator"
                and token.text == CLOSING[tokens[open[#open]].text] then
            tokens[table.remove(open)].close = at
        end
    end
    for at, token in ipairs(tokens) do
        local bracket = tokens[at + 1]
        if KEPT[token.text] and bracket and bracket.text == "(" then
            for inside = at, bracket.close do tokens[inside].kept = true end
        end
    end
end

local TYPES <const> = set [[const static struct enum union unsigned signed void char short int long
    float double bool size_t _Alignas _Static_assert]]
local WITH_CONDITION <const> = set "if for while switch"
local JUMPS <const> = set "return break continue goto"

-- Whether a statement of a function, from token `at` on, is a declaration: it begins with a type.
local function is_declaration(tokens, at)
    if TYPES[tokens[at].text] then return true end
    if tokens[at].kind ~= "name" then return false end
    local after = at + 1
    while tokens[after].text == "*" or tokens[after].text == "const" do after = after + 1 end
    if tokens[after].kind ~= "name" then return false end
    return after == at + 1 or set("= ; , [")[tokens[after + 1].text] == true
end

-- Returns the token behind which a simple statement or a declaration ends: its semicolon.
local function semicolon(tokens, at)
    while tokens[at].text ~= ";" do at = (tokens[at].close or at) + 1 end
    return at
end

-- Keeps the sizes of arrays: they stand in front of an initial value.
local function keep_sizes(tokens, from, to)
    local at = from
    while at <= to and tokens[at].text ~= "=" do
        if tokens[at].text == "[" then
            for inside = at, tokens[at].close do tokens[inside].kept = true end
        end
        at = at + 1
    end
end

-- Walks through a statement; appends { first, last } of each that may be dropped. Returns the token
-- behind it.
local function walk_statement(tokens, at, found)
    local text = tokens[at].text
    if text == "{" then
        local inside = at + 1
        while inside < tokens[at].close do inside = walk_statement(tokens, inside, found) end
        return inside + 1
    elseif WITH_CONDITION[text] then
        local behind = walk_statement(tokens, tokens[at + 1].close + 1, found)
        if tokens[behind].text ~= "else" or text ~= "if" then return behind end
        return walk_statement(tokens, behind + 1, found)
    elseif text == "do" then
        return semicolon(tokens, walk_statement(tokens, at + 1, found)) + 1
    elseif text == "case" or text == "default" then
        while tokens[at].text ~= ":" do at = at + 1 end
        return at + 1
    elseif tokens[at].kind == "name" and tokens[at + 1].text == ":" then
        return at + 2
    end
    local last = semicolon(tokens, at)
    if is_declaration(tokens, at) then
        keep_sizes(tokens, at, last)
    elseif not JUMPS[text] and last > at and not tokens[at].kept then
        found[#found + 1] = { at, last }
    end
    return last + 1
end

-- Returns the statements of all functions that may be dropped, and notes in each token whether it
-- is part of a function.
local function walk_file(tokens)
    local found, at, start = {}, 1, 1
    while tokens[at] do
        local token = tokens[at]
        if token.text == "{" and tokens[at - 1] and tokens[at - 1].text == ")" then
            for inside = at, token.close do tokens[inside].inside = true end
            at = walk_statement(tokens, at, found)
            start = at
        elseif token.text == ";" then
            keep_sizes(tokens, start, at)
            at = at + 1
            start = at
        else
            at = (token.text ~= "{" and token.close or at) + 1
        end
    end
    return found
end

-- ---- mutants ------------------------------------------------------------------------------------

local SWAPPED <const> = {
    ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">", ["=="] = "!=", ["!="] = "==",
    ["&&"] = "||", ["||"] = "&&", ["+"] = "-", ["-"] = "+", ["+="] = "-=", ["-="] = "+=",
    ["++"] = "--", ["--"] = "++",
}
local KIND <const> = {
    ["<"] = "relation", ["<="] = "relation", [">"] = "relation", [">="] = "relation",
    ["=="] = "relation", ["!="] = "relation", ["&&"] = "logic", ["||"] = "logic",
    ["+"] = "sum", ["-"] = "sum", ["+="] = "sum", ["-="] = "sum", ["++"] = "step",
    ["--"] = "step",
}

-- Returns the integer constant that takes the place of this one, with its suffix; nil for others.
local function next_constant(text)
    local digits, suffix = text:match "^(%d+)([uUlL]*)$"
    if digits == "1" then return "0" .. suffix end
    if digits then return string.format("%d", math.tointeger(digits) + 1) .. suffix end
    digits, suffix = text:match "^(0[xX]%x+)([uUlL]*)$"
    return digits and string.format("0x%x", math.tointeger(digits) + 1) .. suffix
end

-- Whether an operator at this token has an operand on its left.
local function is_binary(tokens, at)
    local before = tokens[at - 1]
    if not before then return false end
    if before.kind == "name" then return before.text ~= "return" and before.text ~= "case" end
    return before.kind == "number" or before.text == ")" or before.text == "]"
end

local function add_operator(tokens, at, add)
    local token = tokens[at]
    local new = SWAPPED[token.text]
    if token.text == "!" then
        add("not", token.from, token.to, "")
    elseif new and (set("+ -")[token.text] == nil or is_binary(tokens, at)) then
        add(KIND[token.text], token.from, token.to, new)
    end
end

local function add_constant(token, add)
    local new = next_constant(token.text)
    if new then add("constant", token.from, token.to, new) end
end

local OTHER_TRUTH <const> = { ["true"] = "false", ["false"] = "true" }
local function add_return(tokens, at, add)
    local value = tokens[at + 1]
    local other = tokens[at].text == "return" and OTHER_TRUTH[value.text]
    if other and tokens[at + 2].text == ";" then add("return", value.from, value.to, other) end
end

-- Whether the tokens first..last are a simple argument: a name or a number, with members.
local function is_simple(tokens, first, last)
    if set("& *")[tokens[first].text] then first = first + 1 end
    if first > last then return false end
    for at = first, last do
        local token = tokens[at]
        local is_operand = token.kind == "name" or token.kind == "number"
        if (at - first) % 2 == 0 and not is_operand then return false end
        if (at - first) % 2 == 1 and not set("-> .")[token.text] then return false end
    end
    return (last - first) % 2 == 0
end

-- The arguments of a call whose opening bracket is token `at`: lists of first and last token.
local function arguments_of(tokens, at)
    local list, first, inside = {}, at + 1, at + 1
    while inside <= tokens[at].close do
        if tokens[inside].text == "," or inside == tokens[at].close then
            if inside > first then list[#list + 1] = { first, inside - 1 } end
            first = inside + 1
        end
        inside = (inside < tokens[at].close and tokens[inside].close or inside) + 1
    end
    return list
end

-- Calls whose arguments may change places.
local SYMMETRIC <const> = set [[pn_min pn_max pn_min64 pn_max64 pn_wide_sum pn_wide_product pn_gcd
    pn_same_bytes pn_same_name greater]]
local NO_CALLS <const> = set "if for while switch return sizeof"
local function add_arguments(tokens, at, text, add)
    local name = tokens[at - 1]
    if tokens[at].text ~= "(" or not name or name.kind ~= "name" then return end
    if NO_CALLS[name.text] or SYMMETRIC[name.text] then return end
    local list = arguments_of(tokens, at)
    for index = 1, #list - 1 do
        local a, b = list[index], list[index + 1]
        if is_simple(tokens, a[1], a[2]) and is_simple(tokens, b[1], b[2]) then
            local from, to = tokens[a[1]].from, tokens[b[2]].to
            local first = text:sub(from, tokens[a[2]].to)
            local second = text:sub(tokens[b[1]].from, to)
            local between = text:sub(tokens[a[2]].to + 1, tokens[b[1]].from - 1)
            if first ~= second then
                add("arguments", from, to, second .. between .. first)
            end
        end
    end
end

-- Returns all mutants of a file's text, in the order of their places: { operator, from, to, new }.
local function mutants_of(text)
    local tokens, list = tokens_of(text), {}
    local function add(operator, from, to, new)
        list[#list + 1] = { operator = operator, from = from, to = to, new = new, rank = #list }
    end
    match_brackets(tokens)
    for _, statement in ipairs(walk_file(tokens)) do
        local from, to = tokens[statement[1]].from, tokens[statement[2]].to
        local _, breaks = text:sub(from, to):gsub("\n", "")
        add("statement", from, to, ";" .. ("\n"):rep(breaks))
    end
    for at, token in ipairs(tokens) do
        if not token.kept then
            if token.kind == "operator" and token.inside then
                add_operator(tokens, at, add)
                add_arguments(tokens, at, text, add)
            elseif token.kind == "number" then
                add_constant(token, add)
            elseif token.inside then
                add_return(tokens, at, add)
            end
        end
    end
    table.sort(list, function(a, b)
        if a.from ~= b.from then return a.from < b.from end
        return a.rank < b.rank
    end)
    return list
end

-- ---- output -------------------------------------------------------------------------------------

local function read_file(name)
    local handle <close> = assert(io.open(name))
    return handle:read "a"
end

local function mutated(text, mutant)
    return text:sub(1, mutant.from - 1) .. mutant.new .. text:sub(mutant.to + 1)
end

-- Returns the line that the character `at` is in, without spaces around it.
local function line_of(text, at)
    local from = at
    while from > 1 and text:sub(from - 1, from - 1) ~= "\n" do from = from - 1 end
    local line = text:sub(from, (text:find("\n", at, true) or #text + 1) - 1)
    return line:match "^%s*(.-)%s*$"
end

-- In one line, shortened.
local function plain(text)
    text = text:gsub("%s+", " "):match "^(.-) ?$"
    return #text > 60 and text:sub(1, 57) .. "..." or text
end

-- Returns the rows of a file, as `list` prints them.
local function rows_of(name)
    local text, rows = read_file(name), {}
    local line, line_start, at = 1, 1, 1
    for number, mutant in ipairs(mutants_of(text)) do
        while at < mutant.from do
            if text:sub(at, at) == "\n" then line, line_start = line + 1, at + 1 end
            at = at + 1
        end
        local old = text:sub(mutant.from, mutant.to)
        rows[#rows + 1] = table.concat({ name, number, line, mutant.from - line_start + 1,
            mutant.operator, plain(old) .. " -> " .. plain(mutant.new),
            line_of(text, mutant.from), line_of(mutated(text, mutant), mutant.from) }, "\t")
    end
    return rows
end

-- Returns the mutants of these numbers, in the order of their places.
local function chosen(text, numbers)
    local all, list = mutants_of(text), {}
    for _, number in ipairs(numbers) do
        local at = math.tointeger(number)
        list[#list + 1] = assert(all[at], "no such mutant")
        list[#list].number = at
    end
    table.sort(list, function(a, b) return a.number < b.number end)
    return list
end

local function apply(text, numbers)
    local list = chosen(text, numbers)
    for index = #list, 1, -1 do
        local next_one <const> = list[index + 1]
        assert(not next_one or list[index].to < next_one.from, "two mutants of the same place")
        text = mutated(text, list[index])
    end
    return text
end

-- Returns lists of numbers: each mutant is in the first list whose last line is before its own.
local function rounds(text, numbers)
    local lists, ends = {}, {}
    for _, mutant in ipairs(chosen(text, numbers)) do
        local round = 1
        while ends[round] and not text:sub(ends[round], mutant.from - 1):find "\n" do
            round = round + 1
        end
        lists[round] = lists[round] or {}
        table.insert(lists[round], mutant.number)
        ends[round] = mutant.to
    end
    return lists
end

local function list_files(files)
    local rows = {}
    for _, name in ipairs(files) do
        local its = rows_of(name)
        table.move(its, 1, #its, #rows + 1, rows)
    end
    return rows
end

-- Moves `count` rows, drawn at random, to the front.
local function draw(rows, count, seed)
    local number = 0
    for at = 1, #seed do number = number * 31 + seed:byte(at) end
    math.randomseed(number)
    for at = 1, math.min(count, #rows) do
        local from = math.random(at, #rows)
        rows[at], rows[from] = rows[from], rows[at]
    end
    return table.move(rows, 1, math.min(count, #rows), 1, {})
end

local command <const> = arg[1]
if command == "list" and arg[2] then
    for _, row in ipairs(list_files { table.unpack(arg, 2) }) do print(row) end
elseif command == "draw" and arg[4] then
    local rows = list_files { table.unpack(arg, 4) }
    for _, row in ipairs(draw(rows, math.tointeger(arg[2]), arg[3])) do print(row) end
elseif command == "apply" and arg[3] then
    io.write(apply(read_file(arg[2]), { table.unpack(arg, 3) }))
elseif command == "rounds" and arg[3] then
    for _, round in ipairs(rounds(read_file(arg[2]), { table.unpack(arg, 3) })) do
        print(table.concat(round, " "))
    end
else
    io.stderr:write("usage: mutants.lua list FILE... | apply FILE NUMBER... | ",
        "rounds FILE NUMBER... | draw COUNT SEED FILE...\n")
    os.exit(2)
end
