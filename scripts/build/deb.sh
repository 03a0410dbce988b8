#!/bin/sh
# deb.sh ARCHIVE FOLDER: Debian's packages of a source archive, into a folder. They are built in a
# folder of their own there, with the compiler and flags of Debian.
set -eu
archive=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
tar -xzf "$archive" -C "$folder"
# Nothing that this build was told is meant for that one.
unset BUILD CC MAKE MAKEFLAGS MFLAGS MAKELEVEL SOURCE_DATE_EPOCH
export DEB_BUILD_OPTIONS="noautodbgsym parallel=${JOBS:-1}"
cd "$folder"/pinion-*
cp -r scripts/debian debian # where its tools look
dpkg-buildpackage --build=binary --no-sign >../build.log 2>&1 || {
    tail -n 40 ../build.log >&2
    exit 1
}
cd ..
rm -r pinion-*/
ls -- *.deb
