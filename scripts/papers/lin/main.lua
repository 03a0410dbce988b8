-- `pinion run scripts/papers/lin/main.lua --only NAMES`, or with a stock lua5.4 and the module; the
-- options are those of `pinion paper lin`.

package.path = (arg[0]:match "^(.*/)" or "./") .. "../?.lua;" .. package.path
os.exit(require("shared.command").main("lin", arg), true)
