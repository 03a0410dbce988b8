-- expect: ...
-- a message of a million bytes
return { run = function()
    error(("x"):rep(900000))
end }
