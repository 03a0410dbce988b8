-- The options of commands that can store their finished runs.

local M = {}

---@param made table a command of argparse
---@param replicates boolean whether its number of replicas can be found on the way
function M.add(made, replicates)
    made:option("--store",
        "Store every finished run in this folder, and reuse the stored runs: an interrupted "
        .. "command continues where it stopped. Any number of processes on any machines may use "
        .. "the folder at once."):argname "DIR"
    made:option("--shard",
        "With --store: do only the missing runs of this part, such as 7/100, and print nothing. "
        .. "When all parts are done, the command without --shard prints the result.")
        :argname "PART/PARTS"
    made:flag("--only-stored", "With --store: use stored runs only; a missing run is an error.")
    made:flag("--retry", "With --store: repeat the runs that are stored as failed.")
    if not replicates then return end
    made:flag("--dry-run",
        "Print the number of runs, how many of them are stored, failed or missing, and an estimate "
        .. "of the time left. With --shard, also list the incomplete parts.")
    made:option("--cores", "With --dry-run: estimate the time left on N cores."):argname "N"
    made:option("--until-half",
        "Add replicas until the half width of every 95 % interval is at most this share of the "
        .. "mean, such as 1%; MEASURE selects another measure, as in mean_slowdown=1%. Each round "
        .. "adds half as many replicas as there are, at least --replicas (default 10).")
        :argname "[MEASURE=]SHARE"
    made:option("--replicas-most",
        "With --until-half: the largest number of replicas; default 1000."):argname "N"
end

return M
