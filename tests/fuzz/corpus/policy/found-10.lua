-- expe_ready(job, called by prin4
return { name="a", model="slotted", slot = function(s)
    print(setmetatable({}, { _WtostrIng = function() while true do end end }))
end }
