-- expect: number has no integer representation
-- %d of a fraction
return { run = function()
    return string.format("%d", 1.5)
end }
