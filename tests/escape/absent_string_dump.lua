-- expect: 'string.dump' is not available in a policy
-- reads string.dump
return { run = function()
    return string.dump
end }
