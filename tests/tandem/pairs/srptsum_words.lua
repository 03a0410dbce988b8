-- For tests: srptsum (TA16) by a key of the kernel's own at one station, by a function elsewhere.
--
return {
  name = "srptsum_words", model = "tandem", map = { key = "sum" },
  shuffle = { changes = "served",
      key = function(s, job) return s:map_left(job) + s:shuffle_left(job) end },
}
