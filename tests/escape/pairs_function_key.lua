-- expect: pairs: a key of type function has no defined order
-- the order of function keys would come from addresses
return { run = function()
    for _ in pairs({ [print] = 1 }) do end
end }
