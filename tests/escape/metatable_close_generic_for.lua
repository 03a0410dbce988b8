-- expect: got a non-closable value
-- the closing value of a for loop
return { run = function()
    for _ in pairs({}), nil, nil, setmetatable({}, {}) do end
end }
