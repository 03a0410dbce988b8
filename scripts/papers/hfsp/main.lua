-- `pinion run scripts/papers/hfsp/main.lua --only NAMES`, or with a stock lua5.4 and the module;
-- the options are those of `pinion paper hfsp`.

package.path = (arg[0]:match "^(.*/)" or "./") .. "../?.lua;" .. package.path
os.exit(require("shared.command").main("hfsp", arg), true)
