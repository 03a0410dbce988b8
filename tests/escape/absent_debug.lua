-- expect: 'debug' is not available in a policy
-- reads the global debug
return { run = function()
    return debug
end }
