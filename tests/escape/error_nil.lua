-- expect: error value of type nil
-- error(nil)
return { run = function()
    error(nil)
end }
