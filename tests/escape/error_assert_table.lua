-- expect: error value of type table
-- assert with a table
return { run = function()
    assert(nil, {})
end }
