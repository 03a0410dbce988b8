-- expect: this table is read-only once the file is loaded
local COUNT = {}
return {
  name = "bad", model = "slotted",
  init = function() local kept = COUNT end,
  slot = function(s)
    local job = 1
    COUNT.calls = 1
    s:fill("all", "remaining")
  end,
}
