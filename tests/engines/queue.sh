# A Slurm that holds the jobs of three users, and the example that starts them: under three
# policies, and with all kinds of trouble. Each element writes a line when it ends, once.
source tests/engines/common.sh
source "$here/cluster.sh"
cd - >/dev/null
: "${BUILD:=build}"

cat >/run/job_submit.lua <<'LUA'
function slurm_job_submit(job, partitions, uid)
    if job.partition == "batch" then job.priority = 0 end
    return slurm.SUCCESS
end
function slurm_job_modify(job, record, partitions, uid) return slurm.SUCCESS end
LUA
start_slurm <<'CONF'
SelectTypeParameters=CR_CPU_Memory
JobSubmitPlugins=lua
DefMemPerCPU=100
MaxArraySize=10001
MaxJobCount=30000
NodeName=n[1-4] NodeHostname=engines Port=[16821-16824] CPUs=8 RealMemory=4000
PartitionName=batch Nodes=ALL
PartitionName=own Nodes=ALL
CONF
declare -A processes
for name in n1 n2 n3 n4; do
    start_node $name
    processes[$name]=$!
done
await 30 "four nodes" idle_nodes 4

submit() { # USER ELEMENTS CPUS COMMAND: an array in the partition; its number
    sbatch --parsable --uid="$1" --partition="${partition:-batch}" --array=1-"$2" --ntasks=1 \
        --cpus-per-task="$3" --time=5 --chdir=/ --output=/dev/null --wrap \
        "$4; echo \$SLURM_ARRAY_JOB_ID \$SLURM_ARRAY_TASK_ID >>$marks/\$SLURM_JOB_USER"
}

new_day() { # NAME
    day=/run/$1
    marks=$day/marks
    mkdir "$day"
    mkdir -m 777 "$marks"
}

start_host() { # POLICY
    "$BUILD/slurm" --partition batch --policy "$1" --inputs "$day/inputs" --state "$day/state" \
        --poll 100 --timeout 10000 >>"$day/out.log" 2>&1 &
    host=$!
}

stop_host() { # SIGNAL
    kill -"$1" $host
    wait $host 2>/dev/null || [ "$1" = KILL ] || fail "the host did not end well"
}

all_over() { [ -z "$(squeue -h -p batch)" ]; }
ended() { [ "$(cat "$marks"/* 2>/dev/null | wc -l)" -ge "$1" ]; } # AT LEAST

