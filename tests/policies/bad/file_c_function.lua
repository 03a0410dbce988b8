-- expect: slot: must be a function, got a C function
return {
  name = "bad", model = "slotted",
  slot = math.max,
}
