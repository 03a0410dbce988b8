#!/usr/bin/env bash
# Builds the playground, `make playground`: the program in WebAssembly by emscripten, with Lua,
# jansson and zlib from Debian's sources, and the page around it with CodeMirror, in
# build/playground. Exit status 77, a skip, where one of these cannot be had.
#   playground.sh         all of it
#   playground.sh wasm    the program alone
set -euo pipefail
: "${BUILD:=build}" "${JOBS:=2}" "${MAKE:=make}"
wasm=$BUILD/wasm out=$BUILD/playground
export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH} # emscripten's own tools

skip() {
    echo "left out: $1"
    exit 77
}

command -v emcc >/dev/null || skip "no emcc here (\`make playground\` installs emscripten)"

# Unpacks what Debian makes its packages of; lists of packages are kept apart from the system's.
sources() { # NAME...
    local apt=$PWD/$wasm/apt
    mkdir -p "$apt/parts" "$apt/lists/partial"
    cat >"$apt/parts/sources.list" <<EOF
deb-src http://deb.debian.org/debian $(. /etc/os-release && echo "$VERSION_CODENAME") main
EOF
    local options=(-qq -o Dir::Etc::sourcelist="$apt/parts/sources.list" -o
        Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$apt/lists")
    apt-get "${options[@]}" update >"$apt/log" 2>&1 &&
        (cd "$wasm" && apt-get "${options[@]}" source "$@") >>"$apt/log" 2>&1 || {
        cat "$apt/log"
        skip "no sources of Debian's packages here"
    }
}

compile() { # LIBRARY FLAGS FILE...
    local library=$1 flags=$2 objects=$wasm/$1.objects
    shift 2
    rm -rf "$objects" && mkdir -p "$objects"
    printf '%s\n' "$@" | xargs -P "$JOBS" -I {} sh -c \
        "emcc -Oz $flags -c {} -o $objects/\$(basename {} .c).o"
    emar rcs "$wasm/lib$library.a" "$objects"/*.o
}

libraries() {
    local lua jansson zlib
    [ -e "$wasm/libzlib.a" ] && return
    mkdir -p "$wasm"
    [ -d "$wasm"/zlib-* ] || sources lua5.4 jansson zlib
    lua=$(echo "$wasm"/lua5.4-*/src) jansson=$(echo "$wasm"/jansson-*/src)
    zlib=$(echo "$wasm"/zlib-*/)
    # Names of temporary files are counted: tmpnam draws them from the clock, which stands still
    # for a millisecond in browsers.
    echo '#define DEB_HOST_MULTIARCH "wasm32"
#define LUA_TMPNAMBUFSIZE 32
#define lua_tmpnam(b, e) { static int count; e = sprintf(b, "/tmp/%d", count++) < 0; }
' >"$lua/lua5.4-deb-multiarch.h"
    # shellcheck disable=SC2046  # names without blanks
    compile lua "" $(ls "$lua"/l*.c | grep -v '/luac\?\.c$')
    echo '#define HAVE_STDINT_H 1
#define INITIAL_HASHTABLE_ORDER 3' >"$jansson/jansson_private_config.h"
    sed 's/@json_have_long_long@/1/; s/@json_inline@/inline/; s/@json_have_localeconv@/0/
         s/@[a-z_]*atomic[a-z_]*@/0/; s/@[a-z_]*sync[a-z_]*@/0/' "$jansson/jansson_config.h.in" \
        >"$jansson/jansson_config.h"
    compile jansson "-DHAVE_CONFIG_H -I$jansson" "$jansson"/*.c
    compile zlib "-DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1" \
        "$zlib"/{adler32,crc32,deflate,gzclose,gzlib,gzread,gzwrite}.c \
        "$zlib"/{inflate,inffast,inftrees,trees,zutil}.c
    ln -sfn "$(basename "$(dirname "$lua")")/src" "$wasm/lua"
    ln -sfn "$(basename "$(dirname "$jansson")")/src" "$wasm/jansson"
    ln -sfn "$(basename "$zlib")" "$wasm/zlib"
}

# The objects and archives by the rules of the Makefile, then one file.
program() {
    "$MAKE" --no-print-directory BUILD="$BUILD" "$BUILD/embed"
    "$MAKE" --no-print-directory -j"$JOBS" BUILD="$wasm" CC=emcc AR=emar OPT=-Oz CFLAGS=-g0 \
        SQLITE= WARN="-Wall -Wextra" EMBED="$BUILD/embed --text" \
        LIBRARY_CFLAGS="-I$wasm/lua -I$wasm/jansson -I$wasm/zlib -DHAVE_UNISTD_H" \
        "$wasm/obj/lua_program_main.o" "$wasm/obj/libfront.a" "$wasm/libpinion-lua.a" \
        "$wasm/libpinion.a"
    mkdir -p "$out"
    emcc -Oz -g0 "$wasm/obj/lua_program_main.o" "$wasm/obj/libfront.a" "$wasm/libpinion-lua.a" \
        "$wasm"/lib{pinion,jansson,zlib,lua}.a -sINVOKE_RUN=0 -sEXIT_RUNTIME=1 -sMODULARIZE=1 \
        -sEXPORT_NAME=Pinion -sEXPORTED_RUNTIME_METHODS=callMain,FS -sALLOW_MEMORY_GROWTH=1 \
        -sTOTAL_STACK=1048576 -sENVIRONMENT=web,worker,node -sNODEJS_CATCH_EXIT=0 \
        -sNODEJS_CATCH_REJECTION=0 --pre-js lua/playground/terminal.js \
        -o "$out/pinion.js"
}

# What result pages may run inside the playground, as its policy names it.
hashes() { # FILE...
    local file
    for file; do
        printf "'sha256-%s' " "$(openssl dgst -sha256 -binary "$wasm/page/$file" | base64)"
    done
}

page() {
    local editor=/usr/share/javascript/codemirror
    [ -r "$editor/codemirror.js" ] || skip "no CodeMirror here (Debian: libjs-codemirror)"
    cp lua/playground/{playground.css,playground.js,worker.js} "$out/"
    cat "$editor/codemirror.js" "$editor/mode/lua/lua.js" >"$out/codemirror.js"
    cp "$editor/codemirror.css" "$out/"
    cp /usr/share/doc/libjs-codemirror/copyright "$out/codemirror.txt"
    "$BUILD/pinion" run lua/playground/examples.lua >"$out/examples.js"
    sed "s|PAGE_SCRIPTS|$(hashes page.js dygraphs.js)|; s|PAGE_STYLES|$(hashes page.css)|" \
        lua/playground/index.html >"$out/index.html"
}

libraries
program
[ "${1-}" = wasm ] || {
    page
    echo "playground: $out (look at it: python3 -m http.server -d $out)"
}
