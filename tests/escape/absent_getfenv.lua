-- expect: 'getfenv' is not available in a policy
-- reads the global getfenv
return { run = function()
    return getfenv
end }
