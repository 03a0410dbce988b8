# Pinion: what would this scheduler have done to this workload?
# `make demo` and `make test` set a fresh Debian machine up by themselves; see scripts/setup.sh.

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
OPT     ?= -O2
# SAN=1: with AddressSanitizer and UndefinedBehaviorSanitizer, every finding fatal.
SAN     ?=
# Seconds of random testing in `make test` (shared out over the random tests) and in `make soak`.
SECONDS_RANDOM ?= 90
SECONDS_SOAK   ?= 1800
JOBS           ?= $(shell nproc 2>/dev/null || echo 1)

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes
SANFLAGS = $(if $(SAN),-fsanitize=address$(,)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
, = ,
# DWARF 4: valgrind does not read the 5 of every compiler. Floating point is made strict in the sources: kernel/pn_strict.h.
CFLAGS_ALL = -std=c11 $(OPT) -gdwarf-4 $(WARN) $(SANFLAGS) -fno-math-errno $(CFLAGS)
KERNEL_CFLAGS = $(CFLAGS_ALL) -fPIC -fvisibility=hidden
PKG_CONFIG ?= pkg-config
# Expanded in recipes only, that is after setup.
HOST_CFLAGS = $(CFLAGS_ALL) -fPIC -D_POSIX_C_SOURCE=200809L -Ikernel $(shell $(PKG_CONFIG) --cflags lua5.4 jansson zlib)
HOST_LIBS = $(shell $(PKG_CONFIG) --libs lua5.4 jansson zlib) -lm
TEST_CFLAGS = $(CFLAGS_ALL) -Ikernel -Itests -DPN_TEST_DATA='"tests/data"' -DPN_TEST_VECTORS='"tests/vectors"'

KERNEL_SRC = $(sort $(wildcard kernel/*.c))
KERNEL_OBJ = $(KERNEL_SRC:%.c=$(BUILD)/%.o)
HEADERS    = $(wildcard kernel/*.h lua/*.h tests/*.h)
PUBLIC_HEADERS = kernel/pinion.h $(patsubst %,kernel/pn_%.h,base strict slotted tandem makespan scheduler cluster)
HOST_SRC   = $(filter-out lua/main.c lua/preload.c,$(sort $(wildcard lua/*.c)))
HOST_OBJ   = $(HOST_SRC:%.c=$(BUILD)/%.o) $(BUILD)/embedded_policies.o
LUA_POLICY_SRC = $(filter lua/sandbox%.c lua/lexact.c lua/exact_read.c lua/policy%.c $(patsubst %,lua/%_policy%.c,slotted tandem makespan cluster),$(HOST_SRC))
LUA_POLICY_OBJ = $(LUA_POLICY_SRC:%.c=$(BUILD)/%.o)
LUA_FILES  = $(sort $(wildcard lua/pinion/*.lua lua/pinion/*/*.lua))
POLICY_FILES = $(sort $(wildcard policies/*/*.lua))
VERSION    = $(shell sed -n 's/^.define PN_VERSION "\(.*\)"/\1/p' kernel/pn_base.h)

# V=1 shows whole commands.
Q = $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $@")

.DEFAULT_GOAL := help
.PHONY: all demo test soak bench papers lint asan man api install module install-module clean help setup-demo check
.DELETE_ON_ERROR:

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

all: $(BUILD)/pinion $(BUILD)/libpinion.a $(BUILD)/libpinion.so $(BUILD)/libpinion-lua.a module ## the program, the libraries and the Lua module

demo: all setup-demo ## compare schedulers on a Facebook-like workload: a table, build/demo/*.csv, build/demo/*.svg
	@$(BUILD)/pinion run examples/2_compare.lua $(BUILD)/demo

BENCHES = $(addprefix $(BUILD)/bench_,slotted tandem makespan cluster admission policies)

# First what has to be installed, then as many compilers as there are cores.
test: $(BUILD)/setup-build.stamp $(BUILD)/setup-test.stamp $(BUILD)/setup-32-bit.stamp setup-demo ## everything that must hold
	@$(MAKE) --no-print-directory -j$(JOBS) all check $(BENCHES)
	@BUILD=$(BUILD) CC="$(CC)" MAKE="$(MAKE)" SECONDS_RANDOM=$(SECONDS_RANDOM) bash scripts/test.sh

soak: all check $(BUILD)/setup-test.stamp ## the same for longer: 10^5 random instances and more, long fuzzing
	@BUILD=$(BUILD) CC="$(CC)" MAKE="$(MAKE)" SECONDS_SOAK=$(SECONDS_SOAK) bash scripts/soak.sh

bench: all $(BENCHES) ## speed and memory, as ratios against references in the same run; how near the bound policies of batches come
	@for bench in $(BENCHES); do $$bench || exit 1; done
	@$(BUILD)/pinion paper tian --only families --output $(BUILD)/bench --quiet

papers: all ## the papers' experiments: claims, reference, our numbers, verdicts; tables and figures in build/papers
	@$(BUILD)/pinion paper zheng --output $(BUILD)/papers/zheng
	@$(BUILD)/pinion paper lin --output $(BUILD)/papers/lin
	@$(BUILD)/pinion paper tian --output $(BUILD)/papers/tian
	@$(BUILD)/pinion paper hsrtf --output $(BUILD)/papers/hsrtf
	@$(BUILD)/pinion paper rtmr --output $(BUILD)/papers/rtmr

lint: ## static analysis with what is installed (cppcheck, clang-tidy, luacheck)
	@bash scripts/lint.sh

asan: ## the program and tests built with sanitizers, in build/asan
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan SAN=1 OPT=-O1 check

man: $(BUILD)/pinion.1 ## the manual page, made from the program's own help texts: build/pinion.1

api: $(BUILD)/api.md ## the library's reference, made from lua/meta/pinion.lua: build/api.md

install: all man api ## into $(DESTDIR)$(PREFIX)
	@BUILD=$(BUILD) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) VERSION=$(VERSION) sh scripts/install.sh

# For the rockspec: the module alone, its Lua files into $(LUADIR), core.so into $(LIBDIR).
module: $(BUILD)/module/pinion/core.so

install-module: module
	@BUILD=$(BUILD) LUADIR="$(LUADIR)" LIBDIR="$(LIBDIR)" sh scripts/install.sh module

clean: ## remove build/
	rm -rf $(BUILD)

# ---- what has to be installed -------------------------------------------------------------------------

$(BUILD)/setup-%.stamp: scripts/setup.sh
	@mkdir -p $(BUILD)
	@sh scripts/setup.sh $*
	@touch $@

# Figures are worth having, but no reason to fail.
setup-demo: $(BUILD)/setup-build.stamp
	@sh scripts/setup.sh figures

# ---- kernel -------------------------------------------------------------------------------------------

$(BUILD)/kernel/%.o: kernel/%.c $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(CC) $(KERNEL_CFLAGS) -c $< -o $@

$(BUILD)/libpinion.a: $(KERNEL_OBJ)
	@rm -f $@
	$(call say,ar)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/libpinion.so: $(KERNEL_OBJ)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -shared -Wl,-soname,libpinion.so.0 $^ -o $@

# ---- the program and the Lua module -------------------------------------------------------------------

$(BUILD)/embed: scripts/embed.c
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) -std=c11 -O1 $(WARN) $< -o $@

$(BUILD)/embedded.c: $(BUILD)/embed $(LUA_FILES) $(BUILD)/setup-build.stamp
	$(call say,embed)
	$(Q)$(BUILD)/embed $@ embedded_files $(foreach f,$(LUA_FILES),$(call module_name,$(f))=$(f)) argparse=$$(sh scripts/setup.sh argparse-path)

$(BUILD)/embedded_policies.c: $(BUILD)/embed $(POLICY_FILES)
	$(call say,embed)
	$(Q)$(BUILD)/embed $@ embedded_policies $(foreach f,$(POLICY_FILES),$(subst /,.,$(basename $(f)))=$(f))

module_name = $(subst /,.,$(patsubst lua/%.lua,%,$(patsubst %/init.lua,%.lua,$(1))))

$(BUILD)/lua/%.o: lua/%.c $(HEADERS) Makefile | $(BUILD)/setup-build.stamp
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(CC) $(HOST_CFLAGS) -c $< -o $@

$(BUILD)/embedded.o $(BUILD)/embedded_policies.o: %.o: %.c lua/embedded.h
	$(call say,cc)
	$(Q)$(CC) $(HOST_CFLAGS) -Ilua -c $< -o $@

# Policies in Lua for C programs that have no use for the rest of the front end.
$(BUILD)/libpinion-lua.a: $(LUA_POLICY_OBJ)
	@rm -f $@
	$(call say,ar)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/pinion: $(BUILD)/lua/main.o $(BUILD)/lua/preload.o $(BUILD)/embedded.o $(HOST_OBJ) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -Wl,-E $^ $(HOST_LIBS) -o $@

# The module for a stock lua5.4: LUA_PATH to lua/?/init.lua;lua/?.lua, LUA_CPATH to build/module/?.so. It takes Lua's own symbols from the interpreter.
$(BUILD)/module/pinion/core.so: $(HOST_OBJ) $(BUILD)/libpinion.a
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -shared $^ $(shell $(PKG_CONFIG) --libs jansson zlib) -lm -o $@

# ---- documents ----------------------------------------------------------------------------------------

$(BUILD)/pinion.1: scripts/man.lua $(BUILD)/pinion
	$(call say,man)
	$(Q)$(BUILD)/pinion run scripts/man.lua >$@

$(BUILD)/api.md: scripts/api.lua scripts/luacats.lua lua/meta/pinion.lua $(BUILD)/pinion
	$(call say,api)
	$(Q)$(BUILD)/pinion run scripts/api.lua lua/meta/pinion.lua >$@

# ---- tests --------------------------------------------------------------------------------------------

UNIT = $(filter-out $(LUA_UNIT) test_sources,$(patsubst tests/%.c,%,$(sort $(wildcard tests/test_*.c))))
# Tests of what surrounds policies written in Lua: they link the sandbox, without the rest of the front end.
LUA_UNIT = random_twins random_tandem_twins random_makespan_twins random_cluster_twins $(patsubst tests/%.c,%,$(sort $(wildcard tests/test_sandbox*.c tests/test_lua_*.c)))
SHARED_TEST_OBJ = $(addprefix $(BUILD)/tests/,naive_slotted.o naive_slotted_bounds.o instance.o naive_tandem.o naive_tandem_policies.o naive_tandem_bounds.o tandem_instance.o \
    naive_makespan.o naive_makespan_fraction.o naive_makespan_policies.o naive_makespan_bounds.o makespan_instance.o \
    naive_cluster.o naive_cluster_build.o naive_cluster_deadlines.o naive_cluster_forecast.o naive_cluster_hsrtf.o naive_cluster_policies.o naive_cluster_record.o cluster_instance.o cluster_instance_run.o cluster_instance_shrink.o)
PROGRAMS = random_slotted random_tandem random_makespan random_cluster random_deadlines random_damage random_fickle digests

check: $(BUILD)/setup-test.stamp $(addprefix $(BUILD)/tests/,$(UNIT) $(LUA_UNIT) test_sources $(PROGRAMS) replay_calls replay_tandem replay_makespan replay_cluster replay_json replay_policy) $(BUILD)/pinion $(BUILD)/mapreduce
-include tests/fuzz.mk

$(BUILD)/tests/%.o: tests/%.c $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(CC) $(TEST_CFLAGS) -c $< -o $@

$(addprefix $(BUILD)/tests/,$(UNIT)): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(SHARED_TEST_OBJ) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $^ $(TEST_LIBS) -lcmocka -lm -o $@

VECTOR_TESTS = $(addprefix $(BUILD)/tests/test_,tandem_vectors makespan_vectors cluster_vectors)
$(VECTOR_TESTS:%=%.o): TEST_CFLAGS += $(shell $(PKG_CONFIG) --cflags jansson)
$(VECTOR_TESTS:%=%.o): | $(BUILD)/setup-build.stamp
$(VECTOR_TESTS): TEST_LIBS = $(shell $(PKG_CONFIG) --libs jansson)

LUA_TEST_OBJ = $(addprefix $(BUILD)/tests/,pairs.o tandem_pairs.o makespan_pairs.o cluster_pairs.o)
$(LUA_TEST_OBJ) $(LUA_UNIT:%=$(BUILD)/tests/%.o): TEST_CFLAGS += -D_POSIX_C_SOURCE=200809L -Ilua $(shell $(PKG_CONFIG) --cflags lua5.4)
$(LUA_TEST_OBJ) $(LUA_UNIT:%=$(BUILD)/tests/%.o): | $(BUILD)/setup-build.stamp
$(addprefix $(BUILD)/tests/,$(LUA_UNIT)): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(LUA_TEST_OBJ) $(SHARED_TEST_OBJ) $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ $(shell $(PKG_CONFIG) --libs lua5.4) -lcmocka -lm -o $@

# Sources of jobs, without the rest of the front end.
SOURCE_OBJ = $(addprefix $(BUILD)/lua/,distribution.o exact_read.o interrupt.o $(patsubst %,source_%.o,batch blocks cluster_table deadlines error facebook lin makespan_table rtmr table tandem_table))
$(BUILD)/tests/test_sources.o: TEST_CFLAGS += -Ilua
$(BUILD)/tests/test_sources: $(BUILD)/tests/test_sources.o $(SOURCE_OBJ) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $^ -lcmocka -lm -o $@

$(BUILD)/tests/random_damage: $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/damage_*.c))

$(addprefix $(BUILD)/tests/,$(PROGRAMS)): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(SHARED_TEST_OBJ) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(filter %.o,$^) $(filter %.a,$^) -o $@

# An example that a test runs: MapReduce with real processes.
MAPREDUCE = $(sort $(wildcard examples/13_mapreduce/*.c))
$(BUILD)/mapreduce: $(MAPREDUCE) examples/13_mapreduce/mapreduce.h $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a $(HEADERS)
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -Ikernel -Ilua $(MAPREDUCE) $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a $(shell $(PKG_CONFIG) --libs lua5.4) -lm -o $@

$(BUILD)/bench_slotted $(BUILD)/bench_tandem $(BUILD)/bench_makespan $(BUILD)/bench_cluster $(BUILD)/bench_admission: $(BUILD)/%: tests/%.c $(BUILD)/libpinion.a $(HEADERS)
	$(call say,link)
	$(Q)$(CC) $(TEST_CFLAGS) $< $(BUILD)/libpinion.a -lm -o $@

$(BUILD)/bench_policies: tests/bench_policies.c $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a $(HEADERS)
	$(call say,link)
	$(Q)$(CC) $(TEST_CFLAGS) -D_POSIX_C_SOURCE=200809L -Ilua $< $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a $(shell $(PKG_CONFIG) --libs lua5.4) -lm -o $@
