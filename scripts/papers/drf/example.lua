-- The example of 9 CPUs and 18 GB: what each user gets, and in which order tasks start.

local papers = require "shared.papers"
local reference = require "drf.reference"
local runs = require "drf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "The example of 9 CPUs and 18 GB: dominant shares are equal"
local POLICIES = { "drf", "asset", "fair", "fifo" }

-- The users in the order in which their first tasks start, read from the decision log.
local function order_of(demands, names)
    local path = os.tmpname()
    runs.allocate("drf", reference.capacity, demands, { log = path })
    local order = {}
    for line in io.lines(path) do
        local job = line:match '^{"time":0,"event":"launch","job":(%d+)'
        if job then order[#order + 1] = names[tonumber(job)] end
    end
    os.remove(path)
    return table.concat(order, " ")
end

local function add_rows(section)
    local rows = {}
    for i, policy in ipairs(POLICIES) do
        local tasks, digest = runs.allocate(policy, reference.capacity, reference.demands)
        local row = { policy = policy, a = tasks[1], b = tasks[2], digest = digest }
        for k, user in ipairs { "a", "b" } do
            row["share_" .. user] = 100 * runs.dominant(tasks[k], reference.demands[k],
                reference.capacity)
        end
        rows[i] = row
    end
    local function share(key, title)
        return { key = key, title = title, right = true,
            show = function(value) return text.number(value, 1) end }
    end
    section:table("example", nil, {
        { key = "policy", title = "policy" }, { key = "a", title = "tasks of A", right = true },
        { key = "b", title = "tasks of B", right = true },
        share("share_a", "dominant share of A, %"), share("share_b", "of B, %"),
        { key = "digest", title = "digest" },
    }, rows)
    return rows
end

local function run_example()
    local section = papers.section("example", TITLE, "Section 4.1, Figure 3, Table 1", {
        "User A's tasks take 1 CPU and 4 GB, user B's 3 CPUs and 1 GB; both have tasks without "
            .. "end. Asset fairness, which sums the shares of all resources, is the paper's; "
            .. "\"fair\" counts tasks alone.",
    })
    local rows = add_rows(section)
    local drf = rows[1]
    local agrees = section:compare("tasks of A under DRF", drf.a, reference.tasks[1], 0)
    agrees = section:compare("tasks of B under DRF", drf.b, reference.tasks[2], 0) and agrees
    section:claim {
        label = "3 tasks of A and 2 of B", where = "Section 4.1",
        claim = "DRF runs three tasks of A and two of B, and both have a dominant share of 2/3.",
        paper = "3 and 2", ours = string.format("%d and %d, dominant shares %.1f and %.1f %%",
            drf.a, drf.b, drf.share_a, drf.share_b),
        verdict = agrees and papers.HOLDS or papers.FAILS, because = "the same integers",
    }
    local demands = { reference.demands[2], reference.demands[1] }
    local order = order_of(demands, { "B", "A" })
    section:claim {
        label = "the order of Table 1", where = "Table 1",
        claim = "Tasks start in the order of the table, in which B is picked first.",
        paper = reference.order, ours = order,
        verdict = order == reference.order and papers.HOLDS or papers.FAILS,
        because = "ties by id, with B as the first job",
    }
    return section
end

M.example = { name = "example", title = TITLE, run = run_example }

return M
