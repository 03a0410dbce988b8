-- expect: name: must be a name
return { name = "../fifo", model = "slotted", key = "remaining" }
