-- expect: needs more than 64 MiB of memory
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local t = {}
    for i = 1, math.maxinteger do t[i] = { i } end
    s:fill("all", "remaining")
  end,
}
