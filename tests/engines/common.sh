# What the tests of engines share. Each runs in a machine of its own, with an empty folder as the
# shared file system, in which the recipes of the page run; logs lie in /run.
set -euo pipefail
here=$PWD/tests/engines
engine=$(basename "$0" .sh)
mkdir "$ENGINES_WORK/$engine"
cd "$ENGINES_WORK/$engine"
if [ -e ../sweep.sh ]; then
    cp ../sweep.sh .
    bash "$here/recipe.sh" "$engine" >recipe
fi

fail() { # WHAT
    echo "$engine: $1" >&2
    exit 1
}

show_logs() {
    [ $? = 0 ] || tail -n 15 /run/*.log /run/*/out.log >&2
}
trap show_logs EXIT

await() { # SECONDS WHAT COMMAND...: until the command succeeds
    local until=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $until ] || fail "waited in vain for $what"
        sleep .05
    done
}

# A node that is killed with all that runs on it: a namespace of processes, whose first one waits
# for orphans. Killing $! kills the node.
node() { # COMMAND...
    unshare --pid --fork --kill-child --mount-proc sh -c '"$@"; exit $?' node "$@" \
        >>/run/nodes.log 2>&1 &
    disown
}

run_recipe() {
    bash -e ./recipe >>/run/recipe.log 2>&1
}

files_stored() { # AT LEAST
    [ "$(find runs -type f 2>/dev/null | wc -l)" -ge "$1" ]
}

seconds() { # SINCE: with one digit
    awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $1 }"
}

each_of() { # TASKS SINCE: milliseconds
    awk "BEGIN { printf \"%.0f\", 1000 * ($EPOCHREALTIME - $2) / $1 }"
}

same_bytes() { cmp ../one.json result.json || fail "other bytes than on one machine"; }
