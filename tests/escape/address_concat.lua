-- expect: attempt to concatenate a table value
-- a table as text
return { run = function()
    return "" .. {}
end }
