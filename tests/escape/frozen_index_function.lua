-- expect ok
-- an __index function of a frozen table goes on as before
local squares = setmetatable({ [2] = "two" }, { __index = function(_, n) return n * n end })
return { squares = squares, run = function() assert(squares[7] == 49 and squares[2] == "two") end }
