-- expect: machines can only be given in slot
return {
  name = "bad", model = "slotted",
  key = "remaining",
  init = function(s) s:fill("all", "key") end,
}
