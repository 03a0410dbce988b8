-- expect: 'math.log10' is not available in a policy
-- reads math.log10
return { run = function()
    return math.log10
end }
