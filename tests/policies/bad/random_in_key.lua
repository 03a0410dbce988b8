-- expect: a key or share cannot be random
return {
  name = "bad", model = "slotted",
  key = { changes = "served", of = function(s, job)
    return s:random(1, 6)
  end },
}
