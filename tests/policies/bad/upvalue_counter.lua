-- expect: assigns to 'calls', a local of the file
local calls = 0
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    calls = calls + 1
    s:fill("all", "remaining")
  end,
}
