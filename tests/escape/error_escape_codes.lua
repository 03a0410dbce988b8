-- expect: ?[31mred?
-- terminal codes in an error message
return { run = function()
    error("\27[31mred\7")
end }
