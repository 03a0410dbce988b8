-- expect: address_error_table.lua:4: error value of type table
-- an error value without text
return { run = function()
    error({})
end }
