-- expect: require: 'pinion' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    require "pinion"
    s:fill("all", "remaining")
  end,
}
