-- expect: width or precision is longer than two digits
-- a precision of 10^9
return { run = function()
    return string.format("%.1000000000f", 1)
end }
