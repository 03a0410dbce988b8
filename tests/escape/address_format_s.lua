-- expect ok
-- %s of a table
return { run = function()
    assert(string.format("%s %s", {}, print) == "table function")
end }
