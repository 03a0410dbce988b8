-- expect: 'arg' is not available in a policy
-- reads the global arg
return { run = function()
    return arg
end }
