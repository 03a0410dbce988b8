#!/usr/bin/env bash
# Pages in headless Chromium, driven by playwright-core from npm: `make browser` installs both. Exit
# status 77, a skip, where they or dygraphs are missing. With `bench`: how long frames take.
set -euo pipefail
: "${BUILD:=build}" "${PINION:=$BUILD/pinion}"
CHROMIUM=$(command -v chromium || command -v chromium-browser || true)
export CHROMIUM NODE_PATH=$PWD/$BUILD/browser/node_modules

skip() { # WHAT
    echo "left out: $1 (\`make browser\` installs what it can)"
    exit 77
}

[ -n "$CHROMIUM" ] || skip "no chromium here"
command -v node >/dev/null || skip "no node here"
node -e 'require("playwright-core")' 2>/dev/null || skip "no playwright-core here"
[ -s "$BUILD/page/dygraphs.js" ] || skip "this build has no dygraphs"

pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT

if [ "${1-}" = bench ]; then
    "$PINION" simulate --model dag --quiet --policy fifo --set resources=cpu+memory \
        --set nodes=40x16000/65536 --output "$pages/large.html" \
        --workload 'dag,jobs=30000,load=.7,depth=2,width=1,tasks=uniform(1,4)'
    node tests/browser/page.js "$pages" bench
    exit
fi

slotted=(--model slotted --workload zheng:1,slots=60 --set machines=20)
"$PINION" compare "${slotted[@]}" --quiet --policies fifo,fair,asrpt --output "$pages/slotted.html"
"$PINION" compare "${slotted[@]}" --quiet --policies fifo,fair,asrpt --jobs-detail \
    --output "$pages/slotted.json"
for job in 3 17 40; do
    "$PINION" explain "${slotted[@]}" --policy fifo --job $job --format json \
        >"$pages/explain-$job.json"
done
"$PINION" simulate --model tandem --workload lin,jobs=200 --policy klps --quiet \
    --output "$pages/tandem.html"
"$PINION" compare --model makespan --workload rand_few --policies fifo,uaas --quiet \
    --output "$pages/makespan.html"
"$PINION" compare --model cluster --workload rtmr --quiet --output "$pages/cluster.html"
"$PINION" compare --model dag --workload dag,jobs=60 --policies fifo,drf --quiet \
    --set resources=cpu+memory --set nodes=3x16000/65536 --output "$pages/dag.html"
"$PINION" sweep --workload facebook,jobs=100 --over machines=50,100 \
    --over reduce=preemptive,nonpreemptive --policies fifo,fair --replicas 3 --quiet \
    --output "$pages/sweep.html"
# Nodes that are down while jobs wait; its own numbers stand beside it.
failing=(--workload hsrtf --policy hsrtf-pr --set failures=50000:1:90000+60000:2)
"$PINION" simulate "${failing[@]}" --quiet --output "$pages/failing.html"
for job in 5 7 9; do
    "$PINION" explain "${failing[@]}" --job $job --format json >"$pages/failing-$job.json"
done
# Times so late that doubles hardly tell them apart, and a run that was stopped before any job came.
cat >"$pages/late.json" <<'JSON'
{ "model": "slotted", "machines": 3, "jobs": [
    { "arrival": 9000000000000000, "maps": 1, "reduces": [2] },
    { "arrival": 9000000000000001, "maps": 10, "reduces": [2] }
] }
JSON
"$PINION" simulate "$pages/late.json" --policy fifo --quiet --output "$pages/late.html"
rm "$pages/late.json"
"$PINION" simulate --model tandem --workload lin,jobs=9 --policy fcfs --until 0.0001 --quiet \
    --output "$pages/nothing.html"
# Names that would be markup if they were not kept as texts.
cat >"$pages/hostile.json" <<'JSON'
{ "model": "slotted", "machines": 2, "jobs": [
    { "arrival": 1, "maps": 2, "reduces": [1], "name": "</script><script>alert(1)</script>",
      "group": "<img src=x onerror=alert(1)>" },
    { "arrival": 1, "maps": 1, "reduces": [], "name": "&amp;<b>\"'`",
      "group": "<svg/onload=alert(1)>" }
] }
JSON
"$PINION" simulate "$pages/hostile.json" --policy fifo --quiet --output "$pages/hostile.html"
rm "$pages/hostile.json"
node tests/browser/page.js "$pages"
[ -z "${KEEP-}" ] || cp "$pages"/*.png "$KEEP"
