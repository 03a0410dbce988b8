-- Eight counterexamples of a few tasks each, run under the paper's rules and under ours.

local papers = require "shared.papers"
local runs = require "rtmr.runs"

local M = {}

local TITLE = "Counterexamples: what the rules promise and what comes of it"

-- ---- the scenarios ------------------------------------------------------------------------------

---@class pinion.RtmrCase
---@field name string
---@field params table|nil of every run
---@field nodes table[]
---@field failures table[]|nil
---@field jobs table[] with names
---@field rules { name: string, policy: string, params: table|nil, paper: boolean|nil }[] `paper`: the reading of the paper
---@field finish table<string, (integer|false)[]> what the reference found, by rule: ms of each job; false: rejected
---@field label string
---@field why string one sentence

local PAPER = { reserve = "gt", pred = "keep" }

-- Parameters before those of a rule.
local function with(...)
    local made = {}
    for _, params in ipairs { ... } do
        for name, value in next, params do made[name] = value end
    end
    return made
end

---@type pinion.RtmrCase[]
M.CASES = {
    {
        name = "cex1", label = "off by one in the dispatcher",
        nodes = { { map_slots = 2, reduce_slots = 1 } },
        jobs = {
            { name = "H", submit = 0, maps = 1, reduces = 1, map_ms = 100000, reduce_ms = 10000,
                deadline = 110000 },
            { name = "L", submit = 0, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 200000,
                deadline = 1000000 },
        },
        rules = {
            { name = "paper", policy = "rtmr", params = with(PAPER, { feedback = false }),
                paper = true },
            { name = "ge", policy = "rtmr", params = { feedback = false } },
            { name = "rtmr-live", policy = "rtmr-live" },
        },
        finish = { paper = { 220000, 210000 }, ge = { 110000, 310000 } },
        why = "H needs the only reduce slot and has 1 reserved, which is not more than the 1 "
            .. "that is free, so L takes it from "
            .. "10 to 210 s.",
    },
    {
        name = "cex2", label = "feedback admits on a slot that is taken",
        nodes = { { map_slots = 3, reduce_slots = 2 } },
        jobs = {
            { name = "p", submit = 0, maps = 1, reduces = 2, map_ms = 100000, reduce_ms = 50000,
                deadline = 1000000,
              map_factor = { 350 } },
            { name = "J", submit = 0, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 20000,
                deadline = 1000000 },
            { name = "K", submit = 31000, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 20000,
                deadline = 30000 },
        },
        rules = {
            { name = "paper", policy = "rtmr", params = PAPER, paper = true },
            { name = "no feedback", policy = "rtmr", params = with(PAPER, { feedback = false }) },
            { name = "ge", policy = "rtmr" }, { name = "rtmr-live", policy = "rtmr-live" },
        },
        finish = { paper = { 85000, 30000, 105000 }, ["no feedback"] = { 85000, 30000, false },
            ge = { nil, nil, false } },
        why = "J overtakes p; at its end feedback notes a reduce slot as free from 30 s, though "
            .. "p will take both from 35 to 85 "
            .. "s.",
    },
    {
        name = "cex3", label = "heartbeats are in no estimate", params = { heartbeat_ms = 3000 },
        nodes = { { map_slots = 1, reduce_slots = 1 } },
        jobs = { { name = "A", submit = 1000, maps = 1, reduces = 1, map_ms = 10000,
            reduce_ms = 10000, deadline = 20000 } },
        rules = {
            { name = "paper", policy = "rtmr", params = PAPER, paper = true },
            { name = "ge", policy = "rtmr" },
            { name = "ge, allowance", policy = "rtmr", params = { est_extra_ms = "auto" } },
            { name = "rtmr-live, allowance", policy = "rtmr-live",
                params = { est_extra_ms = "auto" } },
        },
        finish = { ge = { 25000 }, ["ge, allowance"] = { false } },
        why = "A's map and its reduce each wait for the next beat, 2 s both times, and there is "
            .. "no room for it before the "
            .. "deadline.",
    },
    {
        name = "cex4", label = "one beat of allowance is too little",
        params = { heartbeat_ms = 3000 },
        nodes = { { map_slots = 1, reduce_slots = 2 } },
        jobs = { { name = "A", submit = 1000, maps = 1, reduces = 2, map_ms = 10000,
            reduce_ms = 10000, deadline = 26000 } },
        rules = {
            { name = "ge, one beat", policy = "rtmr", params = { est_extra_ms = 3000 },
                paper = true },
            { name = "ge, allowance", policy = "rtmr", params = { est_extra_ms = "auto" } },
            { name = "rtmr-live, allowance", policy = "rtmr-live",
                params = { est_extra_ms = "auto" } },
        },
        finish = { ["ge, one beat"] = { 28000 }, ["ge, allowance"] = { false } },
        why = "A beat gives one reduce, so the second of two that are ready waits for another one.",
    },
    {
        name = "cex5", label = "feedback makes an estimate worse", params = { theta_ms = 1000 },
        nodes = { { map_slots = 2, reduce_slots = 2 } },
        jobs = {
            { name = "A", submit = 0, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 10000,
                deadline = 1000000,
              reduce_factor = { 500 } },
            { name = "B", submit = 0, maps = 1, reduces = 1, map_ms = 100000, reduce_ms = 50000,
                deadline = 2000000 },
            { name = "C", submit = 16000, maps = 1, reduces = 3, map_ms = 10000, reduce_ms = 120000,
                deadline = 254000 },
        },
        rules = {
            { name = "paper", policy = "rtmr", params = PAPER, paper = true },
            { name = "ge", policy = "rtmr" },
            { name = "no feedback", policy = "rtmr", params = { feedback = false } },
            { name = "rtmr-live", policy = "rtmr-live" },
        },
        finish = { paper = { 15000, 150000, false }, ge = { 15000, 150000, false },
                   ["no feedback"] = { 15000, 150000, 270000 } },
        why = "When A ends at 15 s, B, which has run for all of that time, is estimated as if "
            .. "it started then, and C is turned "
            .. "away.",
    },
    {
        name = "cex6", label = "a dead node still counts", params = { theta_ms = 1000 },
        nodes = { { count = 2, map_slots = 1, reduce_slots = 1 } },
        failures = { { time = 1000, node = 1 } },
        jobs = {
            { name = "A", submit = 0, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 10000,
                deadline = 1000000 },
            { name = "B", submit = 30000, maps = 2, reduces = 2, map_ms = 10000, reduce_ms = 10000,
                deadline = 20000 },
            { name = "C", submit = 100000, maps = 2, reduces = 2, map_ms = 10000, reduce_ms = 10000,
                deadline = 20000 },
        },
        rules = {
            { name = "paper", policy = "rtmr", params = PAPER, paper = true },
            { name = "ge", policy = "rtmr" },
            { name = "rtmr-live", policy = "rtmr-live" },
        },
        finish = { paper = { 20000, 70000, 140000 }, ge = { 20000, 70000, 140000 },
            ["rtmr-live"] = { 20000, false, false } },
        why = "The records have an entry for every slot for ever, so each job after the failure "
            .. "is promised slots that are gone.",
    },
    {
        name = "cex7", label = "DC counts reduce slots at one instant",
        nodes = { { map_slots = 2, reduce_slots = 1 } },
        jobs = {
            { name = "K", submit = 0, maps = 1, reduces = 1, map_ms = 80000, reduce_ms = 20000,
                deadline = 100000 },
            { name = "J", submit = 1000, maps = 1, reduces = 1, map_ms = 74000, reduce_ms = 20000,
                deadline = 94000 },
        },
        rules = {
            { name = "DC", policy = "dc", paper = true }, { name = "DC, srmax", policy = "dc",
                params = { dc_reduce_start = "srmax" } },
            { name = "RTMR, ge", policy = "rtmr" }, { name = "rtmr-live", policy = "rtmr-live" },
        },
        finish = { DC = { 115000, 95000 } },
        why = "J's reduce slot is free at its s_r^max, 75 s, but K's need for it from 80 s on "
            .. "is not looked at.",
    },
    {
        name = "cex8", label = "DC turns a job away needlessly",
        nodes = { { map_slots = 2, reduce_slots = 2 } },
        jobs = {
            { name = "A", submit = 0, maps = 2, reduces = 1, map_ms = 10000, reduce_ms = 5000,
                deadline = 100000 },
            { name = "B", submit = 0, maps = 2, reduces = 1, map_ms = 10000, reduce_ms = 5000,
                deadline = 30000 },
            { name = "C", submit = 1000, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 5000,
                deadline = 1000000 },
        },
        rules = {
            { name = "DC", policy = "dc", paper = true }, { name = "DC, srmax", policy = "dc",
                params = { dc_reduce_start = "srmax" } },
            { name = "RTMR, ge", policy = "rtmr" }, { name = "rtmr-live", policy = "rtmr-live" },
        },
        finish = { DC = { 25000, 25000, false } },
        why = "No map slot is free at 1 s, so C is refused, though it has a quarter of an hour "
            .. "and needs 15 s.",
    },
}

