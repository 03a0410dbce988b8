-- expect: 'io' is not available in a policy
-- reads the global io
return { run = function()
    return io
end }
