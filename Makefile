# Pinion: what would this scheduler have done to this workload?
# `make demo` and `make test` set a fresh Debian machine up by themselves: scripts/build/setup.sh.
# Sources are found by their folders: kernel/, lua/ and tests/ need no edit here for a new file,
# test, benchmark or fuzz target.

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
# Where libraries go below the prefix: lib, or lib/x86_64-linux-gnu and the like.
LIBFOLDER ?= lib
CC      ?= cc
OPT     ?= -O2
# SAN=1: with AddressSanitizer and UndefinedBehaviorSanitizer, every finding fatal. FUZZ=1: these,
# and what libFuzzer needs (clang).
SAN     ?=
FUZZ    ?=
# COVERAGE=1: counts lines, branches and conditions (clang 19). Tests are counted too: they have
# copies of what is inline, and programs are told apart by what they count.
COVERAGE ?=
# What `make asan` builds.
SANITIZED ?= programs
# Seconds of processor time for each seed of each random program in `make test`; elapsed seconds of
# fuzzing in `make soak`.
SECONDS_RANDOM ?= 1
SECONDS_SOAK   ?= 1800
JOBS           ?= $(shell nproc 2>/dev/null || echo 1)
PKG_CONFIG     ?= pkg-config

, = ,
SANITIZERS = -fsanitize=$(if $(FUZZ),fuzzer-no-link$(,))address,undefined \
             -fno-sanitize-recover=all -fno-omit-frame-pointer
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes
# DWARF 4: valgrind does not read the 5 of every compiler. Sanitizers show lines alone, and build
# faster so. Floating point is made strict in the sources: kernel/include/pn_strict.h.
BASE_CFLAGS = -std=c11 $(OPT) -gdwarf-4 $(if $(SAN),-g1) $(WARN) \
              $(if $(SAN)$(FUZZ),$(SANITIZERS) -DPN_CHECKED) -fno-math-errno $(CPPFLAGS) $(CFLAGS)
COUNTED = $(if $(COVERAGE),-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc \
          -DPN_COVERAGE)
# Keeps the value of a variable from its first use on.
once = $(eval $(1) := $(2))$($(1))
# pkg-config is asked in recipes only, that is after setup; once, since a start per object is long.
# SQLITE=: without data bases.
SQLITE = $(call once,SQLITE,$(shell $(PKG_CONFIG) --exists sqlite3 && echo sqlite3))
LIBRARY_CFLAGS = $(call once,LIBRARY_CFLAGS,\
    $(shell $(PKG_CONFIG) --cflags lua5.4 jansson zlib $(SQLITE)) $(if $(SQLITE),-DPINION_SQLITE))
LIBRARIES = $(call once,LIBRARIES,\
    $(shell $(PKG_CONFIG) --libs lua5.4 jansson zlib $(SQLITE)) -lm)
# How the sources of each top folder are compiled: a host sees the public headers and nothing else.
HOST           = -D_POSIX_C_SOURCE=200809L -Ikernel/include -Ilua/include
FLAGS_kernel   = -fPIC -fvisibility=hidden -Ikernel/include -Ikernel $(COUNTED)
FLAGS_lua      = -fPIC $(HOST) -Ilua $(LIBRARY_CFLAGS) $(COUNTED)
FLAGS_tests    = -fPIC $(HOST) -Ikernel -Ilua -Itests $(LIBRARY_CFLAGS) $(COUNTED)
FLAGS_examples = $(HOST) $(COUNTED)

