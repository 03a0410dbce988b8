-- expect: zero
-- fmod by zero
return { run = function()
    return math.fmod(1, 0)
end }
