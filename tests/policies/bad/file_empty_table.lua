-- expect: name: must be a name
return {}