# Objects lie side by side, named after their folders, for `ar` wants names of their own.
object   = $(addprefix $(BUILD)/obj/,$(subst /,_,$(1:.c=.o)))
sources  = $(sort $(foreach folder,$(1),$(wildcard $(folder)/*.c)))
FOLDERS := $(shell find kernel lua tests $(addprefix examples/,common mapreduce buildrunner slurm) \
           -name '*.c' -printf '%h\n' | sort -u)

KERNEL    = $(call sources,$(filter kernel/%,$(FOLDERS)))
SCRIPTS   = $(call sources,lua/sandbox lua/policy lua/generator \
            $(wildcard lua/pinion/models/*/script)) \
            lua/base/nearest.c lua/base/plain.c lua/base/utf8.c \
            $(wildcard lua/workload/distribution*.c lua/workload/arrivals*.c) \
            lua/workload/fields.c $(wildcard lua/pinion/models/*/sources/fields.c)
FRONT     = $(filter-out lua/program/% $(SCRIPTS),$(call sources,$(filter lua/%,$(FOLDERS))))
EMBEDDED  = $(BUILD)/obj/embedded_policies.o $(BUILD)/obj/embedded_assets.o
LUA_FILES = $(sort $(shell find lua/pinion -name '*.lua'))
COMPUTING = $(sort $(shell find kernel lua -name '*.[ch]' -o -name '*.lua' | \
    grep -vE '^lua/(meta|page|playground|program|store|pinion/(cli|output))/'))
POLICY_FILES = $(sort $(wildcard policies/*/*.lua))
PAGE_SCRIPTS = $(sort $(wildcard lua/page/*.js))
META     := $(foreach part,pinion run workload results policy,lua/meta/$(part).lua)
META     += $(filter-out $(META),$(sort $(wildcard lua/meta/*.lua)))
PAPERS    = $(patsubst scripts/papers/%/paper.lua,%,$(wildcard scripts/papers/*/paper.lua))
VERSION   = $(shell sed -n 's/^.define PN_VERSION "\(.*\)"/\1/p' kernel/include/pn_base.h)

# Every source here is a program of its own; what several of them need is in the support archive,
# the main program of replays too. Each room of the kernel has a room of tests.
ROOMS    := $(patsubst kernel/%,tests/%,$(filter kernel/%,$(FOLDERS)))
UNITS     = $(ROOMS) tests/contract tests/front
TESTS     = $(filter-out %/replay.c,$(call sources,$(UNITS) tests/random tests/fuzz \
            $(if $(SAN),,tests/bench)))
SUPPORT   = $(call sources,$(filter %/support %/naive,$(FOLDERS))) \
            $(if $(FUZZ),,tests/fuzz/replay.c)
PROGRAMS  = $(TESTS:%.c=$(BUILD)/%)
HOSTS     = $(BUILD)/mapreduce $(BUILD)/buildrunner $(BUILD)/slurm
# Modules for tests in Lua.
MODULES   = $(call sources,tests/modules)
SUBMAKE   = $(MAKE) --no-print-directory
SCRIPT    = BUILD="$(BUILD)" CC="$(CC)" MAKE="$(MAKE)"

# V=1 shows whole commands.
Q = $(if $(V),,@)
say = $(if $(V),,$(info $()  $(1) $@))

.DEFAULT_GOAL := help
.PHONY: all demo setup check test test-all programs benches soak bench bench-details papers
.PHONY: browser lint asan evidence
.PHONY: test-engines replay fuzz fuzz-targets man api install amalgamation sizes module help
.PHONY: install-module clean completion setup-demo dist deb test-deb test-targets
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

all: ## the program, the libraries and the Lua module
all: $(BUILD)/pinion $(BUILD)/libpinion.a $(BUILD)/libpinion.so $(BUILD)/libpinion-lua.a module

demo: all setup-demo ## schedulers on a Facebook-like workload: a table, build/demo/*.{csv,svg,html}
	@$(BUILD)/pinion run examples/lua/compare.lua $(BUILD)/demo

setup: ## installs what only some checks of test-all, bench and figures need, where that can be
	@$(SCRIPT) sh scripts/build/setup.sh extras

# The checks of a tier: tests/checks.txt; T=WORD are those with this word in their names. First what
# has to be installed, then as many compilers as there are cores.
TIER = $(SCRIPT) JOBS=$(JOBS) SECONDS_RANDOM=$(SECONDS_RANDOM) T="$(T)" bash scripts/check/all.sh
NEEDED = $(BUILD)/setup-build.stamp $(BUILD)/setup-test.stamp

