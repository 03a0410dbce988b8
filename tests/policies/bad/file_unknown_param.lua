-- expect: params.p.step: unknown field
return {
  name = "bad", model = "slotted",
  key = "remaining", params = { p = { default = 1, doc = "", step = 2 } },
}
