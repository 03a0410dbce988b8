-- expect: this table is read-only once the file is loaded (declare memory in state = { ... })
-- the returned table itself
local policy = {}
policy.run = function() policy.x = 1 end
return policy
