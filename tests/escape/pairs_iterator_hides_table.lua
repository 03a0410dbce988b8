-- expect: this table is read-only once the file is loaded
-- a table that only an iterator still holds
local step = pairs({ hidden = {} })
return { run = function()
    local _, hidden = step()
    hidden.x = 1
end }
