#!/usr/bin/env bash
# The source archive: the same bytes from another folder, umask, locale, time zone and user, and
# whatever the times and modes of the files; what git tracks and nothing else; and without git it
# builds a program and a library that compute what they should.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}" "${MAKE:=make}"
unset SOURCE_DATE_EPOCH

if ! git rev-parse --git-dir >/dev/null 2>&1; then
    echo "dist: no git checkout here, which archives are made from"
    exit 77
fi
version=$(sed -n 's/^.define PN_VERSION "\(.*\)"/\1/p' kernel/include/pn_base.h)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

fail() {
    echo "dist: $*"
    exit 1
}

# Where a release names its version: packages have that of the change log.
head -n 1 scripts/debian/changelog | grep -q "^pinion ($version) " ||
    fail "scripts/debian/changelog does not begin with version $version"
grep -qx "version: $version" CITATION.cff || fail "CITATION.cff is not of version $version"
grep -qx "PN_VERSION = '$version'" examples/python/pinion/declarations.py ||
    fail "examples/python/pinion/declarations.py is not of version $version"

dist() { # BUILD
    "$MAKE" --no-print-directory dist BUILD="$1" 2>"$work/notes" || fail "$(cat "$work/notes")"
}

dist "$work/here"
archive=$work/here/pinion-$version.tar.gz

# Another checkout of the same commit, with the same changes.
(
    umask 077
    git clone -q --depth 1 --no-checkout "file://$PWD" "$work/other"
    git ls-files -z | xargs -0 cp --parents --no-preserve=mode,timestamps -t "$work/other"
    git ls-files -s | sed -n 's/^100755 [^\t]*\t//p' | (cd "$work/other" && xargs chmod u+x)
    touch -d '2001-02-03 04:05' "$work/other/Makefile"
    git -C "$work/other" add --all
)
as_other=(env)
if [ "$(id -u)" = 0 ]; then
    chown -R 65534:65534 "$work/other"
    as_other=(setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent)
fi
(
    cd "$work/other"
    umask 077
    "${as_other[@]}" LC_ALL=de_DE.UTF-8 TZ=Pacific/Auckland TAR_OPTIONS= GZIP= \
        "$MAKE" --no-print-directory dist BUILD=elsewhere 2>"$work/notes"
) || fail "$(cat "$work/notes")"
cmp "$archive" "$work/other/elsewhere/pinion-$version.tar.gz" ||
    fail "another checkout gives other bytes"

LC_ALL=C tar -tzf "$archive" | sed "s|^pinion-$version/||" >"$work/packed"
git ls-files | diff - "$work/packed" || fail "the archive does not hold what git tracks"

# A git that is called says so, and that it is not there.
mkdir "$work/bin"
printf '#!/bin/sh\necho "git $*" >>"%s/called"\nexit 127\n' "$work" >"$work/bin/git"
chmod 755 "$work/bin/git"
tar -xzf "$archive" -C "$work"
cd "$work/pinion-$version"
unset BUILD MAKEFLAGS MFLAGS MAKELEVEL PINION
PATH=$work/bin:$PATH "$MAKE" -j"${JOBS:-$(nproc)}" all OPT=-O0 CC="$CC" >"$work/make" 2>&1 ||
    { tail -n 20 "$work/make"; fail "the archive does not build"; }
[ ! -s "$work/called" ] || fail "the build needs git: $(cat "$work/called")"
[ "$(build/pinion version | cut -d ' ' -f 2)" = "$version" ] || fail "the program is not $version"
build/pinion compare --workload zheng:0,slots=50 --policies fifo,srpt --quiet >"$work/compare" ||
    fail "the program does not run"
"$CC" -std=c11 -Ikernel/include -Itests tests/programs/digests.c build/libpinion.a \
    -o "$work/digests"
"$work/digests" | diff tests/golden/digests.txt - || fail "the library gives other digests"
echo "dist: $(wc -l <"$work/packed") files, the same bytes elsewhere; builds without git," \
    "$(wc -l <tests/golden/digests.txt) golden values agree"
