-- expect: patterns are not available
-- string.find with a pattern
return { run = function()
    return ("x"):find("%w")
end }
