-- expect: from the comparator
-- an error in a comparator leaves the table alone
local function sort(t) table.sort(t, function() error("from the comparator") end) end
return { run = function() sort({ 3, 2, 1 }) end }
