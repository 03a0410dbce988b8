-- expect ok
-- exp, log, pow and sqrt
return { name="a", model="slotted", slot = function(s)
    assert(math.exp(0) == 1 and math.log(1) == 0 and math.pow(2, 10) == 1024 and math.sqrt(2) * math.sqrt(2) ~= 2)
    assert(math.log(8, 2) == math.log(8) / math.log(2) and math.type(math.pow(1, 2)) == "f((((((((((((((((((((((((((((((((((((((((((((((((((((((((((loat")
end }
