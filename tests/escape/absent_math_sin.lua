-- expect: 'math.sin' is not available in a policy
-- reads math.sin
return { run = function()
    return math.sin
end }
