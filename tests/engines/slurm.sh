# An array of a hundred tasks on three nodes, one of which is killed.
source tests/engines/common.sh
source "$here/cluster.sh"

start_slurm <<'CONF'
SelectTypeParameters=CR_CPU
NodeName=n1 NodeHostname=engines Port=16821 CPUs=3
NodeName=n2 NodeHostname=engines Port=16822 CPUs=3
NodeName=n3 NodeHostname=engines Port=16823 CPUs=3
PartitionName=all Nodes=ALL Default=YES
CONF
for name in n1 n2 n3; do start_node $name; done
killed=$!

full() { [ "$(squeue -h -w "$1" -t running | wc -l)" = 3 ]; }
done_all() { [ -z "$(squeue -h)" ]; }
await 30 "three nodes" idle_nodes 3

begun=$EPOCHREALTIME
sbatch --array=1-50 --output=/dev/null --wrap true >/dev/null
await 120 "empty tasks" done_all
cost=$(each_of 50 $begun)

begun=$EPOCHREALTIME
run_recipe
await 120 "forty shards" files_stored 40
await 120 "three tasks on the node" full n3
kill -KILL $killed
scontrol update nodename=n3 state=down reason=killed
await 120 "the gathered result" done_all
same_bytes
requeued=$(scontrol show job --oneliner | grep -c 'Restarts=[1-9]' || true)
[ "$requeued" -gt 0 ] || fail "no task was requeued"
echo "slurm: 100 shards, one of three nodes killed, $requeued requeued, $(seconds $begun) s," \
    "same bytes; $cost ms for an empty task"
