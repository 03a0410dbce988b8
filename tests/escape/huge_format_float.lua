-- expect ok
-- the longest float there is
return { run = function()
    assert(#string.format("%99.99f", -1.7976931348623157e308) == 410)
end }
