#!/bin/sh
# Build tool: the kernel as one file, to be compiled with a host.
#     amalgamation.sh FOLDER
# writes FOLDER/pinion.h, the public headers in the order of use, and FOLDER/pinion.c: base, what
# the cores do alike, and then one room after the other, each behind its macro PN_WITH_ROOM. The
# same sources give the same bytes. Run in the root of the checkout.
set -eu
export LC_ALL=C
folder=${1:?the folder to write to}

# join ROOT... -- FILE...: files one after the other. Headers appear where they are first included,
# and are looked for beside the file and in the roots; those of the system once for all files.
# Constants that are private to a source end with it.
join() {
    awk '
    function find(name, from,    i, at) {
        at = from
        if (!sub(/[^\/]*$/, "", at)) at = ""
        if (exists(at name)) return at name
        for (i = 1; i <= roots; i++) if (exists(root[i] "/" name)) return root[i] "/" name
        print from ": no header " name >"/dev/stderr"
        failed = 1
        exit 1
    }
    function exists(file,    line, is) {
        if (file in shown) return 1 # it may be open: headers include each other
        is = (getline line <file) >= 0
        close(file)
        return is
    }
    function show(file,    line, name, source, defined, count, i) {
        if (file in shown) return
        shown[file]
        source = file ~ /[.]c$/
        count = 0
        print (blank ? "" : "\n") "/* ==== " file " ==== */\n"
        blank = 1
        while ((getline line <file) > 0) {
            if (line ~ /^#include "/) {
                name = line
                sub(/^#include "/, "", name)
                sub(/".*$/, "", name)
                if (name !~ /^pn_/ || public) show(find(name, file))
                continue
            }
            if (line ~ /^#include </ && line in shown) continue
            if (line ~ /^#include </) shown[line]
            if (source && line ~ /^#define /) {
                name = line
                sub(/^#define /, "", name)
                sub(/[^A-Za-z0-9_].*$/, "", name)
                if (!(name in defined)) own[file, ++count] = name
                defined[name]
            }
            if (line ~ /^#undef /) {
                name = substr(line, 8)
                delete defined[name]
            }
            if (line != "" || !blank) print line
            blank = line == ""
        }
        close(file)
        for (i = 1; i <= count; i++) if (own[file, i] in defined) print "#undef " own[file, i]
        blank = 0
    }
    BEGIN {
        for (i = 1; ARGV[i] != "--"; i++) root[++roots] = ARGV[i]
        public = roots == 1
        for (i++; i < ARGC && !failed; i++) {
            if (ARGV[i] ~ /^#/) { print "\n" ARGV[i]; blank = 0 } else show(ARGV[i])
        }
        exit failed
    }' "$@"
}

version=$(sed -n 's/^.define PN_VERSION "\(.*\)"/\1/p' kernel/include/pn_base.h)
rooms=$(for room in kernel/*/; do basename "$room"; done | grep -vxE 'include|base|fleet')
upper() { echo "$1" | tr '[:lower:]' '[:upper:]'; }

# What a room uses besides base and fleet, which all have.
used() {
    cat "kernel/$1"/*.[ch] "kernel/$1"/*/*.[ch] 2>/dev/null |
        sed -n 's|^#include "\([a-z]*\)/.*|\1|p' | sort -u |
        grep -vxE "base|fleet|$1" || true
}

# Those that others use stand before them.
ordered=$(for room in $rooms; do
    echo "$room $room"
    for other in $(used "$room"); do [ ! -d "kernel/$other" ] || echo "$other $room"; done
done | tsort)

mkdir -p "$folder"
{
    cat <<HEAD
/* Pinion $version as one file: its public headers. A host that computes with doubles in policies of
 * its own defines PN_STRICT before it includes this one: it stands for pn_strict.h. */
HEAD
    # The manual stands above its guard, the guard holds everything.
    sed -n '1,/^#define PINION_H/p' kernel/include/pinion.h
    echo
    headers=$(sed -n 's|^#include "\(.*\)"|kernel/include/\1|p' kernel/include/pinion.h)
    # shellcheck disable=SC2086  # a list of headers
    join kernel/include -- '#ifdef PN_STRICT' kernel/include/pn_strict.h '#endif' $headers
    echo
    echo '#endif'
} >"$folder/pinion.h.unfinished"

{
    cat <<HEAD
/* Pinion $version as one file: the kernel. Compile it with a host, as strict C11.
 *
 * Models may be chosen: those whose macros are defined, all where none is.
HEAD
    for room in $ordered; do
        needs=$(for other in $(used "$room"); do
            [ ! -d "kernel/$other" ] || echo "PN_WITH_$(upper "$other")"
        done | paste -sd ' ' -)
        echo " *   PN_WITH_$(upper "$room")${needs:+, with $needs}"
    done
    cat <<'HEAD'
 * Policies may be chosen, too, such as -DPN_SLOTTED_POLICIES='pn_slotted_fifo, pn_slotted_fair':
 * what is not named stays out of an image that is linked with --gc-sections. */
#define PN_STRICT
#include "pinion.h"

HEAD
    printf '#if'
    for room in $ordered; do printf ' !defined(PN_WITH_%s) &&' "$(upper "$room")"; done |
        sed 's/ &&$//' | fold -s -w 90 | sed '$!s/$/\\/; 2,$s/^/    /'
    echo
    for room in $ordered; do echo "#define PN_WITH_$(upper "$room")"; done
    echo '#endif'
    for room in $ordered; do
        for other in $(used "$room"); do
            [ -d "kernel/$other" ] || continue
            printf '#if defined(PN_WITH_%s) && !defined(PN_WITH_%s)\n#define PN_WITH_%s\n#endif\n' \
                "$(upper "$room")" "$(upper "$other")" "$(upper "$other")"
        done
    done
    cat <<'HEAD'

/* Inline functions that the chosen models do not use; and each part is a file of its own, where a
 * variable may have the name of another one's function. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wshadow"
#endif
HEAD
    set -- kernel/base/*.h kernel/fleet/*.h kernel/base/*.c
    for room in $ordered; do
        # shellcheck disable=SC2046  # a list of sources
        set -- "$@" "#if defined(PN_WITH_$(upper "$room"))" \
            $(find "kernel/$room" -name '*.c' | sort) "#endif"
    done
    join kernel/include kernel -- "$@"
} >"$folder/pinion.c.unfinished"
for name in pinion.h pinion.c; do mv "$folder/$name.unfinished" "$folder/$name"; done
