-- expect ok
-- fmod and modulo of the least integer
return { run = function()
    assert(math.fmod(math.mininteger, -1) == 0 and math.mininteger % -1 == 0 and math.mininteger // -1 == math.mininteger)
end }
