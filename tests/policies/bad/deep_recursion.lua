-- expect: needs more than 64 MiB of memory
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local function down() return 1 + down() end
    down()
    s:fill("all", "remaining")
  end,
}
