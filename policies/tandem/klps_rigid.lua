-- klps with rigid shares: what a job leaves of its shuffle share is lost.
-- (TA12.) In line for a share of the map station by id.
-- O(log jobs) per instant at the map station; at the shuffle also one step per job that builds
-- backlog while it is mapped.
return {
  name = "klps_rigid", model = "tandem",
  params = { k = { default = 100, min = 1, max = 4294967294,
      doc = "jobs that share the map station at once" } },
  map = { serve = "share" },
  shuffle = { serve = "rigid" },
  init = function(s) s:serve("map", { limit = s.params.k }) end,
}
