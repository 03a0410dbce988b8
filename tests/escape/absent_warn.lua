-- expect: 'warn' is not available in a policy
-- reads the global warn
return { run = function()
    return warn
end }
