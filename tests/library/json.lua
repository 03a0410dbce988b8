-- JSON through the binding: exact integers, one-line errors, limits.

package.path = "tests/support/?.lua;" .. package.path
local core = require "pinion.core"
local check = require "check"

local function good(text) return assert(core.json_decode(text, "t.json")) end

local value =
    good [[ { "a": [1, -2, 9007199254740993], "b": {"c": null, "d": true, "e": false},
      "f": 1.5, "g": "x\u00e4\"", "h": [] } ]]
check.equal("integer", value.a[1], 1)
check.equal("integer above 2^53 stays exact", value.a[3], 9007199254740993)
check.equal("null", value.b.c, core.null)
check.equal("true", value.b.d, true)
check.equal("false", value.b.e, false)
check.equal("real", value.f, 1.5)
check.equal("1.0 is a float", good "[1.0]"[1], 1.0)
check.equal("1e2 is a float", good "[1e2]"[1], 100.0)
check.equal("string", value.g, "x\u{e4}\"")
check.equal("arrays are marked", getmetatable(value.h), core.array)
check.equal("objects are plain", getmetatable(value.b), nil)
check.equal("a bare value", good "7", 7)

local function bad(text, wanted)
    local got, message = core.json_decode(text, "t.json")
    check.equal("result of " .. text:sub(1, 30), got, nil)
    check.contains("message for " .. text:sub(1, 30), message, wanted)
    check.equal("one line", message:find "\n", nil)
end

bad("", "t.json:1: the text ends too early (expected a complete JSON value)")
bad("{\n\"a\": 1,\n", "t.json:3: the text ends too early")
bad('{"a": 1, "a": 2}', "t.json:1: a key appears twice: '\"a\"' (expected each key once)")
bad("[1,\nNaN]", "t.json:2: invalid token 'NaN' (expected JSON)")
bad("[Infinity]", "invalid token 'Infinity'")
bad("[0x10]", "t.json:1: unexpected 'x' (expected ']')")
bad("[01]", "invalid token '0'")
bad('{"a" 1}', "t.json:1: unexpected '1' (expected ':')")
bad("[1] [2]", "something follows the value: '[' (expected the end of the text)")
bad("[99999999999999999999]", "a number is too large: '99999999999999999999'")
bad("[1e999]", "a number is too large")
bad('["\\u0000"]', "\\u0000")
bad('["\xff"]', "expected UTF-8 text")
bad('["a\nb"]', "t.json:")
bad(("["):rep(65) .. ("]"):rep(65), "t.json:1: nested too deeply (expected at most 64 levels)")
bad("\n" .. ("["):rep(100000), "t.json:2: nested too deeply")
bad('{"a\\u0000b":1}', "t.json:1: a string holds the character \\u0000 (expected text)")
bad('["a expected\\x"]', "t.json:1: invalid escape '\"a expected\\x' (expected JSON)")
bad("}", "t.json:1: unexpected token '}' (expected JSON)")
good(("["):rep(64) .. ("]"):rep(64))
-- A byte of zero behind a number ends it.
local zero, _, inexact = core.json_decode("[0.10000000000000000555\0,1]", "t.json")
check.equal("a number and a zero byte", zero and zero[1], 0.1)
check.equal("it is no exact tenth", inexact and inexact[0.1], 1)
good('["' .. ("["):rep(100) .. '\\"' .. ("{"):rep(100) .. '"]')

-- A stream of values, which may begin with the mark of UTF-8, or with a part of it.
for text, wanted in next, {
    ["\xEF\xBB\xBF[1]\n 2"] = "[1]:1 2:2", ["\xEF\xBB\xBF"] = "", ["\xEF\xBB"] = "", [""] = "",
    ["1\n[1,\n2]\n"] = "1:1 [1,2]:2", ["[1]\n\n[2,\n x"] = "[1]:1 PATH:4: invalid token 'x'"
        .. " (expected JSON)", ["[1"] = "PATH:1: the text ends too early (expected a "
        .. "complete JSON value)",
} do
    local path, seen = check.temporary_file(text), {}
    local stream <close> = assert(core.json_stream(path))
    while true do
        local value, line = stream()
        if not line then break end
        seen[#seen + 1] = value and core.json_encode(value) .. ":" .. line
            or line:gsub(path, "PATH")
        if not value then break end
    end
    check.equal(string.format("stream of %q", text), table.concat(seen, " "), wanted)
end

-- A gzip'ed stream that was cut off, inside of a value and between two.
for text, wanted in next, { ["[" .. ("1234,"):rep(20000) .. "1]"] = 0,
    [("[1]\n"):rep(50000)] = 1 } do
    local path = check.temporary_file(text)
    os.execute("gzip -n <" .. path .. " >" .. path .. ".gz")
    local packed, values, last = check.read_file(path .. ".gz"), 0, nil
    os.remove(path .. ".gz")
    check.write_file(path, packed:sub(1, #packed // 2))
    local stream <close> = assert(core.json_stream(path))
    repeat
        local value, line = stream()
        values, last = values + (value and 1 or 0), line
    until not value
    check.contains("a stream that was cut off", last, "the compressed file ends too early "
        .. "(expected all of it: was it cut off?)")
    check.is_true("values before the end", values > 0 == (wanted > 0))
end

check.equal("quote", core.json_quote 'a"b\\c\n\t\1', [["a\"b\\c\n\t\u0001"]])
check.equal("UTF-8 stays", core.json_quote "\u{e4}\u{20ac}\u{10ffff}", '"\u{e4}\u{20ac}\u{10ffff}"')
check.equal("other bytes do not", core.json_quote "a\xffb\xc3", [["a\ufffdb\ufffd"]])
check.equal("surrogates neither", core.json_quote "\xed\xa0\x80", [["\ufffd\ufffd\ufffd"]])
for code = 0, 0x2ff do
    local s = utf8.char(code)
    if code > 0 then
        check.equal("round trip of " .. code, core.json_decode(core.json_quote(s), "q"), s)
    end
end

check.done()
