-- expect: machines can only be given in slot
return {
  name = "bad", model = "slotted",
  key = "remaining",
  finish = function(s, job) s:fill("all", "key") end,
}
