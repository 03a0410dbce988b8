-- expect: 'module' is not available in a policy
-- reads the global module
return { run = function()
    return module
end }
