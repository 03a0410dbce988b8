#!/bin/sh
# What the library as it is built computes: compares the digests that tests/programs/digests.c
# prints with tests/golden/digests.txt. scripts/check/compilers.sh has other compilers.
#   goldens.sh             compare; a difference prints the new values
#   goldens.sh --update    renew the file, deliberately: a change of behaviour, to be named in the
#                          change log
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
golden=tests/golden/digests.txt
program=$BUILD/obj/digests

"${CC:-cc}" -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -Ikernel/include -Itests \
    tests/programs/digests.c "$BUILD/libpinion.a" -o "$program"
"$program" >"$program.txt"
same=0
diff "$golden" "$program.txt" || same=1
case ${1-}:$same in
--update:*) cp "$program.txt" "$golden" ;;
*:1)
    echo "goldens: the library differs (< expected, > printed);" \
        "if this change is meant, scripts/check/goldens.sh --update renews $golden"
    exit 1
    ;;
esac
echo "goldens: $(wc -l <"$golden") digests of the library"
