-- expect: order 'mine' cannot be walked
return {
  name = "bad", model = "slotted",
  orders = { mine = "remaining", remaining = "remaining" },
  slot = function(s)
    local job = 1
    for j in s:by "mine" do s:give(j, 0) end
    s:fill("all", "remaining")
  end,
}
