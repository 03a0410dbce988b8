-- Results as one page: a file that needs no other and asks for none. What it shows are data for the
-- scripts of lua/page; texts of users are never markup.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local json = require "pinion.base.json"
local columns = require "pinion.output.page.columns"
local palette = require "pinion.output.palette"
local text = require "pinion.base.text"

local M = {}

---@class pinion.Page
---@field title string
---@field question string|nil its heading; nil: the title
---@field answer string|nil
---@field lines string[] below the title
---@field sections table[] of the kinds that lua/page/9_main.js knows, each with a heading and notes

-- ---- parts that were built in -------------------------------------------------------------------

local function asset(name) return core.asset(name) end

local MISSING = "no pages: this program was built without dygraphs, which draws their charts "
    .. "(install libjs-dygraphs, then: make clean all)"

---@return string|nil why this build has no pages; nil: it has
function M.missing()
    return asset "dygraphs.js" == "" and MISSING or nil
end

---Fails when this build has no pages, before what they are to show is run.
function M.check()
    if M.missing() then fault.run("%s", MISSING) end
end

-- Returns what the policy of a page names a script or a style sheet by.
local function hash_of(name)
    local hex = asset "hashes":match("(%x+) [ *]" .. name:gsub("%p", "%%%0"))
    local bytes = hex:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)
    return "'sha256-" .. columns.base64(bytes) .. "'"
end

-- ---- writing ------------------------------------------------------------------------------------

local ESCAPES = { ["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;", ['"'] = "&quot;" }

local function escaped(value)
    return (text.visible(value):gsub('[<>&"]', ESCAPES))
end

-- Encodes JSON in which nothing can end the element that holds it. Bytes that are no UTF-8 are
-- escaped, as in tables.
local function encoded(value)
    return (json.encode(json.tree(value, text.valid)):gsub("[<>]",
        { ["<"] = "\\u003c", [">"] = "\\u003e" }))
end

local HEAD = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s %s; style-src %s; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="pinion %s">
<title>%s</title>
<style>]]

---@param page pinion.Page
---@param write fun(text: string)
function M.write(page, write)
    write(HEAD:format(hash_of "dygraphs.js", hash_of "page.js", hash_of "page.css", core.version,
        escaped(page.title)))
    write(asset "page.css")
    write("</style>\n</head>\n<body>\n<main id=\"page\"><noscript>This page needs JavaScript; "
        .. "all its scripts are inside the page.</noscript></main>\n")
    write('<script type="application/json" id="data">')
    write(encoded { title = page.title, question = page.question, answer = page.answer,
        lines = page.lines, sections = page.sections,
        pinion = core.version, licence = asset "dygraphs.txt",
        palette = { light = palette.LIGHT, dark = palette.DARK, lines = palette.LINES,
            other = palette.OTHERS, other_dark = palette.OTHERS_DARK } })
    write("</script>\n<script>")
    write(asset "dygraphs.js")
    write("</script>\n<script>")
    write(asset "page.js")
    write("</script>\n</body>\n</html>\n")
end

return M
