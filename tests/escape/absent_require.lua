-- expect: 'require' is not available in a policy
-- reads the global require
return { run = function()
    return require
end }