-- ---- runs ---------------------------------------------------------------------------------------

---@param case pinion.RtmrCase
---@param rule table
---@return pinion.Result
function M.run_rule(case, rule)
    return runs.run(rule.policy, with(case.params or {}, rule.params or {}), case.nodes, case.jobs,
        nil,
        { failures = case.failures })
end

---The result of one case under one of its rules.
---@param name string
---@param rule string
---@return pinion.Result
function M.result(name, rule)
    for _, case in ipairs(M.CASES) do
        for _, known in ipairs(case.name == name and case.rules or {}) do
            if known.name == rule then return M.run_rule(case, known) end
        end
    end
    error(string.format("no rule %s of %s", rule, name))
end

local function seconds(ms)
    return ms and string.format("%g", ms / 1000) or "-"
end

-- "H: 220 of 110, MISSED", "C: rejected (285 of 270)"
local function job_text(job)
    local limit = seconds(job.submit + job.deadline)
    if job.state == "rejected" then
        return string.format("%s: rejected (%s, by %s)", job.name, job.estimate and "would end "
            .. seconds(job.estimate)
            or "no estimate", limit)
    end
    local told = job.promise and job.promise ~= job.finish
        and string.format(", promised %s", seconds(job.promise)) or ""
    return string.format("%s: %s, by %s%s%s", job.name, seconds(job.finish), limit, told,
        job.met and "" or " MISSED")
