---Reads the text of a policy: Lua's statements and expressions as tables, each with its line.
---`kind` says what one is; other fields are its parts. What no C could be made of (varargs, goto)
---is refused.
local fault = require "pinion.base.fault"

local M = {}

---@class pinion.export.Node
---@field kind string
---@field line integer
---@field [string] any

---@class pinion.export.Parser
---@field path string
---@field tokens { type: string, text: any, line: integer }[]
---@field at integer
local Parser = {}
Parser.__index = Parser

---Raises what cannot be exported, with its line.
---@param path string
---@param line integer
---@param format string
function M.refuse(path, line, format, ...)
    fault.located("usage", string.format("%s:%d: %s (docs/policies.md says what can be exported)",
        path, line, string.format(format, ...)))
end

-- ---- words --------------------------------------------------------------------------------------

local KEYWORDS = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat "
    .. "return then true until while"):gmatch "%a+" do
    KEYWORDS[word] = true
end

local SIGNS = { "...", "..", "==", "~=", "<=", ">=", "<<", ">>", "//", "::" }

---Returns the end of a long bracket that begins at `at`, and what is in it; nil: there is none.
local function long_bracket(text, at)
    local level = text:match("^%[(=*)%[", at)
    if not level then return nil end
    local inside, stop = text:match("^%[" .. level .. "%[(.-)%]" .. level .. "%]()", at)
    return stop, inside
end

---Returns the place behind blanks and comments.
local function skip(text, at)
    while true do
        at = text:match("^%s*()", at)
        if text:sub(at, at + 1) ~= "--" then return at end
        at = long_bracket(text, at + 2) or text:match("^[^\n]*()", at)
    end
end

