-- expect ok
-- what is no long chain: many objects of a class, classes in classes, circles
return { run = function()
    local Class = {}
    Class.__index = Class
    function Class:answer() return 42 end
    local Derived = setmetatable({}, Class)
    Derived.__index = Derived
    for i = 1, 2000 do
        assert(setmetatable({}, Class):answer() == 42 and setmetatable({}, Derived):answer() == 42)
    end
    local Circle = { one = 1 }
    Circle.__index = Circle
    setmetatable(Circle, Circle)
    for i = 1, 200 do assert(setmetatable({}, Circle).one == 1) end
    local a, b = { a = 1 }, { b = 2 }
    setmetatable(a, { __index = b, __newindex = b })
    setmetatable(b, { __index = a })
    for i = 1, 200 do assert(setmetatable({}, { __index = i % 2 == 0 and a or b }).a == 1) end
    local long = {}
    for i = 1, 98 do long = setmetatable({}, { __index = long }) end
    for i = 1, 10 do assert(setmetatable({}, { __index = long }).x == nil) end
end }
