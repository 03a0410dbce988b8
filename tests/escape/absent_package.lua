-- expect: 'package' is not available in a policy
-- reads the global package
return { run = function()
    return package
end }
