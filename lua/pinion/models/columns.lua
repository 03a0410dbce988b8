-- What follows from the rows of result columns: models/MODEL/columns.lua has one row per column,
-- and tables, csv files, JSON, figures, annotations and pages are made from it.

local M = {}

---@class pinion.ResultColumn a number, or a list, that a run has
---@field name string in results, JSON and csv files
---@field type string in annotations; with |nil if it can be absent
---@field doc string[] for pages and annotations: unit or "", meaning, and when it is absent (nil: never)
---@field title string|nil of its column in tables; text behind a colon is the legend below the table. nil: tables do not have it
---@field write (fun(value: number|nil, half: number|nil): string)|nil formats it in tables; nil: as words.mean
---@field line { [1]: string, [2]: fun(value: any): string }|nil its line in the text of a single run: label, and format
---@field label string|nil of an axis, the unit in brackets at its end; nil: no figure shows it
---@field measure boolean|nil true: over replicas it has a mean, NAME_sd and NAME_half. The first measure decides which policy is better
---@field of string|nil what else the program knows of it, a key of OF below
---@field group string|nil a sum over jobs such as "kills", or a ratio of two such as "local_maps / maps", which each group has; all jobs have it too where the core does not return the column
---@field show string|nil phrases of SHOW below, separated by commas; nil: the column is in tables, csv files and JSON
---@field encode (fun(value: any, result: pinion.Result): any)|nil its value in JSON; nil: the value, a list of numbers as a list

-- Where a column is shown, beside what its row says by `title`, `line` and `label`.
local SHOW = {
    ["unless 0"] = "tables do not have it if it is 0 in every row",
    ["unless 1"] = "tables do not have it if it is 1 in every row",
    ["first with admission"] = "tables have it first, with its legend, if a policy may reject jobs",
    ["in groups"] = "tables of groups have it",
    ["in groups of one run"] = "tables of the groups of a single run have it",
    ["if present"] = "tables, csv files and JSON have it only if some run has it",
    ["if present in JSON"] = "JSON does not have it as null",
    ["not in csv"] = "csv files do not have it",
    ["not in JSON"] = "JSON does not have it",
    ["after the bounds"] = "its place in JSON, where bounds and ratios follow the other columns",
    ["at the end"] = "its place in JSON, with other facts about the run; csv files do not have it",
    ["exact"] = "NAME_exact beside it is its exact value as text where it is no integer",
}

-- What a column is.
local OF = {
    ["lower bound"] = { bound = "fast" },
    ["tight bound"] = { bound = "tight" },
    ["ratio to the lower bound"] = { ratio = "fast" },
    ["ratio to the tight bound"] = { ratio = "tight" },
    ["tight bound's proof"] = { proof = true }, -- JSON has it beside the tight bound
    ["workload"] = { shared = true }, -- the same for all policies, computed in the first run
    ["metric"] = { metric = true }, -- one of --metrics
}

local phrases_of = setmetatable({}, { __index = function(known, show)
    local phrases = {}
    for phrase in (show .. ", "):gmatch "(.-), " do
        assert(SHOW[phrase], phrase)
        phrases[phrase] = true
    end
    known[show] = phrases
    return phrases
end })

---@param column pinion.ResultColumn
---@param phrase string of SHOW
---@return boolean
function M.shows(column, phrase)
    return column.show ~= nil and phrases_of[column.show][phrase] ~= nil
end

local NOTHING = {}

---@param column pinion.ResultColumn
---@return { bound: string|nil, ratio: string|nil, proof: boolean|nil, shared: boolean|nil, metric: boolean|nil }
function M.kind(column)
    return column.of and (OF[column.of] or error(column.of)) or NOTHING
end

---Returns the title of its column in tables.
---@param column pinion.ResultColumn
---@return string|nil
function M.title(column)
    return column.title and column.title:match "^[^:]+"
end

---Returns what is written of the title below a table.
---@param column pinion.ResultColumn
---@return string|nil
function M.legend(column)
    return column.title and column.title:find(":", 1, true) and column.title
end

---Returns the axis of a figure that shows how the mean settles.
---@param column pinion.ResultColumn
---@return string|nil
function M.running_label(column)
    if not column.label then return nil end
    local quantity, unit = column.label:match "^(.-)( %b())$"
    quantity, unit = quantity or column.label, unit or ""
    local is_mean = quantity:find "^mean " or quantity:find "^weighted mean "
    return quantity .. (is_mean and " so far" or ", mean so far") .. unit
end

---Returns what a group has in the column, by sums over its jobs.
---@param column pinion.ResultColumn
---@param sums table<string, integer> as the core returns them
---@return number|nil
function M.of_sums(column, sums)
    local above, below = column.group:match "^([%w_]+) / ([%w_]+)$"
    if not above then return sums[column.group] end
    return sums[below] > 0 and sums[above] / sums[below] or nil
end

return M
