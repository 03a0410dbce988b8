#!/usr/bin/env bash
# The walls between the rooms: which room may use which, by the lines with #include. A room that is
# not named for another may not be used by it; each may use itself, and what those that it names
# use. A model's front end lies in one folder, whose folders are rooms by layer.
set -euo pipefail
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ROOM: the rooms that it may use. Public headers are rooms too: kernel/include and lua/include.
cat >"$work/rooms" <<'ROOMS'
kernel/include:
kernel/base: kernel/include
kernel/fleet: kernel/base
kernel/scheduler: kernel/fleet
kernel/dispatch: kernel/fleet
kernel/cluster: kernel/scheduler
kernel/dag: kernel/dispatch
lua/include: kernel/include
lua/base: kernel/include
lua/sandbox: lua/base
lua/policy: lua/sandbox lua/include
lua/workload: lua/base
lua/generator: lua/sandbox lua/include lua/workload
lua/run: lua/workload lua/policy
lua/store: lua/base
lua/core: lua/run lua/generator lua/store
lua/program: lua/core
MODEL/sources: lua/workload
MODEL/run: MODEL/sources lua/run
MODEL/script: lua/policy lua/generator
MODEL/binding: MODEL/run lua/core
cluster/sources: slotted/sources
makespan/sources: slotted/sources
pinion/base:
pinion/models: pinion/base
pinion/workload: pinion/models
pinion/policy: pinion/models
pinion/export: pinion/policy
pinion/run: pinion/workload pinion/policy
pinion/output: pinion/run
pinion/cli: pinion/output pinion/export
pinion/init.lua: pinion/output
ROOMS
# Other rooms of the kernel are models, which do not know each other, nor do their front ends, but
# for one benchmark of which three models make jobs.
for folder in kernel/*/; do
    room=${folder%/}
    grep -q "^$room:" "$work/rooms" || echo "$room: kernel/base"
done >"$work/models"
models=$(find lua/pinion/models -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
for model in $models; do
    sed -n "/^MODEL/s/MODEL/$model/gp" "$work/rooms"
done >>"$work/models"
sed -i '/^MODEL/d' "$work/rooms"
cat "$work/models" >>"$work/rooms"

# FILE:LINE: the room of the file, and the room that it uses.
uses() {
    find kernel lua -name '*.[ch]' -print0 | sort -z | xargs -0 grep -nE '^#include "' |
        awk -F '[:"]' '
            function room_of(path) {
                sub("^lua/pinion/models/", "", path)
                split(path, part, "/")
                return part[1] "/" part[2]
            }
            {
                top = substr($1, 1, index($1, "/"))
                if ($4 ~ /^(pinion|pn_[^\/]*)\.h$/) to = "kernel/include"
                else if ($4 == "pinion_lua.h") to = "lua/include"
                else to = room_of($4 ~ /\// ? top $4 : $1)
                print $1 ":" $2, room_of($1), to
            }'
}

# The same of the Lua library: the names of modules that its files require, at once or when needed.
uses_lua() {
    find lua/pinion -name '*.lua' -print0 | sort -z |
        xargs -0 grep -noE '"pinion[.](base|models|workload|policy|export|run|output|cli)[."]' |
        sed -E -e 's|"pinion[.]([a-z]*).*|\1|' \
            -e 's|^lua/(pinion/[^/:]*)([^:]*):([0-9]+):(.*)|lua/\1\2:\3 \1 pinion/\4|'
}

{ uses && uses_lua; } >"$work/uses"
awk '
    FILENAME == ARGV[1] {
        sub(/:$/, "", $1)
        for (i = 1; i <= NF; i++) { may[$1, $i]; rooms[$i] }
        next
    }
    FNR == 1 {
        for (b in rooms) for (a in rooms) if ((a, b) in may)
            for (c in rooms) if ((b, c) in may) may[a, c]
    }
    !(($2, $3) in may) { print $1 ": " $2 " may not use " $3; found = 1 }
    END { exit found }
' "$work/rooms" "$work/uses" ||
    { echo "walls: see the list of rooms in scripts/check/walls.sh"; exit 1; }

# A front end that plays a run is plain C up to its binding.
if find lua/base lua/workload lua/run lua/store lua/pinion/models/*/{sources,run} -name '*.[ch]' \
    -print0 |
    xargs -0 grep -nE '#include <(lua|lauxlib|lualib)[.]h>'; then
    echo "walls: base, workload, run and store of the front end know no Lua"
    exit 1
fi

# Modules are named at the top of a file; only base/lazy.lua reads one later. Below its door the
# library does not require itself.
if grep -rnE '^[[:space:]]+.*\<require[( ]*"pinion[.]' lua/pinion ||
    grep -rnE '^local .*require *"pinion"' lua/pinion; then
    echo "walls: modules are required at the top of a file, and none is the door"
    exit 1
fi

# A model knows no other, and what runs and prints models knows none by name.
for model in $models; do
    others=$(echo "$models" | grep -vx "$model" | paste -sd '|')
    if grep -rnE "\"pinion[.]models[.]($others)[.\"]" lua/pinion/models/"$model"*; then
        echo "walls: the model $model may not use another"
        exit 1
    fi
done
if grep -rnwE "$(echo "$models" | paste -sd '|')" lua/pinion/run lua/pinion/output \
    --include='*.lua' |
    grep -vE '^lua/pinion/output/gantt|:[0-9]+: *--|makespan(_exact)?\b' ; then
    echo "walls: run and output know no model by name"
    exit 1
fi
echo "walls: $(wc -l <"$work/uses") uses between $(wc -l <"$work/rooms") rooms go the right way"
