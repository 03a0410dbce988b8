-- Available SRPT: the maps of a virtual SRPT run in this slot, then reduces, then further maps.
-- (Zheng, Shroff, Sinha 2013, Algorithm 1; SL18-SL24.) Each group by work left at the start of the
-- slot, ties by id.
-- O(log jobs) per job served; the virtual run and the three orders are the kernel's.
return {
  name = "asrpt", model = "slotted", work_conserving = true,
  -- SRPT of the sizes as they seem, beside the real run (SL10-SL12, SL18)
  virtual = "estimates",
  -- a job's load: the maps that SRPT serves in this slot (SL12)
  load = "slot",
  orders = {
    loaded = { by = "remaining", jobs = "load" },     -- SL19
    ready = { by = "remaining", jobs = "reduce" },
    unmapped = { by = "remaining", jobs = "map" },
  },
  slot = function(s)
    -- lines 8-26: MapLoad, as far as real maps are left (SL21)
    s:fill("load", "loaded")
    -- lines 27-39: reduces of jobs whose maps were done before (SL22)
    s:fill("reduce", "ready")
    -- lines 40-52: no machine idles while a map waits (SL23)
    s:fill("map", "unmapped")
  end,
}
