-- expect: 'dofile' is not available in a policy
-- reads the global dofile
return { run = function()
    return dofile
end }
