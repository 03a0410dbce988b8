-- expect: 'string.pack' is not available in a policy
-- reads string.pack
return { run = function()
    return string.pack
end }
