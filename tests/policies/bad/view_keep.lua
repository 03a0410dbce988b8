-- expect: this table is read-only once the file is loaded
local KEPT = {}
return {
  name = "bad", model = "slotted",
  init = function() local kept = KEPT end,
  slot = function(s)
    local job = 1
    KEPT.view = s
    s:fill("all", "remaining")
  end,
}
