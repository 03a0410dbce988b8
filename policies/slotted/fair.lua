-- Equal shares: machine by machine to the job that holds the fewest.
-- (Zheng, Shroff, Sinha 2013, section VII-A; SL16.) By machines held, running reduce tasks
-- included, ties by id; integer max-min fairness.
-- O(log jobs) per machine, in the kernel.
return {
  name = "fair", model = "slotted",
  share = "equal",
}
