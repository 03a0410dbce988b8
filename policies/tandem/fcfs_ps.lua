-- First come, first served at the map station, equal shares of the shuffle station.
-- (Lin, Zhang, Wierman, Tan 2013, section 2.3; TA13.) Maps by id; what a job without backlog cannot
-- use of its shuffle share goes to the others (water-filling).
-- O(log jobs) per instant.
return {
  name = "fcfs_ps", model = "tandem",
  map = { key = "id" },
  shuffle = { serve = "share" },
}
