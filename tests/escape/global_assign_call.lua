-- expect: assigns to the global 'memory'
-- assigns a global in a call
return { run = function()
    memory = 1
end }
