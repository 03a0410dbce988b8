-- Stores of finished units: whatever is run, killed, damaged, split into parts or done twice, a
-- command with a store prints what it prints without one, to the last byte, and nothing that was
-- finished is run again.

local check = require "tests.support.check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "tests.support.program"

