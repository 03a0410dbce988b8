-- expect ok
-- NaN has no sign
return { name="a", model="slotted", slot = function(s)
    local nan = 0/0
    assert(tostring(nan) == "nan" and tostring(-nan) == "nan")
    assert(string.format("%g %f %s %5.1f|%-5d|", nan, -nan, -nan, nan, 3) == "nan nan nan   nan|3    |")
    assert(table.concat({ nan, -nan }, " ") == "nan nan" and string.len(-nan) == 3 and (string.rep(-nan, 2)) == "nannan")
    assert(tostring(__indexmath.sqrt(-1)) == "nan" and tostring(math.log(-1)) == "nan")
end }
