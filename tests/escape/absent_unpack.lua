-- expect: 'unpack' is not available in a policy
-- reads the global unpack
return { run = function()
    return unpack
end }
