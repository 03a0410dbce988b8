-- expect: machines can only be given in slot
return {
  name = "bad", model = "slotted",
  tick_slots = 1,
  key = "remaining",
  tick = function(s) s:fill("all", "key") end,
}
