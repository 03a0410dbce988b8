-- expect: pairs: a key of type table has no defined order
-- the order of table keys would come from addresses
return { name="a", model="slotted", slot = function(s)
    for _ in pairs({ [{}] = 1 }) do end
end }
