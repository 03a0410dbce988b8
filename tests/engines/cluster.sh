# A Slurm for a test: its controller, and nodes that are processes of this machine.
export SLURM_CONF=/run/slurm.conf

start_slurm() { # further lines of its configuration on standard input
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
CONF
    cat >>$SLURM_CONF
    dd if=/dev/urandom of=/run/munge.key bs=1024 count=1 status=none
    chmod 400 /run/munge.key
    munged --force --key-file /run/munge.key --seed-file /run/munge.seed \
        --log-file /run/munged.log --pid-file /run/munged.pid
    slurmctld -c
}

start_node() { node slurmd -D -N "$1"; } # NAME; $! is its process
idle_nodes() { [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" = "$1" ]; } # COUNT
