-- expect: '_G' is not available in a policy
-- reads the global _G
return { run = function()
    return _G
end }
