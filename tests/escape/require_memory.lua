-- expect: this table is read-only once the file is loaded
-- keeps memory in a table of a carried file that nothing else reaches
local count = (require "./counter").count
return { run = function()
    return count()
end }
counter
local hidden = { n = 0 }
return { count = function()
    hidden.n = hidden.n + 1
    return hidden.n
end }
