-- expect: used up its budget
-- tail calls
return { run = function()
    local function f() return f() end
    return f()
end }
