# An array of a hundred tasks on three nodes, one of which is killed.
source tests/engines/common.sh
export SLURM_CONF=/run/slurm.conf

mkdir /run/slurm
cat >$SLURM_CONF <<'CONF'
ClusterName=engines
SlurmctldHost=engines
SlurmctldPort=16817
SlurmUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=0
StateSaveLocation=/run/slurm/state
SlurmdSpoolDir=/run/slurm/%n
SlurmctldPidFile=/run/slurm/slurmctld.pid
SlurmdPidFile=/run/slurm/%n.pid
SlurmctldLogFile=/run/slurmctld.log
SlurmdLogFile=/run/slurmd-%n.log
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=engines Port=16821 CPUs=3
NodeName=n2 NodeHostname=engines Port=16822 CPUs=3
NodeName=n3 NodeHostname=engines Port=16823 CPUs=3
PartitionName=all Nodes=ALL Default=YES
CONF

dd if=/dev/urandom of=/run/munge.key bs=1024 count=1 status=none
chmod 400 /run/munge.key
munged --force --key-file /run/munge.key --seed-file /run/munge.seed --log-file /run/munged.log \
    --pid-file /run/munged.pid
slurmctld -c
for name in n1 n2 n3; do node slurmd -D -N $name; done
killed=$!

idle() { [ "$(sinfo -h -N -t idle | wc -l)" = "$1" ]; }
full() { [ "$(squeue -h -w "$1" -t running | wc -l)" = 3 ]; }
done_all() { [ -z "$(squeue -h)" ]; }
await 30 "three nodes" idle 3

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
