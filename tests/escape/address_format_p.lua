-- expect: '%p' is not available in a policy
-- %p
return { run = function()
    return string.format("%p", {})
end }
