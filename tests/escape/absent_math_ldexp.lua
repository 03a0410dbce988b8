-- expect: 'math.ldexp' is not available in a policy
-- reads math.ldexp
return { run = function()
    return math.ldexp
end }
