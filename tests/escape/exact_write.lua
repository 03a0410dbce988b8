-- expect: attempt to index a pinion.Exact value
-- an exact number as a place to keep something
local third = exact "1/3"
return { run = function() third.kept = 1 end }
