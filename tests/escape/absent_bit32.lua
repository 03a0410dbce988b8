-- expect: 'bit32' is not available in a policy
-- reads the global bit32
return { run = function()
    return bit32
end }
