-- expect ok
-- no address in tostring
return { run = function()
    assert(tostring({}) == "table" and tostring(print) == "function" and tostring(function() end) == "function")
end }
