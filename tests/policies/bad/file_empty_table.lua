-- expect: name: is required
return {}
