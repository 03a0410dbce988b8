-- expect: the library's tables are read-only
-- hides memory in a library table
return { run = function()
    string.memory = 1
end }
