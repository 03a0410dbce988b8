-- What the paper on Decima says, as far as it is used here.

return {
    -- Its baselines, from the worst to the best.
    ranking = { "fifo", "sjf-cp", "fair", "wfair" },
    claim = "fifo is the worst of the baselines, then shortest job first with critical paths, then "
        .. "fair sharing, then tuned weighted fair sharing.",
    -- Smaller average completion time than hand-tuned heuristics, at least, %.
    gain = 21,
    -- Why nothing can be run.
    no_profiles = "the profiles of TPC-H queries are no part of this; --trace FILE names them",
}
