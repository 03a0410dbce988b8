-- expect: patterns are not available
-- string.find with plain = false
return { run = function()
    return ("x"):find("x", 1, false)
end }
