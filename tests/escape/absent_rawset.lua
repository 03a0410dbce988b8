-- expect: 'rawset' is not available in a policy
-- reads the global rawset
return { run = function()
    return rawset
end }
