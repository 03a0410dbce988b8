-- expect: model: must be one of slotted, tandem, makespan, cluster, dag; got fluid
return { name = "bad", model = "fluid", key = "remaining" }
