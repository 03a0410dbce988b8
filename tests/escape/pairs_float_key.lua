-- expect: pairs: a key of type float has no defined order
-- a float key
return { run = function()
    for _ in pairs({ [1.5] = 1 }) do end
end }
