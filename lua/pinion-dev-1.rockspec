-- The Lua module from a checkout, without the program:  luarocks --lua-version 5.4 make lua/pinion-dev-1.rockspec
-- Needs a C compiler, make, pkg-config and the headers of Lua 5.4, jansson and zlib (and those of SQLite, for data bases of results); the Makefile installs them on Debian, or says how.
rockspec_format = "3.0"
package = "pinion"
version = "dev-1"
source = { url = "file://." } -- a checkout: nothing is fetched
description = {
    summary = "Deterministic simulation of MapReduce schedulers",
    detailed = [[
Pinion answers "what would this scheduler have done to this MapReduce workload?": exactly, repeatably and fast. Generators and traces,
twelve policies and your own ones in Lua, lower bounds, comparisons over replicas, sweeps and figures.]],
    license = "MIT",
}
supported_platforms = { "linux" }
dependencies = { "lua >= 5.4, < 5.5" }
build = {
    type = "make",
    build_target = "module",
    install_target = "install-module",
    install_variables = { LUADIR = "$(LUADIR)", LIBDIR = "$(LIBDIR)" },
}
