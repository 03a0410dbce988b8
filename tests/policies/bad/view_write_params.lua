-- expect: the view is read-only
return {
  name = "bad", model = "slotted",
  params = { p = { default = 1, doc = "a parameter" } },
  slot = function(s)
    local job = 1
    s.params.p = 2
    s:fill("all", "remaining")
  end,
}
