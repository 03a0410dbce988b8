-- expect: 'math.random' is not available in a policy
-- reads math.random
return { run = function()
    return math.random
end }
