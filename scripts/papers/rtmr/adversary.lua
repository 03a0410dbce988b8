-- Policies that only make deadlines: rtmr and rtmr-live as the kernel has them, but the deadline of
-- each job with an `input` of 2 becomes what admission would just promise it. Such a job has no
-- time to spare, so any mistake of the estimate shows. The kernel's policies are then run on the
-- jobs with these deadlines.

local HEAD = [[
-- %s, with deadlines as tight as its own estimates: for scenarios that try the guarantee, not for use.
-- Started jobs first, then by deadline or submission; ties by id.
-- O(slots) a few times per job admitted and per waiting job behind it.
local function tighten(s, job)
  for _ = 1, 3 do -- with another deadline the job may have another place, and so another estimate
    local promise = s:foresee(job)
    if promise then s:set_deadline(job, promise - s:submit(job)) end
  end
end

local function admit(s, job)
  if s:input(job) == 2 then tighten(s, job) end
  local _, blocker = s:foresee(job)
  return not blocker
end
]]

local FEEDBACK = [[
local function leave(s, job)
  if s:has_failed(job) or not s.params.feedback then return end
  local expected = s.params.fc_estimate == "recompute" and s:estimate_anew(job) or s:estimate(job)
  local late = s:now() > s:submit(job) + s:deadline(job)
  if late or math.abs(expected - s:now()) > s.params.theta_ms then s:feed_back(job) end
end
]]

local TAIL = [[
return {
  name = "%s", model = "cluster",
  key = { changes = "arrival", of = function(s, job)
    if s.params.order == "FIFO" then return s:submit(job) end
    local due = s:submit(job) + s:deadline(job)
    return due // 2, due %% 2
  end },
  admit = admit,
%s
}
]]

local RECORDS = [[
  params = {
    order = { default = "EDF", choices = { "EDF", "FIFO" }, doc = "as in rtmr" },
    feedback = { default = true, doc = "as in rtmr" },
    theta_ms = { default = 30000, min = 0, doc = "as in rtmr" },
    reserve = { default = "ge", choices = { "ge", "gt" }, doc = "as in rtmr" },
    fc_estimate = { default = "recorded", choices = { "recorded", "recompute" }, doc = "as in rtmr" },
    fc_completed = { default = "skip", choices = { "skip", "satu" }, doc = "as in rtmr" },
    pred = { default = "drop", choices = { "drop", "keep" }, doc = "as in rtmr" },
  },
  leave = leave, records = true,
  uses = function(params)
    return { "in_order", "maps_first", "deadlines", "reserves", params.reserve == "gt" and "reserves_less",
             params.pred == "keep" and "keep", params.fc_completed == "satu" and "satu" }
  end,]]

local LIVE = [[
  params = { order = { default = "EDF", choices = { "EDF", "FIFO" }, doc = "as in rtmr-live" } },
  uses = { "in_order", "maps_first", "deadlines", "reserves", "forecasts" },]]

return {
    rtmr = HEAD:format "RTMR" .. FEEDBACK .. TAIL:format("tight-rtmr", RECORDS),
    ["rtmr-live"] = HEAD:format "rtmr-live" .. TAIL:format("tight-rtmr-live", LIVE),
}
