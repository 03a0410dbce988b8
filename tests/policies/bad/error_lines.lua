-- expect: one?two?[31mthree
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    error("one\ntwo\27[31mthree")
    s:fill("all", "remaining")
  end,
}
