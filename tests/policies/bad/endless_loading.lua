-- expect: used up its budget of 10000000 instructions in one call
while true do end
