-- expect: used up its budget of 10000000 instructions in one call
return {
  name = "bad", model = "slotted",
  key = { changes = "served", of = function(s, job)
    while true do job = -job end
  end },
}
