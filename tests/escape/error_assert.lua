-- expect: error_assert.lua:4: text
-- assert with a text
return { run = function()
    assert(false, "text")
end }
