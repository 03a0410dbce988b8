#!/usr/bin/env bash
# The playground: builds it, and compares what it computes with the native program and with the
# golden digests; in headless Chromium, where there is one, does what people do there. Exit status
# 77, a skip, where emscripten or the sources that it needs cannot be had.
set -euo pipefail
: "${BUILD:=build}"
CHROMIUM=$(command -v chromium || command -v chromium-browser || true)
export CHROMIUM NODE_PATH=$PWD/$BUILD/browser/node_modules:/usr/share/nodejs

log=$BUILD/playground.log
bash scripts/build/playground.sh >"$log" 2>&1 || {
    status=$?
    tail -n 20 "$log"
    exit $status
}
emcc -O2 -Ikernel/include -Itests tests/programs/digests.c "$BUILD/wasm/libpinion.a" \
    -sALLOW_MEMORY_GROWTH=1 -sENVIRONMENT=node -sSINGLE_FILE=1 -o "$BUILD/wasm/digests.js"
node "$BUILD/wasm/digests.js" >"$BUILD/wasm/digests.txt"
diff tests/golden/digests.txt "$BUILD/wasm/digests.txt"

parts=same
if [ -n "$CHROMIUM" ] && node -e 'require("playwright-core")' 2>/dev/null; then
    parts=all
else
    echo "left out: the page (no chromium or playwright-core; \`make browser\` installs them)"
fi
echo "$(wc -l <tests/golden/digests.txt) digests in WebAssembly as in the golden file"
node tests/browser/playground.js "$BUILD/playground" "$BUILD/pinion" $parts
