-- `pinion run scripts/papers/decima/main.lua --only NAMES`, or with a stock lua5.4 and the module;
-- the options are those of `pinion paper decima`.

package.path = (arg[0]:match "^(.*/)" or "./") .. "../?.lua;" .. package.path
os.exit(require("shared.command").main("decima", arg), true)
