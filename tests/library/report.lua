-- Results as JSON, tables and curves: exact numbers, aligned columns, no more points than promised.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local json = require "pinion.base.json"
local plot = require "pinion.output.plot"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"

-- JSON
check.equal("integers", json.encode(5), "5")
check.equal("doubles keep a point", json.encode(2.0), "2.0")
check.equal("large doubles keep an exponent", json.encode(1e300), "1e+300")
check.equal("shortest digits", json.encode(0.1), "0.1")
check.equal("as many digits as needed", json.encode(1 / 3), "0.3333333333333333")
check.equal("never NaN", json.encode(0 / 0), "null")
check.equal("never infinity", json.encode(-1 / 0), "null")
check.equal("negative zero", json.encode(-0.0), "-0.0")
check.equal("2^53", json.encode(1 << 53), "9007199254740992")
check.equal("null", json.encode(core.null), "null")
check.equal("strings", json.encode 'a"b\n', '"a\\"b\\n"')
check.equal("fields in order",
    json.encode(json.object { { "b", 1 }, { "a" }, { "c", json.list { 1, 2 } } }),
    '{"b": 1, "a": null, "c": [1, 2]}')
for _, x in ipairs { 0.1 + 0.2, 1e-310, 123456789.123456789, 2 ^ 60, 1 / 7 } do
    check.equal("reads back " .. x, tonumber(json.encode(x)), x)
end

local function written(fields)
    local pieces = {}
    json.write(fields, function(piece) pieces[#pieces + 1] = piece end)
    return table.concat(pieces)
end
check.equal("rows",
    written { { "a", json.rows(2, function(i) return tostring(i) end) }, { "b", 1 } },
    '{\n  "a": [\n    1,\n    2\n  ],\n  "b": 1\n}')
check.equal("no rows", written { { "a", json.rows(0, error) } }, '{\n  "a": []\n}')
local long = core.json_decode(
    written { { "a", json.rows(2500, function(i) return tostring(i) end) } }, "rows")
check.equal("rows in chunks", #long.a .. "/" .. long.a[1001] .. "/" .. long.a[2500],
    "2500/1001/2500")

-- Text
check.equal("aligned",
    text.table({ { "name" }, { "n", right = true } }, { { "a", "100" }, { "größer", "5" } }),
    "name      n\na       100\ngrößer    5\n")
check.equal("amount without a fraction", text.amount(5.0), "5")
check.equal("nothing", text.amount(nil), "-")
check.equal("rounded", text.number(2.3456), "2.35")
check.equal("one", text.count(1, "job") .. ", " .. text.count(2, "job"), "1 job, 2 jobs")

-- Statistics
local mean, half = statistics.interval { 1, 2, 3, 4, 5 }
check.equal("mean", mean, 3.0)
check.is_true("half width with Student's t of 4 degrees",
    math.abs(half - 2.776 * math.sqrt(2.5 / 5)) < 0.01)
check.equal("no interval of one value", select(2, statistics.interval { 4 }), nil)
check.equal("nothing of nothing", statistics.interval {}, nil)
local counts = { [1] = 50, [10] = 40, [100] = 10 }
check.equal("median", statistics.quantile(counts, 0.5), 1)
check.equal("p51", statistics.quantile(counts, 0.51), 10)
check.equal("p90", statistics.quantile(counts, 0.9), 10)
check.equal("p91", statistics.quantile(counts, 0.91), 100)
check.equal("maximum", statistics.quantile(counts, 1), 100)

-- Curves
local curve = plot.curve(counts)
check.equal("every step of a short curve", #curve, 3)
check.equal("ends at 1", curve[3][2], 1.0)
local many = {}
for i = 1, 100000 do many[i] = 1 end
local sampled = plot.curve(many)
check.is_true("at most 400 points", #sampled <= 400 and #sampled > 100)
check.equal("keeps the last point", sampled[#sampled][1], 100000)
check.equal("a curve of nothing", #plot.curve {}, 0)

check.done()
