-- First come, first served: all of each station to the first job that it can serve.
-- (Lin, Zhang, Wierman, Tan 2013; TA10.) By id at both stations, which is the order of arrival.
-- O(log jobs) per instant: ids never change.
return {
  name = "fcfs", model = "tandem",
  map = { key = "id" },
  shuffle = { key = "id" },
}
