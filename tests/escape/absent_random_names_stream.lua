-- expect: s:random
-- math.random says where random numbers come from
return { run = function()
    return math.random()
end }
