-- expect: 'math.randomseed' is not available in a policy
-- reads math.randomseed
return { run = function()
    return math.randomseed
end }
