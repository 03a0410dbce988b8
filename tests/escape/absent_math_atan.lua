-- expect: 'math.atan' is not available in a policy
-- reads math.atan
return { run = function()
    return math.atan
end }
