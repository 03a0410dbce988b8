#!/bin/sh
# Puts headers, libraries, pkg-config files, program, Lua module, policies, the papers' scripts,
# documents and the shells' completions where a distribution would. Called by `make install`.
# Libraries go to $LIBFOLDER of the prefix, which is lib, or lib/x86_64-linux-gnu and the like.
# `install.sh module` puts the Lua module alone into $LUADIR and $LIBDIR, for the rockspec.
set -eu

install_module() { # LUADIR LIBDIR
    install -d "$1/pinion" "$2/pinion"
    install -m 755 "$BUILD/module/pinion/core.so" "$2/pinion/core.so"
    # A folder's init.lua becomes FOLDER.lua, which any path of Lua's finds.
    (cd lua && find pinion -name '*.lua') | while read -r file; do
        target=$(echo "$file" | sed 's|/init\.lua$|.lua|')
        install -d "$1/$(dirname "$target")"
        install -m 644 "lua/$file" "$1/$target"
    done
}

if [ "${1-}" = module ]; then
    install_module "${LUADIR:?}" "${LIBDIR:?}"
    exit
fi

root="${DESTDIR-}$PREFIX"
libraries=$root/$LIBFOLDER
soname=libpinion.so.1
install -d "$root/bin" "$root/include/pinion" "$libraries/pkgconfig" \
    "$root/share/man/man1" "$root/share/doc/pinion" "$root/share/pinion/meta"
install -m 755 "$BUILD/pinion" "$root/bin/pinion"
install -m 644 kernel/include/*.h lua/include/*.h "$root/include/pinion/"
install -m 644 "$BUILD/libpinion.a" "$BUILD/libpinion-lua.a" "$libraries/"
install -m 755 "$BUILD/libpinion.so" "$libraries/libpinion.so.$VERSION"
ln -sf "libpinion.so.$VERSION" "$libraries/$soname"
ln -sf "$soname" "$libraries/libpinion.so"
install_module "$root/share/lua/5.4" "$libraries/lua/5.4"
install_tree() { # FILE WHERE: below share/pinion, with its folder
    install -d "$root/share/pinion/$(dirname "$2")"
    install -m 644 "$1" "$root/share/pinion/$2"
}
for file in policies/*/*.lua; do install_tree "$file" "$file"; done
for file in scripts/papers/*/*.lua; do install_tree "$file" "${file#scripts/}"; done
install -m 644 lua/meta/*.lua "$root/share/pinion/meta/"
install -m 644 "$BUILD/pinion.1" "$root/share/man/man1/pinion.1"
install_completion() { # SHELL FOLDER NAME: where this shell looks for it
    install -d "$root/share/$2"
    install -m 644 "$BUILD/completion/$1" "$root/share/$2/$3"
}
install_completion bash bash-completion/completions pinion
install_completion zsh zsh/site-functions _pinion
install_completion fish fish/vendor_completions.d pinion.fish
install -m 644 "$BUILD/api.md" README.md LICENSE "$root/share/doc/pinion/"
install -d "$root/share/doc/pinion/docs/models"
install -m 644 docs/*.md docs/*.svg docs/*.png "$root/share/doc/pinion/docs/"
install -m 644 docs/models/*.md "$root/share/doc/pinion/docs/models/"
cat >"$libraries/pkgconfig/pinion.pc" <<PC
prefix=$PREFIX
includedir=\${prefix}/include/pinion
libdir=\${prefix}/$LIBFOLDER

Name: pinion
Description: deterministic, allocation-free simulation of MapReduce schedulers
Version: $VERSION
Cflags: -I\${includedir}
Libs: -L\${libdir} -lpinion
PC
cat >"$libraries/pkgconfig/pinion-lua.pc" <<PC
prefix=$PREFIX
libdir=\${prefix}/$LIBFOLDER

Name: pinion-lua
Description: scheduling policies written in Lua for hosts of pinion
Version: $VERSION
Requires: pinion = $VERSION, lua5.4
Libs: -L\${libdir} -lpinion-lua -lm
PC
echo "installed pinion $VERSION under $root"
