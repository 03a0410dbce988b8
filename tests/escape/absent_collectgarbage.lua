-- expect: 'collectgarbage' is not available in a policy
-- reads the global collectgarbage
return { run = function()
    return collectgarbage
end }
