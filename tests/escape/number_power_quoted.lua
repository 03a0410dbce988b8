-- expect ok
-- a ^ in strings and comments is fine
return { run = function()
    -- a ^ b
    local s = '^' .. "\"^" .. [[^]] .. [=[]]^]=] --[[ ^
    ^ ]]
    assert(#s == 7)
end }