end

local function job_rows(case, rule, result)
    local rows = {}
    for id, job in ipairs(case.jobs) do
        local row = result.jobs[id]
        rows[id] = {
            case = case.name, rule = rule.name, name = job.name, submit = job.submit,
            deadline = job.deadline, state = row.state,
            promise = row.promise, estimate = row.estimate, finish = row.finish,
            met = row.deadline_met == true,
        }
    end
    return rows
end

-- Held to what the reference found of each job.
local function compare(section, case, rule, row, jobs)
    for id, known in next, case.finish[rule.name] or {} do
        local ours = jobs[id].state == "rejected" and -1 or jobs[id].finish or -2
        local agrees = section:compare(string.format("%s, %s, finish of %s (ms; -1: rejected)",
            case.name, rule.name,
            jobs[id].name), ours, known or -1, 0)
        row.agrees = agrees and row.agrees ~= false
    end
end

local function row_of(section, case, rule)
    local result = M.run_rule(case, rule)
    local jobs = job_rows(case, rule, result)
    local row = { case = case.name, rule = rule.name, missed = 0, rejected = result.rejected,
        late = result.late or 0,
                  digest = result.digest }
    for id, job in ipairs(jobs) do
        row["job_" .. id] = job_text(job)
        if job.state ~= "rejected" and not job.met then row.missed = row.missed + 1 end
    end
    compare(section, case, rule, row, jobs)
    return row, jobs
end

local function words_column(id, title)
    return { key = "job_" .. id, title = title, words = true,
        show = function(value) return value or "" end }
end

local COLUMNS = {
    { key = "case", title = "" }, { key = "rule", title = "rules" },
    words_column(1, "first job (s)"), words_column(2, "second"),
    words_column(3, "third"), { key = "missed", title = "missed", right = true },
    { key = "rejected" },
    { key = "late", title = "told so", right = true }, papers.AGREES_COLUMN, runs.DIGEST_COLUMN,
}

-- Every number, for files.
local JOB_COLUMNS = {}
for i, key in ipairs { "case", "rule", "name", "submit", "deadline", "state", "promise", "finish",
        "met" } do
    JOB_COLUMNS[i] = { key = key }
end

-- ---- claims -------------------------------------------------------------------------------------

-- Two of the counterexamples are of jobs that are turned away needlessly.
local NEEDLESS = { cex5 = true, cex8 = true }

local function judge(section, case, rows)
    local bad, good, parts = false, 0, {}
    for i, rule in ipairs(case.rules) do
        local row, is_bad = rows[i], nil
        is_bad = row.missed > 0 or NEEDLESS[case.name] and row.rejected > 0
        if rule.paper then bad = bad or is_bad else good = good + (is_bad and 0 or 1) end
        parts[i] = string.format("%s: %d missed, %d rejected", rule.name, row.missed, row.rejected)
    end
    section:claim {
        label = string.format("ours: %s: %s", case.name, case.label), where = "a counterexample",
        claim = case.why,
        paper = NEEDLESS[case.name] and "accepts what it can promise"
            or "accepted jobs make their deadlines",
        ours = table.concat(parts, "; "), verdict = bad and papers.HOLDS or papers.FAILS,
        because = string.format("%s under %s; %d of the %d other rules %s", NEEDLESS[case.name]
            and "a job is turned away"
            or "a job is late", case.rules[1].name, good, #case.rules - 1, NEEDLESS[case.name]
                and "take it" or "keep all "
                .. "promises"),
    }
end

local function run_cases(context)
    local section = papers.section("cases", TITLE, "Sections III and IV", {
        "Who is accepted, when each job ends, and by when it had to (s); promised, would end: "
            .. "the finish estimated at its submission, "
            .. "where it is another (a job that comes later may take its place, up to its "
                .. "deadline). No task takes longer than "
            .. "its estimate. \"paper\": reserve=gt, pred=keep, feedback, no allowance for "
                .. "heartbeats; \"ge\": ours, "
            .. "reserve=ge, pred=drop; allowance: est_extra_ms=auto.",
    })
    local all, jobs = {}, {}
    for _, case in ipairs(M.CASES) do
        local rows = {}
        for i, rule in ipairs(case.rules) do
            local row, of_jobs = row_of(section, case, rule)
            rows[i], all[#all + 1] = row, row
            table.move(of_jobs, 1, #of_jobs, #jobs + 1, jobs)
        end
        judge(section, case, rows)
    end
    section:table("cases", nil, COLUMNS, all)
    section:table("cases_jobs", nil, JOB_COLUMNS, jobs)
    return section
end

M.cases = { name = "cases", title = TITLE, run = run_cases }

return M
