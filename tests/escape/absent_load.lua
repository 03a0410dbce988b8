-- expect: 'load' is not available in a policy
-- reads the global load
return { run = function()
    return load
end }
