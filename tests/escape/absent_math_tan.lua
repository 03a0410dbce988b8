-- expect: 'math.tan' is not available in a policy
-- reads math.tan
return { run = function()
    return math.tan
end }