# Prints what the checks of a tier need, and no more: call NEEDS,TIER, or NEEDS,TIER asan/.
NEEDS = $(SCRIPT) T="$(T)" bash scripts/check/all.sh needs $(1)

check: $(NEEDED) ## what a change breaks first: kernel, contract, vectors, form
	@$(SUBMAKE) -j$(JOBS) all $$($(call NEEDS,check))
	@$(TIER) check

test: $(NEEDED) ## what must hold before a change lands; docs/testing.md has the times
	@$(SUBMAKE) -j$(JOBS) all $(HOSTS) $$($(call NEEDS,test)) asan \
	    SANITIZED="$$($(call NEEDS,test asan/))"
	@$(TIER) test

test-all: $(NEEDED) ## everything; what has passed with the same files is not repeated
	@$(SUBMAKE) -j$(JOBS) all programs benches asan
	@$(TIER) all

soak: all programs ## the same for longer: 10^5 random instances and more, long fuzzing
	@$(SCRIPT) SECONDS_SOAK=$(SECONDS_SOAK) bash scripts/check/soak.sh

evidence: all programs ## how far tests and proofs of the kernel reach, in figures; takes hours
	@$(SCRIPT) sh scripts/build/setup.sh coverage || true
	@$(SCRIPT) sh scripts/build/setup.sh proof || true
	@$(SCRIPT) JOBS=$(JOBS) bash scripts/check/evidence.sh

bench: $(BUILD)/tests/bench/table ## one table: bare loops, policies in C and in Lua, SimPy, memory
	@$<

bench-details: all benches ## all measurements, beside bare loops; policies against bounds
	@for bench in $(BENCHES); do $$bench || exit 1; done
	@$(BUILD)/pinion run tests/bench/whole.lua
	@$(BUILD)/pinion run tests/bench/stored.lua
	@$(BUILD)/pinion run tests/bench/gather.lua
	@$(BUILD)/pinion paper tian --only families --output $(BUILD)/bench --quiet
	@$(SCRIPT) bash scripts/check/browser.sh bench || [ $$? = 77 ]

papers: all ## the papers' experiments: claims, reference, our numbers, verdicts; build/papers
	@for paper in $(PAPERS); do \
	    $(BUILD)/pinion paper $$paper --output $(BUILD)/papers/$$paper --quiet || exit 1; done

browser: all ## pages in headless Chromium, which this installs with playwright-core from npm
	@$(SCRIPT) sh scripts/build/setup.sh browser
	@$(SCRIPT) bash scripts/check/browser.sh

playground: all ## the program in a web page, by emscripten, which this installs: build/playground
	@$(SCRIPT) sh scripts/build/setup.sh playground
	@$(SCRIPT) JOBS=$(JOBS) bash scripts/build/playground.sh || [ $$? = 77 ]

pictures: all ## the pictures of the pages in docs; that of a page needs chromium
	@$(SCRIPT) bash scripts/check/docs.sh --pictures

test-engines: all $(BUILD)/slurm ## sweeps on engines, and a policy for Slurm; needs root
	@$(SCRIPT) sh scripts/build/setup.sh engines
	@$(SCRIPT) bash scripts/check/engines.sh
	@$(SCRIPT) bash scripts/check/engines.sh queue

test-targets: $(BUILD)/setup-build.stamp ## the same results on nine other machines (QEMU, node)
	@$(SCRIPT) sh scripts/build/setup.sh targets || true
	@$(SCRIPT) JOBS=$(JOBS) bash scripts/check/targets.sh || [ $$? = 77 ]

lint: ## static analysis with what is installed (cppcheck, clang-tidy, luacheck)
	@bash scripts/check/lint.sh

# The + hands on the number of jobs.
asan: ## the program and tests built with sanitizers, in build/asan
	+@$(SUBMAKE) BUILD=$(BUILD)/asan SAN=1 OPT=-Og $(SANITIZED)

