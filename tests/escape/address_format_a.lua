-- expect: '%a' is not available in a policy
-- %a, which differs between libraries
return { run = function()
    return string.format("%a", 1.5)
end }
