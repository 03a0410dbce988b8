-- expect: 'rawget' is not available in a policy
-- reads the global rawget
return { run = function()
    return rawget
end }