replay: programs ## the saved inputs of the fuzz targets
	@$(SCRIPT) sh scripts/check/replay.sh

fuzz: ## the fuzz targets for libFuzzer, in build/fuzz; needs clang
	+@$(SUBMAKE) BUILD=$(BUILD)/fuzz CC=clang FUZZ=1 OPT=-O1 LDFLAGS=-fsanitize=fuzzer fuzz-targets

man: $(BUILD)/pinion.1 ## the manual page, made from the program's own help texts: build/pinion.1

completion: ## what lets bash, zsh and fish complete commands and options, in build/completion
completion: $(addprefix $(BUILD)/completion/,bash zsh fish)

api: $(BUILD)/api.md ## the library's reference, made from lua/meta/: build/api.md

amalgamation: ## the kernel as one file: build/pinion.c and build/pinion.h
amalgamation: $(BUILD)/pinion.c $(BUILD)/pinion.h

sizes: ## the kernel's size on a Cortex-M3; installs gcc-arm-none-eabi
	@$(SCRIPT) sh scripts/build/setup.sh sizes
	@$(SCRIPT) bash scripts/check/sizes.sh

install: all man api completion ## into $(DESTDIR)$(PREFIX)
	@$(SCRIPT) PREFIX="$(PREFIX)" LIBFOLDER="$(LIBFOLDER)" DESTDIR="$(DESTDIR)" VERSION=$(VERSION) \
	    sh scripts/build/install.sh

# For the rockspec: the module alone, its Lua files into $(LUADIR), core.so into $(LIBDIR).
module: $(BUILD)/module/pinion/core.so

install-module: module
	@$(SCRIPT) LUADIR="$(LUADIR)" LIBDIR="$(LIBDIR)" sh scripts/build/install.sh module

dist: ## the source archive, the same bytes from the same commit: build/pinion-VERSION.tar.gz
	@mkdir -p $(BUILD)
	@sh scripts/build/dist.sh $(BUILD)/pinion-$(VERSION).tar.gz pinion-$(VERSION)

deb: dist ## packages for Debian, from the source archive: build/deb/*.deb
	@$(SCRIPT) sh scripts/build/setup.sh deb
	@$(SCRIPT) JOBS=$(JOBS) sh scripts/build/deb.sh $(BUILD)/pinion-$(VERSION).tar.gz $(BUILD)/deb

test-deb: dist ## these packages: reproducible, installed, used and purged, all on the side
	@$(SCRIPT) sh scripts/build/setup.sh deb
	@$(SCRIPT) JOBS=$(JOBS) bash scripts/check/deb.sh

clean: ## remove build/
	rm -rf $(BUILD)

# ---- what has to be installed --------------------------------------------------------------------

$(BUILD)/setup-%.stamp: scripts/build/setup.sh
	@mkdir -p $(BUILD)/obj
	@sh scripts/build/setup.sh $*
	@touch $@

# Figures are worth having, but no reason to fail.
setup-demo: $(BUILD)/setup-build.stamp
	@sh scripts/build/setup.sh figures

# ---- objects -------------------------------------------------------------------------------------

# OPT_of FOLDER, NAME: most tests of units run for moments, and compiling them with optimization
# would take longer than it saves. What the kernel is compared with is not what sanitizers check,
# and would take most of their time.
LONG   = properties% random% arrivals distributions
OPT_of = $(if $(filter $(1),$(UNITS)),$(if $(filter $(LONG),$(2)),,-O0)) \
         $(if $(SAN),$(if $(filter %/naive,$(1)),-O2 -fno-sanitize=all))

define compile
$$(BUILD)/obj/$(subst /,_,$(1))_%.o: $(1)/%.c Makefile | $$(BUILD)/setup-build.stamp \
    $$(BUILD)/setup-database.stamp $$(if $$(filter tests/%,$(1)),$$(BUILD)/setup-test.stamp)
	$$(call say,cc)
	$$(Q)$$(CC) $$(BASE_CFLAGS) $$(FLAGS_$(firstword $(subst /, ,$(1)))) \
	    $$(call OPT_of,$(1),$$*) -MMD -MP -c $$< -o $$@
