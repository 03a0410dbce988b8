-- expect: attempt to perform arithmetic on a string value
-- arithmetic on strings
return { run = function()
    return "10" + 1
end }
