-- expect: 'string.packsize' is not available in a policy
-- reads string.packsize
return { run = function()
    return string.packsize
end }
