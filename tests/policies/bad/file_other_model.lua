-- expect: model: must be one of slotted, tandem; got cluster
return { name = "bad", model = "cluster", key = "remaining" }
