-- gnuplot: one look for all figures, legible in print. Data and script are left beside each figure,
-- so that it can be drawn again by hand.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local say = require "pinion.base.say"

local M = {}

-- By the file's extension; sizes in points of the screen.
local TERMINALS = {
    svg = function(width,
        height) return "svg size %d,%d font 'Helvetica,14' background rgb 'white'", width, height
        end,
    png = function(width, height)
        return "pngcairo size %d,%d font 'Helvetica,26' linewidth 1.6 pointscale 1.8", 2 * width,
            2 * height
    end,
    pdf = function(width, height) return "pdfcairo size %.2fin,%.2fin font 'Helvetica,12'",
        width / 120, height / 120 end,
}

local LOOK = [[
set border 3 linewidth 1 linecolor rgb '#404040'
set tics nomirror out textcolor rgb '#202020'
set grid back linetype 1 linewidth 0.5 linecolor rgb '#e0e0e0'
set key samplen 3.5 spacing 1.15
set pointintervalbox 0
set datafile separator tab
set datafile missing '?'
]]

---Writes a string of gnuplot's language, whatever the text holds: a control character, such as the
---end of a line, would end the command.
---@param value string
---@return string
function M.quote(value)
    local quoted = value:gsub("'", "''"):gsub("%c+", function(characters)
        return "'.\"" .. characters:gsub(".", function(one)
            return string.format("\\%03o", one:byte())
        end) .. "\".'"
    end)
    return "'" .. quoted .. "'"
end

---Writes a text as the last column of a data file, or as a comment there: on one line.
---@param value string
---@return string
function M.cell(value)
    return (value:gsub("%c", " "))
end

---Splits a file name into the name without its extension, and that; raises a fault when figures
---have no such format.
---@return string base, string extension
function M.split_path(path)
    local name, why = check.text(path)
    if not name then fault.usage("plot: file name %s", why) end
    local base, extension = name:match("^(.+)%.(%a+)$")
    if not TERMINALS[extension or ""] then
        fault.usage("plot: file name must end in .svg, .png or .pdf, got %s", check.show(path))
    end
    return base, extension
end

local function write_file(path, content)
    files.write(path, function(write) write(content) end)
end

local function shell_word(word)
    return "'" .. word:gsub("'", "'\\''") .. "'"
end

local installed

local function is_installed()
    if installed == nil then
        installed = os.execute("command -v gnuplot >/dev/null 2>&1") == true
    end
    return installed
end

---@class pinion.Figure
---@field path string .svg, .png or .pdf
---@field width integer|nil default 720
---@field height integer|nil default 450
---@field title string|nil
---@field data string what the file beside the figure holds, with tabs between columns
---@field script string finds the data's file in the variable `data`

---@param figure pinion.Figure
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function M.draw(figure)
    local base, extension = M.split_path(figure.path)
    local data, script = base .. ".dat", base .. ".gp"
    write_file(data, figure.data)
    write_file(script, table.concat {
        "set terminal ",
        string.format(TERMINALS[extension](figure.width or 720, figure.height or 450)),
        " noenhanced\n",
        "if (!exists('figure')) figure = ", M.quote(figure.path), "\nset output figure\n",
        "data = ", M.quote(data), "\n", LOOK,
        figure.title and "set title " .. M.quote(figure.title) .. "\n" or "", figure.script,
    })
    if not is_installed() then
        say("gnuplot is not installed: %s is not drawn (data and script are in %s and %s)",
            figure.path, data, script)
        return false
    end
    files.made(figure.path, function(path)
        local command = "gnuplot -e " .. shell_word("figure = " .. M.quote(path)) .. " "
            .. shell_word(script)
        if not os.execute(command) then fault.run("gnuplot could not draw %s", figure.path) end
    end)
    return true
end

-- What a script gives for a figure.
local READERS = {
    path = check.text, title = check.text, data = check.text, script = check.text,
    width = function(value) return check.integer(value, 100, 10000) end,
    height = function(value) return check.integer(value, 100, 10000) end,
}

---Draws as M.draw for scripts: what they give is checked first.
---@param options pinion.Figure
---@return boolean drawn
function M.figure(options)
    if type(options) ~= "table" then
        fault.usage("figure: expected a table of options, got %s", check.show(options))
    end
    local key, unknown = check.unknown_key(options, READERS, "option")
    if key ~= nil then fault.usage("figure: %s: %s", key, unknown) end
    for _, name in ipairs { "path", "data", "script" } do
        if options[name] == nil then fault.usage("figure: %s: is required", name) end
    end
    for _, name in ipairs(check.sorted_keys(options)) do
        local value, why = READERS[name](options[name])
        if value == nil then fault.usage("figure: %s: %s", name, why) end
    end
    return M.draw(options)
end

return M
