-- expect: function expected
-- a comparator that is none
return { run = function()
    table.sort({ 1, 2 }, {})
end }
