-- expect: 'string.gsub' is not available in a policy
-- reads string.gsub
return { run = function()
    return string.gsub
end }
