-- expect: value has no literal form
-- %q of a table
return { run = function()
    return string.format("%q", {})
end }
