-- expect: assigns to the global 'print'
-- replaces a function of the library by another
print = tostring
return {}
