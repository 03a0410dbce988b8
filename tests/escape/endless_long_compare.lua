-- expect: used up its budget
-- compares strings of a million bytes
return { run = function()
    local a = ('x'):rep(900000)
    local b = ('x'):rep(900000)
    while a == b do end
end }
