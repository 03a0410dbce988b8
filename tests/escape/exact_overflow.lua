-- expect: 9223372036854775807 + 1 does not fit an exact number
-- what does not fit is no other number
return { run = function() return exact(math.maxinteger) + 1 end }
