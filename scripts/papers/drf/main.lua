-- `pinion run scripts/papers/drf/main.lua --only NAMES`, or with a stock lua5.4 and the module;
-- the options are those of `pinion paper drf`.

package.path = (arg[0]:match "^(.*/)" or "./") .. "../?.lua;" .. package.path
os.exit(require("shared.command").main("drf", arg), true)
