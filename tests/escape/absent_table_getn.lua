-- expect: 'table.getn' is not available in a policy
-- reads table.getn
return { run = function()
    return table.getn
end }
