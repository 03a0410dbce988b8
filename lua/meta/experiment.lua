---@meta

-- ---- experiments -------------------------------------------------------------------------------
-- What experiment scripts need around their runs.

---What experiment scripts need around their runs: many runs side by side, what is said of a sample,
---how a number is held to a reference, tables and figures. The scripts of the papers (`pinion
---paper`) are examples.
---@class pinion.experiment
local experiment = {}

---@class pinion.EachOptions
---@field processes? integer that share the tasks; default: as many as there are cores. Values do not depend on it.
---@field label? string what messages and the progress on standard error call all of it; default "experiment"
---@field unit? string what they call a task; default "task"
---@field quiet? boolean no progress
---@field store? string a folder: the value of every task that is done is kept there, and not computed again
---@field store_key? any with store: whatever the tasks depend on, a text, a number, or a table of them; the file that `run` is written in counts by itself
---@field store_files? string[] with store: files that the tasks depend on as well, such as a trace and the modules of the script; what is in them counts, not their names
---@field shard? string with store: "7/100" runs what is missing of part 7 of 100 only
---@field only_stored? boolean with store: nothing is run; what is missing is an error
---@field retry? boolean with store: what is stored as failed is run again

---The values of `run` for the tasks 1..count, in this order, computed in several processes: a task
---for each seed, say. What a task changes outside its value is lost. An error in a task is raised
---here.
---@param count integer
---@param run fun(task: integer): any numbers, strings, booleans, and tables of them that are sequences or have names as keys
---@param options? pinion.EachOptions
---@return any[]|nil values by task; nil: with a shard, while other parts are missing
function experiment.each(count, run, options) end

---Seconds on a clock that advances evenly: differences tell how long something took.
---@return number
function experiment.clock() end

---@class pinion.Sample
---@field count integer
---@field mean number
---@field sd number standard deviation; 0.0 of a single value
---@field half number half width of the 95 % interval of the mean; 0.0 of a single value
---@field min number
---@field max number

---What is said of values that are independent of each other, such as means of runs with different
---seeds.
---@param values number[] at least one
---@return pinion.Sample
function experiment.summary(values) end

---Half the width of the range around a mean in which one more value lies with 95 %.
---@param count integer values behind the mean, at least 2
---@param sd number their standard deviation
---@return number
function experiment.range(count, sd) end

---The smallest value that at least the fraction `q` of the counted values do not exceed.
---@param counts table<number, number> how often each value occurred
---@param q number 0..1
---@return number|nil value nil without counts
function experiment.quantile(counts, q) end

---Points of the distribution function of counted values: all values up to 399 of them, else close
---together where the curve rises and spread over the tail.
---@param counts table<number, number> how often each value occurred
---@return number[][] points value and fraction of the values up to it
function experiment.distribution(counts) end

---How far the means of two samples may lie apart by chance: three standard errors of their
---difference.
---@param sd number standard deviation of a single value
---@param count integer values behind our mean
---@param reference_count number values behind the reference's
---@param estimated? boolean `sd` is that of our own values: few of them make the tolerance wider
---@return number
function experiment.tolerance(sd, count, reference_count, estimated) end

---Whether a number is the reference's, within the tolerance and the rounding of printed decimals.
---@param ours number
---@param reference number
---@param tolerance number
---@return boolean
function experiment.agrees(ours, reference, tolerance) end

---Whether a mean lies above a limit: nil while its 95 % interval covers the limit, and for a single
---value, which has no interval.
---@param sample { mean: number, half: number, count?: integer } such as pinion.experiment.summary gives
---@param limit number
---@return boolean|nil
function experiment.above(sample, limit) end

---Whether a mean is as good as equal to a centre: true if its 95 % interval lies inside the margin
---around it, false if it lies outside, and nil if it crosses an edge of the margin, or for a single
---value. So a sample that is too small does not make two things equal.
---@param sample { mean: number, half: number, count?: integer } such as pinion.experiment.summary gives
---@param margin number largest difference that does not count, in the unit of the mean
---@param centre? number default 0
---@return boolean|nil
function experiment.within(sample, margin, centre) end

---The verdict on a claim of several parts. It holds when all of them held, and holds in part when
---some held and some failed. Where only one of both happened, it must have happened more often than
---nothing could be said: then the claim holds in part, or fails. It is undecided otherwise, also of
---no parts at all.
---@param held integer
---@param all integer
---@param undecided? integer parts of which nothing can be said; default 0
---@return "holds"|"holds in part"|"fails"|"undecided"
function experiment.verdict(held, all, undecided) end

---The lines of a decision log as they are documented, in their order. Raises an error FILE:LINE: …
---for one that is no JSON.
---@param log string the file that `log` of a run named
---@return table[] entries
function experiment.decisions(log) end

---@class pinion.Column
---@field key string of a row; its name in CSV and JSON
---@field title? string in text; without one the column is in files only
---@field right? boolean at the right edge, as numbers are
---@field words? boolean in text only
---@field show? fun(value: any, row: table): string default: tostring, "-" for nil

---Rows of numbers and words. tostring gives its text.
---@class pinion.Table
---@field columns pinion.Column[]
---@field rows table[]
local Table = {}

---@return string lines aligned, each ended by a newline; empty when no column has a title
function Table:text() end

---@return string markdown of the same columns
function Table:markdown() end

---@return string latex the same as a tabular, which needs no package
function Table:latex() end

---Writes a CSV file: a header, and numbers with all their digits.
---@param path string
function Table:csv(path) end

---@return string json an array of objects on one line, with numbers as in a CSV file and null for nil
function Table:json() end

---A table to print, or to write as CSV and JSON.
---@param columns pinion.Column[]
---@param rows table[] values by the keys of the columns
---@return pinion.Table
function experiment.table(columns, rows) end

---A value as JSON on one line: floats with the fewest digits that read back the same, null for nil
---and what is not finite, sequences as arrays, and other tables as objects with sorted keys.
---@param value any
---@return string
function experiment.json(value) end

---@class pinion.FigureOptions
---@field path string ends in .svg, .png or .pdf
---@field data string tabs between columns, "?" for what is missing, two empty lines between blocks
---@field script string gnuplot's commands, which find the data's file in the variable `data`
---@field title? string
---@field width? integer default 720
---@field height? integer default 450

---Draws a figure with gnuplot in the look of all figures here. Data and script are left beside it,
---as .dat and .gp.
---@param options pinion.FigureOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function experiment.figure(options) end
