-- The least served job first, among equals the largest.
-- Its rule in C: tests/slotted/support/served.h. Uses attained service and sizes.
return {
  name = "served", model = "slotted",
  key = { changes = "served", of = function(s, job) return s:attained(job), -s:size(job) end },
}
