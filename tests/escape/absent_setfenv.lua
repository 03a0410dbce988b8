-- expect: 'setfenv' is not available in a policy
-- reads the global setfenv
return { run = function()
    return setfenv
end }
