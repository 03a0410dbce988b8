-- expect: 'string.__pow' is not available
-- nor can it be had by name
return { run = function() return ("").__pow end }
