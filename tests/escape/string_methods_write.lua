-- expect: the library's tables are read-only
-- adds a method to all strings
return { run = function()
    local s = ("").rep and string
    s.shout = 1
end }
