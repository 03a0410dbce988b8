-- expect: 'pcall' is not available in a policy
-- reads the global pcall
return { run = function()
    return pcall
end }
