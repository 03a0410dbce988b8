-- expect: 'string.unpack' is not available in a policy
-- reads string.unpack
return { run = function()
    return string.unpack
end }
