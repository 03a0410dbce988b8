-- expect: pairs: a key of type boolean has no defined order
-- a boolean key
return { run = function()
    for _ in pairs({ [true] = 1 }) do end
end }
