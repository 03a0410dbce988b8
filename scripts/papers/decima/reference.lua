-- What the paper on Decima says, as far as it is used here.

return {
    -- Its baselines, from the worst to the best.
    ranking = { "fifo", "sjf-cp", "fair", "wfair" },
    ranking_claim = "fifo is the worst of the baselines, then shortest job first with critical "
        .. "paths, then fair sharing, then tuned weighted fair sharing.",
    -- Smaller average completion time than hand-tuned heuristics, at least, %.
    gain = 21,
}
