-- expect: used up its budget
-- a long string is hashed when it becomes a key
return { run = function()
    local s, t = ("x"):rep(50000), {}
    while true do t[s .. "y"] = 1 end
end }
