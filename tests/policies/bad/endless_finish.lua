-- expect: used up its budget of 10000000 instructions in one call
return {
  name = "bad", model = "slotted",
  key = "remaining",
  finish = function(s, job) repeat until false end,
}
