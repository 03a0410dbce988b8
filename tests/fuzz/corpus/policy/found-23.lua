--achines can onlot
return {
  name = "bad", model = "slotted",
  key = "remaining",
  arrive = function(s, job) s:fill("all", "key") end,
}
