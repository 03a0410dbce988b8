-- expect: width or precision is longer than two digits
-- a width of 10^9
return { run = function()
    return string.format("%1000000000d", 1)
end }
