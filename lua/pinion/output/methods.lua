-- What results, comparisons and sweeps do with themselves in scripts: they are text, write files
-- and draw figures. The classes are those of run/, which does not know how anything is printed.

local check = require "pinion.base.check"
local comparison = require "pinion.run.comparison"
local comparison_output = require "pinion.output.comparison"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local inputs = require "pinion.run.inputs"
local lazy = require "pinion.base.lazy"
local database = lazy.module "pinion.output.database"
local again = lazy.module "pinion.output.again"
local long = require "pinion.output.long"
local page = lazy.module "pinion.output.page"
local pages = lazy.module "pinion.output.page.sections"
local plot = lazy.module "pinion.output.plot"
local result = require "pinion.run.result"
local result_output = require "pinion.output.result"
local say = require "pinion.base.say"
local sweep = require "pinion.run.sweep"
local sweep_output = require "pinion.output.sweep"
local tune = require "pinion.run.tune"
local tune_output = require "pinion.output.tune"

local function text_of(document_of)
    return fault.plain(function(self) return (document_of(self):text "table":gsub("\n$", "")) end)
end

-- Returns a method that writes a file of this kind: `make` gets its name.
local function maker(what, make)
    return fault.public(function(self, path)
        local name, why = check.text(path)
        if not name then fault.usage("%s: file name %s", what, why) end
        inputs.keep_from_those_of(self, { output = name })
        make(self, name)
    end)
end

-- Returns a method that writes a file of text.
local function writer(what, print_it)
    return maker(what, function(self, path)
        files.write(path, function(write) print_it(self, write) end)
    end)
end

-- A method that writes a database.
local db = maker("db", function(self, path)
    database.check "db"
    database.write(path, self, true)
end)

-- Adds the methods that write tables for papers and pages.
local function add_writers(class, document_of)
    for _, style in ipairs { "markdown", "latex" } do
        class[style] = writer(style, function(self, write) write(document_of(self):text(style)) end)
    end
end

-- Returns a method that draws a figure with gnuplot and leaves its data (.dat) and script (.gp)
-- beside it; false when gnuplot is not installed.
local function drawer(draw)
    return fault.public(function(self, path, options)
        inputs.keep_from_those_of(self, { plot = path })
        return draw(self, path, options or {})
    end)
end

-- Returns a method that writes a page with charts; false when this build has none.
local function pager(page_of)
    local write = writer("page", function(self, sink) page.write(page_of(self), sink) end)
    return fault.public(function(self, path)
        local missing = page.missing()
        if missing then
            say("%s", missing)
            return false
        end
        write(self, path)
        return true
    end)
end

local Result = result.class
Result.__tostring = text_of(result_output.document)
add_writers(Result, result_output.document)
Result.long = writer("long", long.csv)
Result.db = db
Result.explain = fault.public(function(self, job) return again.job(self, job) end)
Result.diff = fault.public(function(self, other) return again.difference(self, other) end)
Result.timeline = fault.public(function(self, buckets) return again.timeline(self, buckets) end)
Result.gantt = fault.public(function(self, path, options)
    inputs.keep_from_those_of(self, { gantt = path })
    again.gantt(self, path, options)
end)
Result.instant = fault.public(function(self, time) return again.instant(self, time) end)
Result.page = pager(function(self) return pages.result(self) end)
Result.plot = drawer(function(...) return plot.draw_result(...) end)

local Comparison = comparison.class
Comparison.__tostring = text_of(comparison_output.document)
add_writers(Comparison, comparison_output.document)
Comparison.long = writer("long", long.csv)
Comparison.db = db
Comparison.csv = writer("csv", comparison_output.csv)
Comparison.json = writer("json",
    function(self, write) comparison_output.json(self, write, false) end)
Comparison.page = pager(function(self) return pages.comparison(self) end)
Comparison.plot = drawer(function(...) return plot.draw(...) end)
Comparison.timeline = fault.public(function(self) return again.recorded(self.rows) end)

local Sweep = sweep.class
Sweep.__tostring = text_of(sweep_output.document)
add_writers(Sweep, sweep_output.document)
Sweep.long = writer("long", long.csv)
Sweep.db = db
Sweep.csv = writer("csv", sweep_output.csv)
Sweep.json = writer("json", sweep_output.json)
Sweep.page = pager(function(self) return pages.sweep(self) end)
Sweep.plot = drawer(function(...) return plot.draw_sweep(...) end)

local Tune = tune.class
Tune.__tostring = text_of(tune_output.document)
add_writers(Tune, tune_output.document)
Tune.csv = writer("csv", tune_output.csv)
Tune.json = writer("json", tune_output.json)
Tune.page = pager(function(self) return pages.tune(self) end)

return {}
