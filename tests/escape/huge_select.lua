-- expect ok
-- select with extreme positions
return { run = function()
    assert(select("#", select(math.maxinteger, 1, 2)) == 0)
end }
