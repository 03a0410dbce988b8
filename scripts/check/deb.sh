#!/usr/bin/env bash
# Debian's packages: two builds of the source archive, in other folders and environments, give the
# same bytes; lintian finds no error; on a machine that has them the program, the module in a stock
# lua5.4 and hosts in C work; and when they are purged nothing is left.
# That machine is a copy of this one which lives in memory, a namespace with an overlay over /: it
# has what the packages depend on, and what happens in it happens nowhere else.
# Exit status 77, a skip, where that or a tool is missing: `make test-deb` installs what it can.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${MAKE:=make}" "${JOBS:=$(nproc)}"

skip() { # WHAT
    echo "left out: $1 (\`make test-deb\` gets what it can)"
    exit 77
}

fail() {
    echo "deb: $*"
    exit 1
}

# The files that differ, in place of a byte of an archive.
differ() { # PACKAGE
    dpkg-deb --raw-extract "$work/one/$1" "$work/left"
    dpkg-deb --raw-extract "$work/a-longer/name/$1" "$work/right"
    diff -r "$work/left" "$work/right" | head -n 20
}

[ "$(id -u)" = 0 ] || skip "only root makes machines of namespaces"
for tool in dh dpkg-buildpackage lintian git; do
    command -v $tool >/dev/null || skip "no $tool here"
done
git rev-parse --git-dir >/dev/null 2>&1 || skip "no git checkout here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machine=(unshare --mount --net --ipc --pid --fork --kill-child --mount-proc
    bash tests/packages/machine.sh "$work")
"${machine[@]}" true 2>/dev/null || skip "no machines of namespaces and overlays here"

version=$(sed -n 's/^.define PN_VERSION "\(.*\)"/\1/p' kernel/include/pn_base.h)
"$MAKE" --no-print-directory dist BUILD="$work/dist" 2>"$work/notes" || fail "$(cat "$work/notes")"
archive=$work/dist/pinion-$version.tar.gz
export JOBS=$(((JOBS + 1) / 2))
(umask 022 && sh scripts/build/deb.sh "$archive" "$work/one") >"$work/packages" &
one=$!
(umask 027 && LC_ALL=C.UTF-8 TZ=Pacific/Auckland \
    sh scripts/build/deb.sh "$archive" "$work/a-longer/name") >"$work/other_packages" &
other=$!
built=yes
wait $one || built=
wait $other || built=
[ -n "$built" ] || fail "the packages are not built"
while read -r package; do
    cmp "$work/one/$package" "$work/a-longer/name/$package" || {
        differ "$package"
        fail "a second build gives other bytes"
    }
done <"$work/packages"

lintian --allow-root --fail-on error "$work"/one/*.changes >"$work/lintian" || {
    cat "$work/lintian"
    fail "lintian finds errors"
}
cat "$work/lintian"
warnings=$(grep -c '^W:' "$work/lintian" || true)
"${machine[@]}" bash tests/packages/use.sh "$version" || fail "the packages do not work"
echo "deb: $(wc -l <"$work/packages") packages, the same bytes twice, $warnings warnings of" \
    "lintian; installed, used, purged"
