#!/usr/bin/env bash
# Sweeps in shards on the engines that run them on many machines: the same bytes as from one
# machine, also when a node is killed in the middle. What runs are the recipes of a page. And alone,
# `queue`: a Slurm whose queue the example that is a host of it schedules.
#   engines.sh [slurm | parallel | make | loop | grid]... | queue
# Each engine has a machine of its own, made of namespaces: its daemons see no network, users or
# /run but their own, and die with it. Exit status 77, a skip, where that or a program is missing:
# `make test-engines` unpacks what it can into build/engines.
set -euo pipefail
: "${BUILD:=build}" "${PINION:=$BUILD/pinion}"
export ENGINES_USR=$PWD/$BUILD/engines/usr ENGINES_PAGE=$PWD/docs/experiments.md
unset MAKEFLAGS MFLAGS MAKELEVEL
PATH=$(cd "$(dirname "$PINION")" && pwd):$PATH:/usr/sbin:/sbin

skip() { # WHAT
    echo "left out: $1 (\`make test-engines\` gets what it can)"
    exit 77
}

[ "$(id -u)" = 0 ] || skip "only root makes machines of namespaces"
# All machines share the host's name of this script, by which their processes are known.
if [ -z "${ENGINES_NAMED-}" ]; then
    unshare --uts true 2>/dev/null || skip "no namespaces here"
    ENGINES_NAMED=yes exec unshare --uts bash "$0" "$@"
fi

# Ends with everything in it when its command ends or this script is killed.
machine=(setpriv --pdeathsig KILL unshare --net --mount --ipc --pid --fork --kill-child --mount-proc
    bash tests/engines/machine.sh)
"${machine[@]}" true 2>/dev/null || skip "no machines of namespaces and overlays here"
[ $# -gt 0 ] || set -- slurm parallel make loop grid
programs=(slurmctld slurmd sbatch munged ip)
[ "$*" = queue ] || programs+=(parallel sshd ssh)
missing=$("${machine[@]}" bash -c 'for name; do command -v $name >/dev/null || echo $name; done' - \
    "${programs[@]}")
[ -z "$missing" ] || skip "no ${missing//$'\n'/, no } here"

listening() { ss -Hltnup | grep -E '"(slurm|munge|sshd|parallel)' | sort || true; }

left_over() {
    local process
    for process in /proc/[0-9]*; do
        [ ! "$process/ns/uts" -ef /proc/self/ns/uts ] ||
            [ "$process/ns/pid" -ef /proc/self/ns/pid ] || echo "${process#/proc/}"
    done
}

work=$(mktemp -d)
export ENGINES_WORK=$work
running=
stop() {
    [ -z "$running" ] || kill -KILL "$running" 2>/dev/null
    await_none_left || true
    rm -rf "$work"
}
await_none_left() {
    local tries
    for ((tries = 0; tries < 50; tries++)); do
        [ -n "$(left_over)" ] || return 0
        sleep .1
    done
    return 1
}
trap stop EXIT
trap 'exit 130' INT TERM

listening >"$work/listening"
if [ "$*" != queue ]; then
    bash tests/engines/recipe.sh sweep >"$work/recipe"
    (cd "$work" && bash ./recipe && sh sweep.sh --output one.json)
fi
for engine in "$@"; do
    "${machine[@]}" bash "tests/engines/$engine.sh" &
    running=$!
    wait $running || { echo "engines: $engine failed" >&2; exit 1; }
    running=
done

await_none_left || { echo "engines: processes are left: $(left_over)" >&2; exit 1; }
listening | diff "$work/listening" - || { echo "engines: a port is left open" >&2; exit 1; }
echo "engines: no process and no open port is left"
