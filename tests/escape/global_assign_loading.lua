-- expect: assigns to the global 'memory'
-- assigns a global while loading
memory = {}
return {}
