-- expect: 'next' is not available in a policy
-- reads the global next
return { run = function()
    return next
end }
