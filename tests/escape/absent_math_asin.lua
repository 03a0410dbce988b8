-- expect: 'math.asin' is not available in a policy
-- reads math.asin
return { run = function()
    return math.asin
end }
