-- expect ok
-- every sequence has the length that Lua gives it, however it was built
return { run = function()
    local t, back = {}, {}
    for n = 1, 300 do
        t[n] = n
        assert(#t == n and rawlen(t) == n)
        for i = n, 1, -1 do back[i] = i end
        assert(#back == n)
        back = {}
    end
    for n = 299, 0, -1 do
        t[n + 1] = nil
        assert(#t == n)
    end
    assert(#"" == 0 and #"a\0b" == 3 and #{} == 0)
end }
