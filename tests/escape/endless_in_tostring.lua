-- expect: used up its budget
-- a loop in __tostring, called by print
return { run = function()
    print(setmetatable({}, { __tostring = function() while true do end end }))
end }
