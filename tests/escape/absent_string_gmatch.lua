-- expect: 'string.gmatch' is not available in a policy
-- reads string.gmatch
return { run = function()
    return string.gmatch
end }
