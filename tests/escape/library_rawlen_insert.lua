-- expect: read-only
-- hides memory in a library table through table.insert
return { run = function()
    table.insert(math, 1)
end }
