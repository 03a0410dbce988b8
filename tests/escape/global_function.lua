-- expect: assigns to the global 'helper'
-- a function without local
function helper() end
return {}
