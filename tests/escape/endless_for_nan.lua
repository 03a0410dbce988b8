-- expect ok
-- a for loop to NaN does not start
return { run = function()
    for i = 1, 0/0 do error('ran') end
end }
