-- Distributions by name: exp(5), uniform(1,9), mixture(0.9,exp(2),0.1,exp(50)), … A bare number is
-- a constant. The core reads them; here numbers, tables and files of values become such a text. The
-- draws of sizes are rounded up to integers of at least 1; sizes that are real numbers are read as
-- factors are.

local check = require "pinion.base.check"
local core = require "pinion.core"
local files = require "pinion.base.files"
local quantity = require "pinion.base.quantity"

local M = {}

local VALUES_MOST = 1048576 -- as in the core

local function number_text(value)
    local integer = math.tointeger(value)
    return integer and string.format("%d", integer) or check.float_text(value)
end

-- ---- files of values ----------------------------------------------------------------------------

-- Reads the numbers of a file, one in a line; what follows a # is a comment.
---@return string|nil values between commas, string|nil reason
local function read_values(path)
    local read, why = files.read(path)
    if not read then return nil, string.format("empirical: %s: %s", path, why) end
    local values, number = {}, 0
    for line in read:gmatch "[^\n]*" do
        number = number + 1
        local text = line:gsub("#.*", ""):match("^%s*(.-)%s*$")
        if text ~= "" then
            local value = quantity.plain(text)
            if type(value) ~= "number" or value < 0 or #values == VALUES_MOST then
                return nil, string.format("empirical: %s:%d: %s", path, number,
                    #values == VALUES_MOST and "holds more than 1048576 values"
                    or "must be a number >= 0, got " .. check.show(value))
            end
            values[#values + 1] = text
        end
    end
    if #values == 0 then
        return nil, string.format("empirical: %s: holds no values (expected a number in each line)",
            path)
    end
    return table.concat(values, ",")
end

-- Visits the file names that a text has in place of values.
local function each_file(text, visit)
    return (text:gsub("(%f[%a]empirical%s*)%(([^(),]*)%)", function(name, inside)
        local path = inside:match("^%s*(.-)%s*$")
        if path == "" or type(quantity.plain(path)) == "number" then return nil end
        local values = visit(path)
        return values and name .. "(" .. values .. ")"
    end))
end

---Returns the files of values that a distribution reads.
---@param value any as the user gave it
---@return string[] paths
function M.files(value)
    local paths = {}
    if type(value) == "string" then
        each_file(value, function(path) paths[#paths + 1] = path end)
    end
    return paths
end

-- ---- reading ------------------------------------------------------------------------------------

-- Returns the text of a number, of a table { kind =, a =, b = } or of one that was read before; nil
-- when it is none of these.
local function text_of(value)
    if type(value) == "number" then return "constant(" .. number_text(value) .. ")" end
    if type(value) ~= "table" or type(value.kind) ~= "string" then return nil end
    if type(value.text) == "string" then return value.text end
    local numbers = {}
    for i = 1, core.distribution_kinds[value.kind] or 2 do
        local number = i == 1 and value.a or value.b
        numbers[i] = type(number) == "number" and number_text(number) or tostring(number)
    end
    return value.kind .. "(" .. table.concat(numbers, ",") .. ")"
end

---Returns a text with the values of files in place of their names.
---@param text string
---@return string|nil expanded, string|nil reason
function M.expand(text)
    local wrong = nil
    local expanded = each_file(text, function(path)
        local values, why = read_values(path)
        wrong = wrong or why
        return values
    end)
    if wrong then return nil, wrong end
    return expanded
end

local function read(value, factors)
    local text, wrong = text_of(quantity.plain(value)), nil
    local shown = type(value) == "table" and value.shown or nil
    if not text and type(value) == "string" then
        text, wrong = M.expand(value)
        if text ~= value then shown = value end
    end
    if wrong then return nil, wrong end
    if not text then
        return nil, "must be a distribution such as exp(5) or uniform(1,9), got "
            .. check.show(value)
    end
    local made, why = core.distribution(text, factors)
    if made then made.shown = shown end
    return made, why
end

---Reads a distribution of sizes: text such as "exp(5)", a number, or a table { kind =, a =, b = }
---or as returned from here.
---@param value string|number|table
---@return table|nil distribution { kind =, a =, b =, text = }, string|nil reason
function M.read(value)
    return read(value, false)
end

---Reads a distribution of factors on sizes, or of sizes that are real numbers >= 0.
---@param value string|number|table
---@return table|nil distribution { kind =, a =, b =, text = }, string|nil reason
function M.read_factor(value)
    return read(value, true)
end

---Makes a reader of a number, which is an integer in low..high, or of a distribution of such
---numbers.
---@return fun(value: any): integer|table|nil, string|nil
function M.read_count(low, high)
    return function(value)
        if type(quantity.plain(value)) == "number" then
            return quantity.integer(value, low, high)
        end
        return M.read(value)
    end
end

---@param distribution table as M.read returns it
---@return string as M.read reads it; a file of values by its name
function M.text(distribution)
    return distribution.shown or distribution.text
end

return M
