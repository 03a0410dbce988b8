-- expect: got a non-closable value
-- local x <close>
return { run = function()
    local x <close> = setmetatable({}, { __index = {} })
end }
