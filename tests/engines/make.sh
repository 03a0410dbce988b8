# make, killed with all its processes and started again.
source tests/engines/common.sh

cat >empty.mk <<'MAKE'
tasks := $(shell seq 50)
all: $(tasks)
$(tasks): ; @true;
MAKE
begun=$EPOCHREALTIME
make -f empty.mk -j2
cost=$(each_of 50 $begun)

begun=$EPOCHREALTIME
setsid bash -e ./recipe >/run/recipe.log 2>&1 &
group=$!
disown
await 120 "forty shards" files_stored 40
kill -KILL -- -$group
[ ! -e result.json ] || fail "it was not killed in the middle"
before=$(find runs -type f | wc -l)
run_recipe
same_bytes
echo "make: 100 shards, all killed with $before begun, $(seconds $begun) s, same bytes;" \
    "$cost ms for an empty task"
