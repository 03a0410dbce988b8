-- expect: 'loadfile' is not available in a policy
-- reads the global loadfile
return { run = function()
    return loadfile
end }
