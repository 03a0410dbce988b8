-- expect: used up its budget
-- prints without end
return { run = function()
    while true do print() end
end }
