-- expect: variable 'x' got a non-closable value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local x <close> = s
    s:fill("all", "remaining")
  end,
}
