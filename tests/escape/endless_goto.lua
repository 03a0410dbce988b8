-- expect: used up its budget
-- goto
return { run = function()
    ::again::
    goto again
end }
