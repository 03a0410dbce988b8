-- expect: used up its budget
-- strcoll is called once for every \0 of two strings that are compared
return { run = function()
    local a, b = ("\0"):rep(50000), ("\0"):rep(50000)
    while not (a < b) do end
end }
