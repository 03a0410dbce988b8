-- expect: 'coroutine' is not available in a policy
-- reads the global coroutine
return { run = function()
    return coroutine
end }
