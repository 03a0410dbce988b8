-- expect: '^' is not available in a policy
-- a ^ behind a string with an escaped quote
return { run = function()
    return #'\'' ^ 2
end }
