-- A linear index, smallest first: wm * maps left + wr * reduces left + wc * [in maps] + wn * offer.
-- (ours; SL26.) By the index, ties by id; exact for sizes up to 2^53, as a key of two numbers: the
-- sum's high part and its low 26 bits.
-- O(log jobs) per job served.
local MOST <const> = 1 << 20
local LOW_BITS <const> = 26
local LOW_MASK <const> = (1 << LOW_BITS) - 1

local function weight(default, doc)
    return { default = default, min = -MOST, max = MOST, doc = doc }
end

return {
  name = "idx", model = "slotted",
  params = {
    wm = weight(1, "weight of a map unit left"),
    wr = weight(1, "weight of a reduce unit left"),
    wc = weight(0, "added while the job is in its maps"),
    wn = weight(0, "weight of a machine the job could use now"),
  },
  key = {
    changes = "served",
    of = function(s, job)
      local p, maps, reduces, offer = s.params, s:maps_left(job), s:reduces_left(job), s:offer(job)
      local high = p.wm * (maps >> LOW_BITS) + p.wr * (reduces >> LOW_BITS) + p.wn
          * (offer >> LOW_BITS)
      local low = p.wm * (maps & LOW_MASK) + p.wr * (reduces & LOW_MASK) + p.wn * (offer & LOW_MASK)
      if s:in_maps(job) then low = low + p.wc end
      return high + (low // (LOW_MASK + 1)), low & LOW_MASK
    end,
  },
}
