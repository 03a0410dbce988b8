# Fuzz targets. `make replay` needs any compiler and runs the saved corpora; `make fuzz` builds the targets for libFuzzer and needs clang.

FUZZ_CC    ?= clang
FUZZ_FLAGS  = -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: replay fuzz

$(BUILD)/tests/replay.o: TEST_CFLAGS += -D_POSIX_C_SOURCE=200809L
$(BUILD)/tests/fuzz_json.o: TEST_CFLAGS += $(shell $(PKG_CONFIG) --cflags lua5.4)
$(BUILD)/tests/fuzz_policy.o: TEST_CFLAGS += -Ilua $(shell $(PKG_CONFIG) --cflags lua5.4)
$(BUILD)/tests/fuzz_json.o $(BUILD)/tests/fuzz_policy.o: | $(BUILD)/setup-build.stamp

$(BUILD)/tests/replay_calls: $(addprefix $(BUILD)/tests/,replay.o fuzz_calls.o) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -o $@

$(BUILD)/tests/replay_tandem: $(addprefix $(BUILD)/tests/,replay.o fuzz_tandem.o) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -o $@

$(BUILD)/tests/replay_makespan: $(addprefix $(BUILD)/tests/,replay.o fuzz_makespan.o) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -o $@

$(BUILD)/tests/replay_cluster: $(addprefix $(BUILD)/tests/,replay.o fuzz_cluster.o) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -o $@

$(BUILD)/tests/replay_json: $(addprefix $(BUILD)/tests/,replay.o fuzz_json.o) $(BUILD)/lua/preload.o $(BUILD)/embedded.o $(HOST_OBJ) $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ $(HOST_LIBS) -o $@

$(BUILD)/tests/replay_policy: $(addprefix $(BUILD)/tests/,replay.o fuzz_policy.o) $(BUILD)/libpinion-lua.a $(BUILD)/libpinion.a
	$(call say,link)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ $(shell $(PKG_CONFIG) --libs lua5.4) -lm -o $@

replay: $(addprefix $(BUILD)/tests/,replay_calls replay_tandem replay_makespan replay_cluster replay_json replay_policy)
	@$(BUILD)/tests/replay_calls tests/corpus/calls
	@$(BUILD)/tests/replay_tandem tests/corpus/tandem
	@$(BUILD)/tests/replay_makespan tests/corpus/makespan
	@$(BUILD)/tests/replay_cluster tests/corpus/cluster
	@$(BUILD)/tests/replay_json tests/corpus/json
	@$(BUILD)/tests/replay_policy tests/corpus/policy policies/slotted policies/tandem policies/makespan policies/cluster tests/policies

fuzz: $(BUILD)/fuzz_calls $(BUILD)/fuzz_tandem $(BUILD)/fuzz_makespan $(BUILD)/fuzz_cluster $(BUILD)/fuzz_json $(BUILD)/fuzz_policy

# Kernel and front end are compiled again, because coverage has to be counted inside them.
$(BUILD)/fuzz_calls $(BUILD)/fuzz_tandem $(BUILD)/fuzz_makespan $(BUILD)/fuzz_cluster: $(BUILD)/%: tests/%.c $(KERNEL_SRC) $(HEADERS)
	@mkdir -p $(@D)
	$(call say,fuzz)
	$(Q)$(FUZZ_CC) $(TEST_CFLAGS) -O1 $(FUZZ_FLAGS) $< $(KERNEL_SRC) -o $@

$(BUILD)/fuzz_json: tests/fuzz_json.c lua/preload.c $(BUILD)/embedded.c $(BUILD)/embedded_policies.c $(HOST_SRC) $(KERNEL_SRC) $(HEADERS)
	$(call say,fuzz)
	$(Q)$(FUZZ_CC) $(HOST_CFLAGS) -Itests -Ilua -O1 $(FUZZ_FLAGS) tests/fuzz_json.c lua/preload.c $(BUILD)/embedded.c $(BUILD)/embedded_policies.c $(HOST_SRC) $(KERNEL_SRC) $(HOST_LIBS) -o $@

$(BUILD)/fuzz_policy: tests/fuzz_policy.c $(LUA_POLICY_SRC) $(KERNEL_SRC) $(HEADERS) | $(BUILD)/setup-build.stamp
	@mkdir -p $(@D)
	$(call say,fuzz)
	$(Q)$(FUZZ_CC) $(HOST_CFLAGS) -Itests -Ilua -O1 $(FUZZ_FLAGS) tests/fuzz_policy.c $(LUA_POLICY_SRC) $(KERNEL_SRC) $(HOST_LIBS) -o $@
