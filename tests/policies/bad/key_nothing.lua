-- expect: a key must be one or two numbers, integers up to 2^53 or finite floats, got nil
return {
  name = "bad", model = "slotted",
  key = { changes = "served", of = function(s, job)
    local unused = job
  end },
}
