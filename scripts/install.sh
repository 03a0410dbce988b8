#!/bin/sh
# Puts headers, libraries, pkg-config file, program, Lua module and policies where a distribution would. Called by `make install`.
set -eu
root="${DESTDIR-}$PREFIX"
soname=libpinion.so.0
install -d "$root/bin" "$root/include/pinion" "$root/lib/pkgconfig" "$root/lib/lua/5.4/pinion" "$root/share/lua/5.4/pinion" "$root/share/pinion"
install -m 755 "$BUILD/pinion" "$root/bin/pinion"
install -m 644 kernel/pinion.h kernel/pn_base.h kernel/pn_slotted.h "$root/include/pinion/"
install -m 644 "$BUILD/libpinion.a" "$root/lib/"
install -m 755 "$BUILD/libpinion.so" "$root/lib/libpinion.so.$VERSION"
ln -sf "libpinion.so.$VERSION" "$root/lib/$soname"
ln -sf "$soname" "$root/lib/libpinion.so"
install -m 755 "$BUILD/module/pinion/core.so" "$root/lib/lua/5.4/pinion/core.so"
for file in lua/pinion/*.lua; do
    if [ "$file" = lua/pinion/init.lua ]; then
        install -m 644 "$file" "$root/share/lua/5.4/pinion.lua"
    else
        install -m 644 "$file" "$root/share/lua/5.4/pinion/"
    fi
done
cp -R policies "$root/share/pinion/"
cat >"$root/lib/pkgconfig/pinion.pc" <<PC
prefix=$PREFIX
includedir=\${prefix}/include/pinion
libdir=\${prefix}/lib

Name: pinion
Description: deterministic, allocation-free simulation of MapReduce schedulers
Version: $VERSION
Cflags: -I\${includedir}
Libs: -L\${libdir} -lpinion
PC
echo "installed pinion $VERSION under $root"
