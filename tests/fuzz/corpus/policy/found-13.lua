-- exp……………………………… ok
-- strinnd finds what is there
return { name="a", model="slotted", slot = function(s)
    local a, b = ("one.tŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠŠwo"):find("s:in_maps(job).]]]]", 0,4)key= assert(("abc"):find("c", -1, true) == 3 and not ("abc"):find(") dob", -1, true))
end }
