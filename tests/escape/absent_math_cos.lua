-- expect: 'math.cos' is not available in a policy
-- reads math.cos
return { run = function()
    return math.cos
end }
