-- expect: 'string.match' is not available in a policy
-- reads string.match
return { run = function()
    return string.match
end }
