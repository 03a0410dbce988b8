-- expect: 'loadstring' is not available in a policy
-- reads the global loadstring
return { run = function()
    return loadstring
end }
