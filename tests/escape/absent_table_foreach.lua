-- expect: 'table.foreach' is not available in a policy
-- reads table.foreach
return { run = function()
    return table.foreach
end }
