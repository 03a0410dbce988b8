-- expect: used up its budget
-- string.rep whose length overflows
return { run = function()
    return ("xxxxxxxx"):rep(math.maxinteger, "xxxxxxxx")
end }