endef
$(foreach folder,$(FOLDERS),$(eval $(call compile,$(folder))))
-include $(wildcard $(BUILD)/obj/*.d)

# Lua files as C: the library for the program alone, the policies for the module too.
EMBED     = $(BUILD)/embed
module_of = $(subst /,.,$(patsubst %.lua,%,$(1:%/init.lua=%.lua)))
$(BUILD)/embed: scripts/build/embed.c | $(BUILD)/setup-build.stamp $(BUILD)/setup-database.stamp
	$(call say,link)
	$(Q)$(CC) -std=c11 -O1 $(WARN) $(LIBRARY_CFLAGS) $< $(LIBRARIES) -o $@

$(BUILD)/embedded_library.c: $(firstword $(EMBED)) $(LUA_FILES)
	$(call say,embed)
	$(Q)$(EMBED) $@ embedded_files \
	    $(foreach f,$(LUA_FILES),$(call module_of,$(f:lua/%=%))=$(f)) \
	    argparse=$$(sh scripts/build/setup.sh argparse-path)

$(BUILD)/embedded_policies.c: $(firstword $(EMBED)) $(POLICY_FILES)
	$(call say,embed)
	$(Q)$(EMBED) $@ embedded_policies \
	    $(foreach f,$(POLICY_FILES),$(call module_of,$(f))=$(f))

# What pages are made of. Those of a build without dygraphs say what is missing.
$(BUILD)/page/page.js: $(PAGE_SCRIPTS)
	@mkdir -p $(@D)
	$(Q)cat $^ >$@

$(BUILD)/page/page.css: lua/page/page.css | $(BUILD)/setup-page.stamp
	@mkdir -p $(@D)
	$(Q)sh scripts/build/setup.sh dygraphs-styles | cat - $< >$@

# What decides what a run computes: units of another build are not these.
$(BUILD)/page/sources: $(COMPUTING)
	@mkdir -p $(@D)
	$(Q)cat $^ | sha256sum | cut -c 1-16 >$@

$(BUILD)/embedded_assets.c: $(firstword $(EMBED)) $(BUILD)/page/page.js $(BUILD)/page/page.css \
                            $(BUILD)/page/sources
	$(call say,embed)
	$(Q)sh scripts/build/setup.sh dygraphs-script >$(BUILD)/page/dygraphs.js
	$(Q)sh scripts/build/setup.sh dygraphs-licence >$(BUILD)/page/dygraphs.txt
	$(Q)cd $(BUILD)/page && sha256sum page.js page.css dygraphs.js >hashes
	$(Q)$(EMBED) $@ embedded_assets \
	    $(foreach f,page.js page.css dygraphs.js dygraphs.txt hashes sources,$(f)=$(BUILD)/page/$(f))

$(BUILD)/obj/embedded_%.o: $(BUILD)/embedded_%.c lua/core/embedded.h
	$(call say,cc)
	$(Q)$(CC) $(BASE_CFLAGS) $(FLAGS_lua) -c $< -o $@

# ---- one file ------------------------------------------------------------------------------------

$(BUILD)/pinion.h: $(BUILD)/pinion.c
$(BUILD)/pinion.c: scripts/build/amalgamation.sh $(shell find kernel -name '*.[ch]')
	$(call say,join)
	$(Q)sh scripts/build/amalgamation.sh $(BUILD)

# ---- libraries, the program, the Lua module ------------------------------------------------------

# What C hosts link: the kernel; and policies in Lua for hosts that have no use for the rest of the
# front end.
$(BUILD)/libpinion.a: $(call object,$(KERNEL))
$(BUILD)/libpinion-lua.a: $(call object,$(SCRIPTS))
# Inside the house: the front end, and what tests share.
$(BUILD)/obj/libfront.a: $(call object,$(FRONT) lua/program/preload.c) $(EMBEDDED) \
    $(BUILD)/obj/embedded_library.o
$(BUILD)/obj/libsupport.a: $(call object,$(SUPPORT))
%.a:
	@rm -f $@
	$(call say,ar)
	$(Q)$(AR) rcs $@ $^

ARCHIVES = $(BUILD)/obj/libfront.a $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a

# link FLAGS, LIBRARIES: what a target is made of becomes a program or a shared library.
define link
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) $(BASE_CFLAGS) $(LDFLAGS) $(firstword $(COUNTED)) $(1) $(filter-out %.map,$^) $(2) -o $@
endef

# Its names have versions: those of a release stay as they are.
$(BUILD)/pinion.map: scripts/build/map.sh $(wildcard kernel/include/*.h tests/abi/*/include/*.h)
	@mkdir -p $(@D)
	$(call say,map)
	$(Q)CC='$(CC)' sh scripts/build/map.sh $@

$(BUILD)/libpinion.so: $(call object,$(KERNEL)) $(BUILD)/pinion.map
	$(call link,-shared -Wl$(,)-soname$(,)libpinion.so.1 -Wl$(,)--version-script=$(BUILD)/pinion.map)

$(BUILD)/pinion: $(call object,lua/program/main.c) $(ARCHIVES)
	$(call link,-Wl$(,)-E,$(LIBRARIES))

# The module for a stock lua5.4: LUA_PATH to lua/?/init.lua;lua/?.lua, LUA_CPATH to
# build/module/?.so. It takes Lua's own symbols from the interpreter.
$(BUILD)/module/pinion/core.so: $(call object,$(FRONT) $(SCRIPTS)) $(EMBEDDED) $(BUILD)/libpinion.a
	$(call link,-shared,$(shell $(PKG_CONFIG) --libs jansson zlib $(SQLITE)) -lm)

# ---- documents -----------------------------------------------------------------------------------

$(BUILD)/pinion.1: scripts/reference/man.lua $(BUILD)/pinion
	$(call say,man)
	$(Q)$(BUILD)/pinion run scripts/reference/man.lua >$@

$(BUILD)/api.md: scripts/reference/api.lua scripts/reference/luacats.lua $(META) $(BUILD)/pinion
	$(call say,api)
	$(Q)$(BUILD)/pinion run scripts/reference/api.lua $(META) >$@

$(BUILD)/completion/%: $(BUILD)/pinion
	@mkdir -p $(@D)
	$(call say,shell)
	$(Q)$(BUILD)/pinion completion $* >$@

# ---- tests ---------------------------------------------------------------------------------------

BENCHES = $(filter $(BUILD)/tests/bench/%,$(PROGRAMS))
benches: $(BENCHES)
programs: $(filter-out $(BENCHES),$(PROGRAMS)) $(MODULES:%.c=$(BUILD)/%.so)
programs: $(BUILD)/pinion $(HOSTS)

fuzz-targets: $(filter $(BUILD)/tests/fuzz/%,$(PROGRAMS))

# A faster linker, where the compiler has one: each test is a program.
LINKER = $(call once,LINKER,$(shell $(CC) -fuse-ld=gold -Wl$(,)--version >/dev/null 2>&1 && \
    echo -fuse-ld=gold))
$(PROGRAMS): $(BUILD)/%: $(BUILD)/obj/$$(subst /,_,$$*).o $(BUILD)/obj/libsupport.a $(ARCHIVES)
	$(call link,$(LINKER) -Wl$(,)--as-needed,$(LIBRARIES) -lcmocka)

$(MODULES:%.c=$(BUILD)/%.so): $(BUILD)/%.so: $(BUILD)/obj/$$(subst /,_,$$*).o
	$(call link,-shared,)

# Examples that tests run: hosts with real processes.
$(HOSTS): $(BUILD)/%: \
    $$(call object,$$(wildcard examples/$$*/*.c examples/common/*.c)) \
    $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a
	$(call link,,$(LIBRARIES))
