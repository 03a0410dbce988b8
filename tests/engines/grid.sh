# The lines for grid engines, of which none is at hand: this knows their options and runs the tasks.
source tests/engines/common.sh

qsub() { # OPTIONS, the script on standard input
    local first=1 last=1 script SGE_TASK_ID
    while [ $# -gt 0 ]; do
        case $1 in
        -cwd) ;;
        -r) [ "$2" = y ] && shift ;;
        -N | -hold_jid) shift ;;
        -t) first=${2%-*} last=${2#*-} && shift ;;
        *) fail "qsub: $1 is not known here" ;;
        esac
        shift
    done
    script=$(cat)
    for ((SGE_TASK_ID = first; SGE_TASK_ID <= last; SGE_TASK_ID++)); do
        SGE_TASK_ID=$SGE_TASK_ID sh -c "$script"
    done
}

begun=$EPOCHREALTIME
source ./recipe
same_bytes
echo "grid: 100 shards by a stand-in for qsub, $(seconds $begun) s, same bytes"
