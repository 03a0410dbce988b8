-- expect: error value of type function
-- an error value without text
return { run = function()
    error(print)
end }
