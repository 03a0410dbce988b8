-- expect: 'utf8' is not available in a policy
-- reads the global utf8
return { run = function()
    return utf8
end }
