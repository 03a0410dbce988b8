-- expect: must have exactly one of key, share and slot
return {
  name = "bad", model = "slotted",

}
