-- expect: model: must be one of slotted; got tandem
return { name = "bad", model = "tandem", key = "remaining" }
