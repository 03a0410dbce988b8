-- For tests: srptmap (TA16) by a key of the kernel's own, in orders by name.
return {
  name = "srptmap_words", model = "tandem",
  orders = { line = { of = "mapping", key = "map" }, stored = { of = "backlog", key = "map" } },
  map = { order = "line" }, shuffle = { order = "stored" },
}
