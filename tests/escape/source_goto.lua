-- expect: no visible label
-- goto out of a function
::top::
return { run = function() goto top end }