local function word_at(text, at)
    local name, stop = text:match("^([%a_][%w_]*)()", at)
    if name then return KEYWORDS[name] and name or "name", name, stop end
    local number = text:match("^0[xX][%x.]+[pP][+-]?%d+", at) or text:match("^0[xX][%x.]+", at)
        or text:match("^%.?%d[%d.]*[eE][+-]?%d+", at) or text:match("^%.?%d[%d.]*", at)
    if number then return "number", number, at + #number end
    local quote = text:match("^[\"']", at)
    if quote then
        local stop_at = at + 1
        while text:sub(stop_at, stop_at) ~= quote do
            stop_at = stop_at + (text:sub(stop_at, stop_at) == "\\" and 2 or 1)
        end
        local read = assert(load("return " .. text:sub(at, stop_at), "=text", "t", {}))
        return "text", read(), stop_at + 1
    end
    local bracket, inside = long_bracket(text, at)
    if bracket then return "text", inside, bracket end
    for _, sign in ipairs(SIGNS) do
        if text:sub(at, at + #sign - 1) == sign then return sign, sign, at + #sign end
    end
    local sign = text:sub(at, at)
    return sign, sign, at + 1
end

local function read_tokens(text)
    local tokens, line, at, seen = {}, 1, skip(text, 1), 1
    while at <= #text do
        for _ in text:sub(seen, at - 1):gmatch "\n" do line = line + 1 end
        seen = at
        local type, value, stop = word_at(text, at)
        tokens[#tokens + 1] = { type = type, text = value, line = line }
        at = skip(text, stop)
    end
    tokens[#tokens + 1] = { type = "end of file", text = "end of file", line = line }
    return tokens
end

-- ---- reading ------------------------------------------------------------------------------------

function Parser:peek() return self.tokens[self.at].type end
function Parser:line() return self.tokens[self.at].line end

function Parser:refuse(format, ...) M.refuse(self.path, self:line(), format, ...) end

function Parser:take(type)
    local token = self.tokens[self.at]
    if token.type ~= type then return nil end
    self.at = self.at + 1
    return token.text
end

function Parser:expect(type)
    local text = self:take(type)
    if not text then self:refuse("%s is not exported here", tostring(self.tokens[self.at].text)) end
    return text
end

function Parser:node(kind, parts)
    parts.kind, parts.line = kind, parts.line or self:line()
    return parts
end

function Parser:names()
    local names = { self:expect "name" }
    while self:take "," do names[#names + 1] = self:expect "name" end
    return names
end

function Parser:expressions()
    local list = { self:expression() }
    while self:take "," do list[#list + 1] = self:expression() end
    return list
end

-- ---- expressions --------------------------------------------------------------------------------

-- How strongly operators bind, to the left and to the right.
local BINDS = {
    ["or"] = { 1, 1 }, ["and"] = { 2, 2 },
    ["<"] = { 3, 3 }, [">"] = { 3, 3 }, ["<="] = { 3, 3 }, [">="] = { 3, 3 }, ["~="] = { 3, 3 },
    ["=="] = { 3, 3 }, ["|"] = { 4, 4 }, ["~"] = { 5, 5 }, ["&"] = { 6, 6 }, ["<<"] = { 7, 7 },
    [">>"] = { 7, 7 }, [".."] = { 9, 8 }, ["+"] = { 10, 10 }, ["-"] = { 10, 10 },
    ["*"] = { 11, 11 }, ["/"] = { 11, 11 }, ["//"] = { 11, 11 }, ["%"] = { 11, 11 },
}
local UNARY = 12

function Parser:table()
    local line, items = self:line(), {}
    self:expect "{"
    while not self:take "}" do
        local name
        if self:peek() == "name" and self.tokens[self.at + 1].type == "=" then
            name = self:expect "name"
            self:expect "="
        elseif self:take "[" then
            name = self:expression()
            if name.kind == "text" then name = name.value end
            self:expect "]"
            self:expect "="
        end
        items[#items + 1] = { name = name, value = self:expression() }
        if not self:take "," then self:take ";" end
    end
    return self:node("table", { line = line, items = items })
end

function Parser:body(line)
    local parameters = {}
    self:expect "("
    if self:peek() ~= ")" then parameters = self:names() end
    self:expect ")"
    local block = self:block()
    self:expect "end"
    return self:node("function", { line = line, parameters = parameters, block = block })
end

function Parser:primary()
    local line = self:line()
    if self:take "(" then
        local inside = self:expression()
        self:expect ")"
        return self:node("parentheses", { line = line, of = inside })
    end
    return self:node("name", { line = line, name = self:expect "name" })
end

function Parser:arguments()
    if self:peek() == "text" then
        return { self:node("text", { value = self:expect "text" }) }
    elseif self:peek() == "{" then
        return { self:table() }
    end
    self:expect "("
    local list = self:peek() == ")" and {} or self:expressions()
    self:expect ")"
    return list
end

function Parser:suffixed()
    local made = self:primary()
    while true do
        local line = self:line()
        if self:take "." then
            local name = self:node("text", { line = line, value = self:expect "name" })
            made = self:node("index", { line = line, of = made, index = name })
        elseif self:take "[" then
            made = self:node("index", { line = line, of = made, index = self:expression() })
            self:expect "]"
        elseif self:take ":" then
            local name = self:expect "name"
            made = self:node("method",
                { line = line, of = made, name = name, arguments = self:arguments() })
        elseif self:peek() == "(" or self:peek() == "text" or self:peek() == "{" then
            made = self:node("call", { line = line, of = made, arguments = self:arguments() })
        else
            return made
        end
    end
end

local CONSTANTS = { ["nil"] = "nil", ["true"] = "boolean", ["false"] = "boolean" }

function Parser:simple()
    local line, type = self:line(), self:peek()
    if type == "number" then
        return self:node("number", { line = line, value = tonumber(self:take(type)) })
    elseif type == "text" then
        return self:node("text", { line = line, value = self:take(type) })
    elseif CONSTANTS[type] then
        self:take(type)
        return self:node(CONSTANTS[type], { line = line, value = type == "true" })
    elseif type == "{" then
        return self:table()
    elseif self:take "function" then
        return self:body(line)
    end
    return self:suffixed()
end

function Parser:expression(limit)
    local line, made = self:line(), nil
    for _, sign in ipairs { "not", "-", "~", "#" } do
        if not made and self:take(sign) then
            made = self:node("unary", { line = line, sign = sign, of = self:expression(UNARY) })
        end
    end
    made = made or self:simple()
    while true do
        local sign = self:peek()
        local binds = BINDS[sign]
        if not binds or binds[1] <= (limit or 0) then return made end
        line = self:line()
        self:take(sign)
        made = self:node("binary",
            { line = line, sign = sign, left = made, right = self:expression(binds[2]) })
    end
end

-- ---- statements ---------------------------------------------------------------------------------

function Parser:for_loop(line)
    local names = self:names()
    local made
    if self:take "=" then
        local bounds = self:expressions()
        made = { line = line, variable = names[1], first = bounds[1], last = bounds[2],
            step = bounds[3] }
    else
        self:expect "in"
        made = { line = line, names = names, walks = self:expressions() }
    end
    self:expect "do"
    made.block = self:block()
    self:expect "end"
    return self:node(made.names and "for in" or "for", made)
end

function Parser:if_statement(line)
    local parts = {}
    repeat
        local condition = self:expression()
        self:expect "then"
        parts[#parts + 1] = { condition = condition, block = self:block() }
    until not self:take "elseif"
    local otherwise = self:take "else" and self:block()
    self:expect "end"
    return self:node("if", { line = line, parts = parts, otherwise = otherwise })
end

function Parser:local_statement(line)
    if self:take "function" then
        local name = self:expect "name"
        return self:node("local function", { line = line, name = name, value = self:body(line) })
    end
    local names = {}
    repeat
        names[#names + 1] = self:expect "name"
        if self:take "<" then
            self:expect "name"
            self:expect ">"
        end
    until not self:take ","
    return self:node("local",
        { line = line, names = names, values = self:take "=" and self:expressions() or {} })
end

function Parser:statement()
    local line = self:line()
    if self:take "if" then return self:if_statement(line) end
    if self:take "for" then return self:for_loop(line) end
    if self:take "local" then return self:local_statement(line) end
    if self:take "break" then return self:node("break", { line = line }) end
    if self:take "do" then
        local block = self:block()
        self:expect "end"
        return self:node("do", { line = line, block = block })
    elseif self:take "while" then
        local condition = self:expression()
        self:expect "do"
        local block = self:block()
        self:expect "end"
        return self:node("while", { line = line, condition = condition, block = block })
    elseif self:take "repeat" then
        local block = self:block()
        self:expect "until"
        return self:node("repeat", { line = line, block = block, condition = self:expression() })
    end
    local targets = { self:suffixed() }
    if targets[1].kind == "method" or targets[1].kind == "call" then
        return self:node("do call", { line = line, call = targets[1] })
    end
    while self:take "," do targets[#targets + 1] = self:suffixed() end
    self:expect "="
    return self:node("assign", { line = line, targets = targets, values = self:expressions() })
end

local ENDS = { ["end"] = true, ["else"] = true, ["elseif"] = true, ["until"] = true,
    ["end of file"] = true }

function Parser:block()
    local list = {}
    while not ENDS[self:peek()] do
        local line = self:line()
        if self:take ";" then
            -- nothing
        elseif self:take "return" then
            local values = (ENDS[self:peek()] or self:peek() == ";") and {} or self:expressions()
            self:take ";"
            list[#list + 1] = self:node("return", { line = line, values = values })
            break
        else
            list[#list + 1] = self:statement()
        end
    end
    return list
end

---Returns the statements of the file.
---@param path string for messages
---@param text string
---@return pinion.export.Node[]
function M.read(path, text)
    local parser = setmetatable({ path = path, at = 1, tokens = read_tokens(text) }, Parser)
    local block = parser:block()
    parser:expect "end of file"
    return block
end

return M
