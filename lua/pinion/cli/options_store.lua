-- The options of commands that can keep their units in a store.

local M = {}

---@param made table a command of argparse
---@param replicates boolean whether its number of replicas can be found on the way
function M.add(made, replicates)
    made:option("--store",
        "Keep every finished run in this folder, and use those that are there: whatever stops the "
        .. "command, it goes on where it was. Any number of processes on any machines may use the "
        .. "folder at once."):argname "DIR"
    made:option("--shard",
        "With --store: run what is missing of this part only, such as 7/100, and print nothing; "
        .. "the command without --shard prints the result.")
        :argname "PART/PARTS"
    made:flag("--only-stored", "With --store: run nothing; what is missing is an error.")
    made:flag("--retry", "With --store: run again what is stored as failed.")
    if not replicates then return end
    made:flag("--dry-run",
        "Print how many runs there are, how many are stored, have failed or are missing, and the "
        .. "time left by those that are stored. With --shard also which parts are incomplete.")
    made:option("--cores", "With --dry-run: the time left on so many cores."):argname "N"
    made:option("--until-half",
        "Add replicas until the half width of every 95 % interval is at most this share of the "
        .. "mean, such as 1%; mean_slowdown=1% names another measure than the first. Each round "
        .. "adds half of the replicas so far, at least --replicas (default 10).")
        :argname "[MEASURE=]SHARE"
    made:option("--replicas-most",
        "With --until-half: no more replicas than this; default 1000."):argname "N"
end

return M
