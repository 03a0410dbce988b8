-- expect: 'string.gsub' is not available
-- a missing string function as a method of a string
return { run = function()
    return ("x"):gsub("x", "y")
end }
