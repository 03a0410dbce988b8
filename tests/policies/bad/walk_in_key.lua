-- expect: orders can only be used in slot and tick
return {
  name = "bad", model = "slotted",
  key = { changes = "served", of = function(s, job)
    for other in s:by "key" do return other end
  end },
}
