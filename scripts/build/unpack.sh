#!/bin/sh
# unpack.sh FOLDER PACKAGE...: Debian packages, with what they depend on and the machine lacks,
# unpacked into a folder. Nothing is installed: the machine gets no services, users or settings.
set -eu
folder=$1
shift
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null
echo "unpacking into $folder: $*"
new=$folder.new archives=$(mktemp -d)
trap 'rm -rf "$new" "$archives"' EXIT
mkdir -p "$archives/partial" "$new/usr/bin" "$new/usr/sbin" "$new/usr/lib"
# What goes to /lib is in /usr/lib, as on the machine.
ln -s usr/bin usr/sbin usr/lib "$new"
# Also where another package would have to go: nothing is removed, for nothing is installed.
set -- apt-get install -y -qq --download-only --no-install-recommends \
    -o Dir::Cache::archives="$archives" "$@"
"$@" >/dev/null 2>&1 || { apt-get update -qq && "$@" >/dev/null; }
for package in "$archives"/*.deb; do dpkg-deb -x "$package" "$new"; done
# Debian's Slurm has two builds; the names without a suffix are links that an installation makes.
for program in "$new"/usr/*bin/*-wlm; do
    [ ! -e "$program" ] || ln -s "$(basename "$program")" "${program%-wlm}"
done
mv "$new" "$folder"
