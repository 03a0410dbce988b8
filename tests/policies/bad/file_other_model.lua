-- expect: model: must be one of slotted, tandem, makespan; got cluster
return { name = "bad", model = "cluster", key = "remaining" }
