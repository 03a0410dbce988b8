-- For tests: maxsrpt (TA14) by a key of the kernel's own.
return {
  name = "maxsrpt_words", model = "tandem", work_conserving = "by default",
  params = { work_conserving = { default = true, doc = "as of maxsrpt" } },
  orders = { all = { of = "present", key = "longest" } },
  map = { key = "longest" }, shuffle = { key = "longest" },
  init = function(s)
    if not s.params.work_conserving then s:serve("shuffle", { serve = "strict", order = "all" }) end
  end,
}
