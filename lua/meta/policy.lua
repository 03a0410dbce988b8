---@meta

-- ---- policies ----------------------------------------------------------------------------------
-- A policy's file returns a pinion.PolicyDefinition, or that of its own model, such as
-- pinion.TandemPolicyDefinition. Its functions run in a sandbox and get the view `s`.

---@class pinion.PolicyParameter
---@field name string
---@field value number|string|boolean|nil default; nil of a list
---@field low number|nil of numbers
---@field high number|nil of numbers
---@field float boolean|nil of numbers; true: any, false: integers only
---@field choices (string|boolean)[]|nil of a choice: its values
---@field path boolean|nil true: a list, whose messages name the element
---@field list boolean|nil true: a list of job ids
---@field table boolean|nil true: a table, which the policy checks
---@field scripted boolean|nil true: declared by a policy written in Lua
---@field source string|nil of a rule of the model: its numbers in docs/models
---@field null boolean|nil true: null in files is the default
---@field automatic string|nil a word that is a value too
---@field shared boolean|nil true: it makes the jobs, so that variants cannot set it
---@field doc string

---@class pinion.Policy
---@field model string
---@field name string
---@field label string what results and rows call it: the name, or the file as it was given
---@field summary string
---@field source string
---@field preemptive boolean|nil slotted: defined with preemptive reduces
---@field nonpreemptive boolean|nil slotted: defined with non-preemptive reduces
---@field work_conserving boolean|nil slotted and tandem
---@field work_conserving_by_default boolean|nil tandem: whether it is with its default parameters
---@field relaxed boolean|nil slotted and tandem: a lower bound rather than a schedule
---@field ranks boolean|nil tandem: serves in orders that the run gives (params order_map, order_shuffle)
---@field stage_time pinion.StageTime|nil makespan: this rule and the next three are its own where the scenario says nothing
---@field share "conserving"|"exclusive"|nil makespan
---@field cap "none"|"requested"|nil makespan
---@field task_order "listed"|"lpt"|nil makespan
---@field level "stage"|"task"|nil makespan: the only level that it is for
---@field preempts boolean|nil cluster: may kill tasks
---@field admits boolean|nil cluster: may reject jobs
---@field deadlines boolean|nil cluster: every job must have a deadline
---@field params pinion.PolicyParameter[] of the makespan model also those of the model, which come last
---@field twin string|nil the file of policies/ that says the same in Lua
---@field text string|nil of a policy written in Lua
---@field functions { line: integer, unfit: string|nil }[]|nil of a policy written in Lua, by the lines on which they begin; unfit: why a function is not compiled

---A policy made from a text by pinion.policy.
---@class pinion.PolicyText
---@field policy pinion.Policy

---A policy with values for some of its parameters, such as { "mlfq.lua", quantum = 20, as =
---"slow" }; the text "mlfq.lua:quantum=20:as=slow" is the same. `as` is what results call it,
---default the policy and the values; the values go before those of `params`.
---@alias pinion.PolicyVariant { [1]: string|pinion.PolicyText, as: string?, [string]: any }

---A name of pinion.policies(), the path of a FILE.lua, what pinion.policy made of a text, or a
---variant of one of these.
---@alias pinion.PolicyReference string|pinion.PolicyText|pinion.PolicyVariant

---Names a job while it is in the system; s:id(job) is its number. Arrives as an integer that is
---used again once the job has gone.
---@alias pinion.JobHandle integer

---An array in the simulation's block: per_job * s:jobs_max() + more values.
---@class pinion.StateArray
---@field per_job? integer 0..16
---@field more? integer 0..2^16

---What a parameter that is a table may hold: a word, or a table that says more.
---@alias pinion.Shape "number"|"integer"|"boolean"|"string"|pinion.ShapeDefinition

---@class pinion.ShapeDefinition
---@field type "number"|"integer"|"boolean"|"string"|"list"|"map"|"record" a map has entries under names of the user's choice, a record those under `fields`
---@field min? number of numbers
---@field max? number of numbers
---@field of? pinion.Shape of a list or a map: its elements; tables nest up to 4 deep
---@field fields? table<string, pinion.Shape> of a record
---@field default? any of a field of a record: what stands for it where it is missing
---@field optional? boolean of a field of a record: it may be missing; otherwise it is required

---A parameter, set by `params` or --param.
---@class pinion.ParameterDefinition
---@field default number|table an integer (1) allows integers only, a float (1.0) any number; a table goes with `shape`
---@field doc string one line that says what it does
---@field integer? boolean of a number: true: integers only; default: as its default is written
---@field shape? pinion.Shape of a table: what it may hold
---@field min? number
---@field max? number

---What the views of all models have.
---@class pinion.SharedView
---@field params table<string, any> the parameters' values, read-only: numbers, in the tandem and cluster models also booleans and words
---@field state table<string, any> the declared values and arrays (arrays are indexed from 1)
---@field per_job table<string, table<pinion.JobHandle, number>> the declared values per job
local SharedView = {}

---@return integer most the handles are 1..most; grows when a run has to start again with more room
function SharedView:jobs_max() end

---@param job integer any number
---@return boolean active whether a job of this handle is in the system
function SharedView:active(job) end

---@param job pinion.JobHandle
---@return integer id 1, 2, … by arrival
function SharedView:id(job) end

---An integer from the simulation's own random stream (the workload's seed and replica), the same in
---every run.
---@param low integer
---@param high integer
---@return integer number low..high
function SharedView:random(low, high) end

---@return number number in the open interval (0, 1), from the same stream
function SharedView:uniform() end

---A number or a text that jobs carry, by its name. A name that they do not carry is an error,
---unless the third argument says what to take then.
---@param job pinion.JobHandle
---@param name string
---@param default? number|string
---@return number|string value
function SharedView:attribute(job, name, default) end

---The same, but for a text its number: 0 for the default, 1 for the next text.
---@param job pinion.JobHandle
---@param name string
---@param default? number
---@return number value
function SharedView:attribute_number(job, name, default) end

---@return string[] names of the jobs' attributes, sorted and read-only
function SharedView:attributes() end

---Groups have their numbers in the order of their names, wherever the jobs come from: names that
---are whole numbers by value, then the others by bytes. Where a C host gives no names it is the
---host's number.
---@param job pinion.JobHandle
---@return integer group from 1; 0: none
function SharedView:group(job) end

---@param job pinion.JobHandle
---@return string|nil name of its group; nil: it has none, or groups have no names
function SharedView:group_name(job) end

---@return string[] names of all groups by number, read-only
function SharedView:groups() end
