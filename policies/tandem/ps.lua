-- Processor sharing: equal shares of each station for all jobs that it can serve.
-- (Lin, Zhang, Wierman, Tan 2013; TA11.) No order; what a job without backlog cannot use of its
-- shuffle share goes to the others (water-filling).
-- O(log jobs) per instant at the map station; at the shuffle also one step per job that builds
-- backlog while it is mapped.
return {
  name = "ps", model = "tandem",
  map = { serve = "share" },
  shuffle = { serve = "share" },
}
