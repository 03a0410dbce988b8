-- Limited processor sharing: equal shares of the map station for k jobs, of the other for all.
-- (Lin, Zhang, Wierman, Tan 2013, section 5.2; TA12.) In line for a share by id.
-- O(log jobs) per instant at the map station; at the shuffle also one step per job that builds
-- backlog while it is mapped.
return {
  name = "klps", model = "tandem",
  params = { k = { default = 100, min = 1, max = 4294967294,
      doc = "jobs that share the map station at once" } },
  map = { serve = "share" },
  shuffle = { serve = "share" },
  init = function(s) s:serve("map", { limit = s.params.k }) end,
}
