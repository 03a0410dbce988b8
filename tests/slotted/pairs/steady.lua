-- Shares by weights that never change.
-- Its rule in C: tests/slotted/support/pairs.c. Uses weights with changes = "arrival", beside
-- machines held, which do change.
return {
  name = "steady", model = "slotted",
  share = { changes = "arrival", of = function(s, job) return 1 + s:id(job) % 5 end },
}