count_marks() { # NUMBER: there are so many, and none twice
    local twice
    twice=$(cat "$marks"/* | sort | uniq -d)
    [ -z "$twice" ] || fail "ran twice: $twice"
    [ "$(cat "$marks"/* | wc -l)" = "$1" ] || fail "$(cat "$marks"/* | wc -l) ended, not $1"
}

digest_of() { sed -n 's/.*"\?digest"\?:\? "\?\([0-9a-f]\{16\}\).*/\1/p'; }

# 300 elements under a policy. With the times that were measured the simulator decides the same.
calm_day() { # POLICY
    new_day "$(basename "$1" .lua)"
    for array in 1 2 3 4; do submit ann 30 1 "sleep 0.2" >/dev/null; done
    for array in 1 2; do submit bob 50 2 "sleep 0.4" >/dev/null; done
    submit cay 80 1 "sleep 0.1" >/dev/null
    local begun=$EPOCHREALTIME more=()
    case $1 in *.lua) more=(--policy "$1") ;; esac
    start_host "$1"
    await 60 "300 elements under $1" all_over
    sleep .3
    stop_host TERM
    count_marks 300
    local live simulated
    live=$(pinion verify "$day/inputs" "${more[@]}" | digest_of)
    simulated=$(pinion simulate "$day/inputs" --policy "$1" --quiet | digest_of)
    [ "$live" = "$simulated" ] || fail "$1: decided $live, simulated $simulated"
    pinion explain "$day/inputs" --job 3 "${more[@]}" >"$day/explained"
    grep -q "^job 3, policy" "$day/explained" || fail "$1: job 3 is not explained"
    echo "slurm: 300 elements of three users under $1 in $(seconds $begun) s, each once," \
        "and the simulator decides the same"
}

calm_day fifo
calm_day drf
calm_day policies/dag/srpt.lua
pinion compare /run/drf/inputs --policies drf,fifo,srpt --quiet --format csv >/run/compared
grep -q '^drf,' /run/compared || fail "no comparison of the recorded day"

# The host is killed twice, the controller and a node once; elements are cancelled, and fail.
new_day trouble
begun=$EPOCHREALTIME
long=$(submit ann 100 1 "sleep 0.5")
wide=$(submit bob 60 2 "sleep 0.3")
bad=$(submit cay 6 1 "exit 3")
odd=$(submit cay 4 1 "sleep 0.1")
scontrol update JobId="$odd" Dependency=afterany:"$bad"
start_host drf
await 30 "ten ends" ended 10
scancel "${long}_99"
stop_host KILL
start_host drf
await 30 "thirty ends" ended 30
controller=$(cat /run/slurm/slurmctld.pid)
kill -TERM "$controller" # killed otherwise, it forgets what came in its last seconds
gone() { ! kill -0 "$controller"; }
await 30 "the end of the controller" gone
sleep .5
slurmctld
await 30 "fifty ends" ended 50
slow=$(submit cay 32 1 "sleep 4") # some run on n4 when it is killed, however late that is noticed
full() { [ -n "$(squeue -h -w n4 -j "$slow" -t running)" ]; }
await 30 "a slow task on n4" full
kill -KILL "${processes[n4]}"
scontrol update nodename=n4 state=down reason=killed
await 30 "seventy ends" ended 70
stop_host KILL
start_host drf
await 30 "ninety ends" ended 90
start_node n4
scontrol update nodename=n4 state=resume
await 90 "the end of all" all_over
sleep .5
stop_host TERM
count_marks $((100 + 60 + 4 + 32 - 1))
! grep -q "^$long 99\$" "$marks"/ann || fail "a cancelled element ran"
pinion verify "$day/inputs" >/dev/null
for words in "is left to Slurm: a dependency" "node n4 is down" "${bad}_1: F"; do
    grep -q "$words" "$day/out.log" || fail "the host does not say: $words"
done
requeued=$(scontrol show job --oneliner | grep -c 'Restarts=[1-9]' || true)
[ "$requeued" -gt 0 ] || fail "no task was requeued"
echo "slurm: 202 elements with a killed host (twice), controller and node, $requeued requeued:" \
    "each once, in $(seconds $begun) s; the log replays"

# Twenty thousand elements that wait.
new_day large
for user in ann bob; do submit $user 10000 1 true >/dev/null; done
start_host fifo
await 60 "a hundred ends" ended 100
stop_host TERM
begun=$EPOCHREALTIME
squeue --noheader --all --array --states=all >/dev/null
echo "slurm: 20000 elements: squeue takes $(seconds $begun) s, $(tail -n 1 "$day/out.log")"
scancel --partition batch
await 60 "an empty queue" all_over

# From the submission of a job to its start on an idle cluster, and a long queue: by the host, and
# by Slurm alone.
delay() { # PARTITION: ms, the median of 15
    for job in {1..15}; do
        local since=$EPOCHREALTIME
        partition=$1 submit ann 1 1 "date +%s.%N >>$marks/started" >/dev/null
        await 10 "a start" ended $((2 * job))
        awk "BEGIN { print int(1000 * ($(tail -n 1 "$marks"/started) - $since)) }"
    done | sort -n | sed -n 8p
}

throughput() { # PARTITION: seconds for 400 elements
    local begun=$EPOCHREALTIME
    partition=$1 submit ann 400 1 true >/dev/null
    await 120 "400 elements" ended $((400 + $2))
    seconds $begun
}

for partition in own batch; do
    new_day "delay-$partition"
    [ $partition = own ] || start_host fifo
    delays+=("$(delay $partition)")
    times+=("$(throughput $partition 30)")
done
stop_host TERM
echo "slurm: from submission to start ${delays[1]} ms, by Slurm alone ${delays[0]} ms;" \
    "400 empty elements ${times[1]} s, by Slurm alone ${times[0]} s;" \
    "$(tail -n 1 "$day/out.log")"
