-- expect: 'xpcall' is not available in a policy
-- reads the global xpcall
return { run = function()
    return xpcall
end }
