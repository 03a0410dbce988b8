-- expect: used up its budget of 2000000 instructions
-- an endless loop while loading
while true do end
return {}
