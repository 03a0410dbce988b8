-- expect: 'math.acos' is not available in a policy
-- reads math.acos
return { run = function()
    return math.acos
end }
