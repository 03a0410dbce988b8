-- expect: exact: expected a text of at most 100 characters
-- much work in one instruction
return { run = function() return exact("1." .. string.rep("0", 900000)) end }
