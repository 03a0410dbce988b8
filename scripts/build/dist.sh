#!/bin/sh
# dist.sh ARCHIVE FOLDER: what git tracks, as it is in the checkout, as a source archive that
# unpacks into FOLDER. The same files give the same bytes, whoever packs them, where and when: the
# time of all of them is SOURCE_DATE_EPOCH, or that of the last commit.
set -eu
archive=$1 folder=$2
git rev-parse --git-dir >/dev/null 2>&1 ||
    { echo "dist: this is no git checkout, which says what belongs to an archive" >&2; exit 1; }
git diff --quiet HEAD || echo "dist: the archive holds changes that are not committed" >&2
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
unfinished=$archive.unfinished
trap 'rm -f "$unfinished" "$unfinished.gz"' EXIT
# Git lists by bytes, in every locale.
git ls-files -z | tar --create --file="$unfinished" --format=ustar \
    --mtime="@$time" --mode=a+rX,u+w,go-w --owner=0 --group=0 --numeric-owner \
    --transform="s|^|$folder/|" --no-recursion --null --files-from=-
gzip -9 -n "$unfinished"
mv "$unfinished.gz" "$archive"
