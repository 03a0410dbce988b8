-- expect: returned 2 values
return {}, {}
