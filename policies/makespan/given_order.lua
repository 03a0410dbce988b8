-- The order that is given: the scenario's params.order.
-- As it stands there, every job once (MK32).
-- O(jobs).
return {
  name = "given_order", model = "makespan",
  order = function(s) return s:order_set()
      or error("needs an order (params.order, a list of all job ids)") end,
}
