# Seven shards in the background of a shell.
source tests/engines/common.sh

begun=$EPOCHREALTIME
for ((task = 0; task < 50; task++)); do sh -c true & done
wait
cost=$(each_of 50 $begun)

begun=$EPOCHREALTIME
run_recipe
same_bytes
echo "loop: 7 shards, $(seconds $begun) s, same bytes; $cost ms for an empty task"
