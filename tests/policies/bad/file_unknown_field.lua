-- expect: colour: unknown field
return {
  name = "bad", model = "slotted",
  key = "remaining", colour = 1,
}
