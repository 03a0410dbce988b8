-- expect: 'for' step is zero
-- a for loop that does not move
return { run = function()
    for i = 1, 2, 0 do end
end }
