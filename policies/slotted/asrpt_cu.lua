-- ASRPT with catch-up: maps that virtual SRPT has run but this schedule has not run keep priority.
-- (ours; SL25.) Three groups as in ASRPT, each by work left at the start of the slot, ties by id.
-- O(log jobs) per job served; the virtual run and the three orders are the kernel's.
return {
  name = "asrpt_cu", model = "slotted", work_conserving = true,
  virtual = "estimates",
  -- SRPT's maps so far less the real ones so far
  load = "cumulative",
  orders = {
    loaded = { by = "remaining", jobs = "load" },
    ready = { by = "remaining", jobs = "reduce" },
    unmapped = { by = "remaining", jobs = "map" },
  },
  slot = function(s)
    s:fill("load", "loaded")
    s:fill("reduce", "ready")
    s:fill("map", "unmapped")
  end,
}
