-- expect: a share's weight must be an integer in 1..1048576, got 0
return {
  name = "bad", model = "slotted",
  share = { changes = "served", of = function(s, job) return 0 end },
}
