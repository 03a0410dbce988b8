-- Weighted fair sharing: shares in proportion to a power of the job's total work, in the domain of
-- logarithms; who has nothing goes first. (DG22; Mao et al. 2019, baseline 5.)
-- O(log jobs) per task.

-- By priority, then by a number of any size (DG32).
local function behind(s, job, high, low) return high - (s:priority(job) << 32), low end

return {
  name = "wfair", model = "dag",
  params = { alpha_permille = { default = -1000, min = -4000, max = 4000,
      doc = "the power, permille" } },
  key = { changes = "used", of = function(s, job)
    local share = s:share(job)
    if share == 0 then return behind(s, job, 0, 0) end
    return behind(s, job, 1, s:log2(share) - s:log2(s:weight(job))
        - s.params.alpha_permille * s:log2(s:work(job)) // 1000)
  end },
}
