-- expect: 'os' is not available in a policy
-- reads the global os
return { run = function()
    return os
end }
