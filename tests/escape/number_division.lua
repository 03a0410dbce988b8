-- expect: attempt to divide by zero
-- integer division by zero
return { run = function()
    return 1 // 0
end }
