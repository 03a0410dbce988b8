"""The constants, structs and functions of kernel/include for ctypes, made by
scripts/build/declarations.py; the headers document them."""
from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_ubyte,
    c_uint, c_uint16, c_uint32, c_uint64, c_uint8, c_void_p)

PN_VERSION = '0.8.0'
PN_INTEGER_MAX = 9007199254740992
PN_BLOCK_ALIGN = 8
PN_OK = 0
PN_DONE = 1
PN_PAUSED = 2
PN_ERR_ARGUMENT = -1
PN_ERR_CONFIG = -2
PN_ERR_SIZE = -3
PN_ERR_ALIGN = -4
PN_ERR_FULL = -5
PN_ERR_LATE = -6
PN_ERR_ORDER = -7
PN_ERR_JOB = -8
PN_ERR_BUSY = -9
PN_ERR_POLICY = -10
PN_ERR_MODE = -11
PN_ERR_INFEASIBLE = -12
PN_ERR_OVERFLOW = -13
PN_ERR_BLOCK = -14
PN_ERR_REJECTED = -15
PN_ERR_STOPPED = -16
PN_ERR_DAMAGED = -17
PN_ERR_STALE = -18
PN_ERR_SEAL = -19
PN_ERR_VERSION = -20
PN_ERR_ROUNDING = -21
PN_ERR_SUBNORMAL = -22
PN_ERR_CONTRACTED = -23
PN_ERR_ARITHMETIC = -24
PN_MIX_START = 11400714819323198485
PN_PARAMS_MAX = 32
PN_ATTRIBUTES_MAX = 8
PN_KEY_ORDER = 0
PN_KEY_NONE = 1
PN_KEY_WHOLE = 2
PN_KEY_FALLING = 3
PN_KEY_WIDE = 4
PN_KEY_SIGNED = 5
PN_KEY_REAL = 6
PN_KEY_SHARE = 7
PN_KEY_PRIORITY = 8
PN_KEY_RANK = 9
PN_NO_JOB = 4294967295
PN_LOGNORMAL_RATIO_MOST = 1e+150
PN_STATS_CELLS_PER_OCTAVE = 64
PN_ALL_GROUPS = 4294967295
PN_BATCHES_MAX = 64
PN_SCHEDULER_MAP = 0
PN_SCHEDULER_REDUCE = 1
PN_SCHEDULER_SLOWSTART = 0
PN_SCHEDULER_AFTER_MAPS = 1
PN_SCHEDULER_WEIGHT_MOST = 1000000
PN_SCHEDULER_PRIORITY_MOST = 1000000
PN_SCHEDULER_UNFINISHED = 0
PN_SCHEDULER_FINISHED = 1
PN_SCHEDULER_FAILED = 2
PN_SCHEDULER_REJECTED = 3
PN_SCHEDULER_CANCELLED = 4
PN_SCHEDULER_NEVER = 18446744073709551615
PN_SCHEDULER_ACCEPT = 1
PN_SCHEDULER_REJECT = 2
PN_SCHEDULER_LAUNCH = 3
PN_SCHEDULER_END = 4
PN_SCHEDULER_KILL = 5
PN_SCHEDULER_FAIL = 6
PN_SCHEDULER_LOSE = 7
PN_SCHEDULER_DROP = 8
PN_SCHEDULER_RERUN = 9
PN_SCHEDULER_NODE_DOWN = 10
PN_SCHEDULER_NODE_UP = 11
PN_SCHEDULER_JOB_FINISH = 12
PN_SCHEDULER_JOB_FAIL = 13
PN_SCHEDULER_LATE = 14
PN_SCHEDULER_SUSPEND = 15
PN_SCHEDULER_RESUME = 16
PN_SCHEDULER_CANCEL = 17
PN_SCHEDULER_JOB_CANCEL = 18
PN_SCHEDULER_NODE_RESIZE = 19
PN_SCHEDULER_NO_TICKS = 0
PN_SCHEDULER_LAST_TICK = 1
PN_SCHEDULER_EVERY_TICK = 2
PN_SCHEDULER_NO_ATTEMPT = 4294967295
PN_SCHEDULER_MAKESPANS = 0
PN_SCHEDULER_WAITINGS = 1
PN_SCHEDULER_EXECUTIONS = 2
PN_DISPATCH_RESOURCES_MAX = 4
PN_DISPATCH_DEMAND_MOST = 1099511627776
PN_DISPATCH_CAPACITY_MOST = 1125899906842624
PN_DISPATCH_ESTIMATE_MOST = 9007199254740992
PN_DISPATCH_STAGES_MOST = 65536
PN_DISPATCH_EDGES_MOST = 1048576
PN_DISPATCH_TASKS_MOST = 1048576
PN_DISPATCH_WEIGHT_MOST = 1000000
PN_DISPATCH_PRIORITY_MOST = 1000000
PN_DISPATCH_NEVER = 18446744073709551615
PN_DISPATCH_FIRST = 0
PN_DISPATCH_BEST = 1
PN_DISPATCH_SPREAD = 2
PN_DISPATCH_DEPTH = 0
PN_DISPATCH_INDEX = 1
PN_DISPATCH_WORK = 2
PN_DISPATCH_READY = 3
PN_DISPATCH_EXECUTORS_NONE = 0
PN_DISPATCH_EXECUTORS_FREE = 1
PN_DISPATCH_EXECUTORS_STICKY = 2
PN_DISPATCH_UNFINISHED = 0
PN_DISPATCH_FINISHED = 1
PN_DISPATCH_CANCELLED = 2
PN_DISPATCH_ARRIVE = 1
PN_DISPATCH_LAUNCH = 2
PN_DISPATCH_END = 3
PN_DISPATCH_KILL = 4
PN_DISPATCH_FAIL = 5
PN_DISPATCH_LOSE = 6
PN_DISPATCH_DROP = 7
PN_DISPATCH_NODE_DOWN = 8
PN_DISPATCH_NODE_UP = 9
PN_DISPATCH_JOB_FINISH = 10
PN_DISPATCH_JOB_CANCEL = 11
PN_DISPATCH_NODE_RESIZE = 12
PN_DISPATCH_MOVE = 13
PN_DISPATCH_KEYS_FIXED = 0
PN_DISPATCH_KEYS_STAGES = 1
PN_DISPATCH_KEYS_SERVED = 2
PN_DISPATCH_KEYS_USED = 3
PN_DISPATCH_KEYS_TIMED = 4
PN_DISPATCH_KEYS_GROWING = 5
PN_DISPATCH_NO_STAGE = 4294967295
PN_DISPATCH_NO_ATTEMPT = 4294967295
PN_FIELD_SIGNED = 65535
PN_SCHEDULER_IN_END = 0
PN_SCHEDULER_IN_SUBMIT = 1
PN_SCHEDULER_IN_ASK = 2
PN_SCHEDULER_IN_NODE_UP = 3
PN_SCHEDULER_IN_NODE_DOWN = 4
PN_SCHEDULER_IN_OFFER = 5
PN_SCHEDULER_IN_STARTED = 6
PN_SCHEDULER_IN_FINISHED = 7
PN_SCHEDULER_IN_FAILED = 8
PN_SCHEDULER_IN_WAKE = 9
PN_SCHEDULER_IN_TICK = 10
PN_SCHEDULER_IN_PROGRESS = 11
PN_SCHEDULER_IN_FETCHED = 12
PN_SCHEDULER_IN_CANCEL = 13
PN_SCHEDULER_IN_RESIZE = 14
PN_SCHEDULER_PART_CONFIG = 0
PN_SCHEDULER_PART_NODES = 1
PN_SCHEDULER_PART_JOB = 2
PN_SCHEDULER_PART_INPUT = 3
PN_DISPATCH_IN_END = 0
PN_DISPATCH_IN_SUBMIT = 1
PN_DISPATCH_IN_NODE_UP = 2
PN_DISPATCH_IN_NODE_DOWN = 3
PN_DISPATCH_IN_FINISHED = 4
PN_DISPATCH_IN_FAILED = 5
PN_DISPATCH_IN_CANCEL = 6
PN_DISPATCH_IN_TICK = 7
PN_DISPATCH_IN_RUN = 8
PN_DISPATCH_IN_RESIZE = 9
PN_DISPATCH_PART_CONFIG = 0
PN_DISPATCH_PART_NODES = 1
PN_DISPATCH_PART_QUEUE = 2
PN_DISPATCH_PART_JOB = 3
PN_DISPATCH_PART_STAGE = 4
PN_DISPATCH_PART_INPUT = 5
PN_SCHEDULER_KEYS_ON_ARRIVAL = 0
PN_SCHEDULER_KEYS_SERVED = 1
PN_SCHEDULER_KEYS_PLANNED = 2
PN_SCHEDULER_KEYS_TIMED = 3
PN_SCHEDULER_SHARES_NONE = 0
PN_SCHEDULER_SHARES_CONSERVING = 1
PN_SCHEDULER_SHARES_STRICT = 2
PN_SCHEDULER_FINISHES_NONE = 0
PN_SCHEDULER_FINISHES_FORECAST = 1
PN_SCHEDULER_FINISHES_RECORDED = 2
PN_SCHEDULER_RESERVE_NONE = 0
PN_SCHEDULER_RESERVE_ALL = 1
PN_SCHEDULER_RESERVE_LESS = 2
PN_SCHEDULER_RESERVE_STRICT = 3
PN_SCHEDULER_ON_ARRIVAL = 0
PN_SCHEDULER_ON_TICK = 1
PN_SCHEDULER_ON_FINISH = 2
PN_SCHEDULER_NO_SHARE = 4294967295
PN_CLUSTER_MOST_MS = 1099511627776
PN_CLUSTER_AUTO = 18446744073709551615
PN_CLUSTER_FACTOR_MOST = 1073741824
PN_CLUSTER_FOREVER = 18446744073709551615
PN_DAG_MOST_MS = 1099511627776
PN_DAG_FACTOR_MOST = 1000000
PN_DAG_AUTO = 18446744073709551615
PN_DAG_FOREVER = 18446744073709551615
PN_DAG_JCTS = 0
PN_DAG_WAITINGS = 1
PN_DAG_SLOWDOWNS = 2
PN_MAKESPAN_MOST = 4611686018427387904
PN_MAKESPAN_MAP = 0
PN_MAKESPAN_REDUCE = 1
PN_MAKESPAN_STAGES = 0
PN_MAKESPAN_TASKS = 1
PN_MAKESPAN_TIME_DEFAULT = 0
PN_MAKESPAN_GIVEN = 1
PN_MAKESPAN_WAVES_REQUESTED = 2
PN_MAKESPAN_WAVES = 3
PN_MAKESPAN_CAPPED = 4
PN_MAKESPAN_FLUID = 5
PN_MAKESPAN_SHARE_DEFAULT = 0
PN_MAKESPAN_CONSERVING = 1
PN_MAKESPAN_EXCLUSIVE = 2
PN_MAKESPAN_CAP_DEFAULT = 0
PN_MAKESPAN_CAP_NONE = 1
PN_MAKESPAN_CAP_REQUESTED = 2
PN_MAKESPAN_TASK_ORDER_DEFAULT = 0
PN_MAKESPAN_LISTED = 1
PN_MAKESPAN_LPT = 2
PN_MAKESPAN_SLOTS_MOST = 16777216
PN_MAKESPAN_START_MAP = 1
PN_MAKESPAN_START_REDUCE = 2
PN_MAKESPAN_FINISH = 3
PN_MAKESPAN_FOREVER = 18446744073709551615
PN_MAKESPAN_ALG21 = 0
PN_MAKESPAN_MKJR = 1
PN_MAKESPAN_SEQUENCE_MAX = 1024
PN_SEAL_SIZE = 40
PN_SEAL_FORMAT = 1
PN_SLOTTED_PREEMPTIVE = 0
PN_SLOTTED_NONPREEMPTIVE = 1
PN_SLOTTED_BOUNDS_NONE = 0
PN_SLOTTED_BOUNDS_FAST = 1
PN_SLOTTED_MACHINES_MOST = 16777216
PN_SLOTTED_ESTIMATE_ZERO = 18446744073709551615
PN_SLOTTED_MAP = 1
PN_SLOTTED_REDUCE = 2
PN_SLOTTED_START = 3
PN_SLOTTED_FINISH = 4
PN_SLOTTED_FOREVER = 18446744073709551615
PN_SLOTTED_CHANGES_WHEN_SERVED = 0
PN_SLOTTED_CHANGES_ON_ARRIVAL = 1
PN_SLOTTED_CHANGES_WITH_TIME = 2
PN_SLOTTED_CHANGES_ON_TICK = 3
PN_SLOTTED_WITH_MAPS = 1
PN_SLOTTED_WITH_REDUCES = 2
PN_SLOTTED_WITH_RUNNING = 4
PN_SLOTTED_WITH_LOAD = 8
PN_SLOTTED_SHADOW_NONE = 0
PN_SLOTTED_SHADOW_ESTIMATES = 1
PN_SLOTTED_SHADOW_TRUTH = 2
PN_SLOTTED_LOAD_SLOT = 0
PN_SLOTTED_LOAD_CUMULATIVE = 1
PN_SLOTTED_ORDERS_MAX = 4
PN_SLOTTED_ALL_IDLE = 18446744073709551615
PN_TANDEM_LEAST = 8.636168555094445e-78
PN_TANDEM_MOST = 1.157920892373162e+77
PN_TANDEM_NEVER = 1.7976931348623157e+308
PN_TANDEM_BOUNDS_NONE = 0
PN_TANDEM_BOUNDS_FAST = 1
PN_TANDEM_BOUNDS_TIGHT = 2
PN_TANDEM_ESTIMATE_ZERO = -1.0
PN_TANDEM_RATES = 1
PN_TANDEM_FINISH = 2
PN_TANDEM_FOREVER = -1.0
PN_TANDEM_ARRIVAL = -2.0
PN_TANDEM_WHEN_SERVED = 0
PN_TANDEM_ON_ARRIVAL = 1
PN_TANDEM_AT_INSTANTS = 2
PN_TANDEM_MAPPING = 1
PN_TANDEM_BACKLOG = 2
PN_TANDEM_PRESENT = 4
PN_TANDEM_FIRST = 0
PN_TANDEM_STRICT = 1
PN_TANDEM_SHARE = 2
PN_TANDEM_RIGID = 3
PN_TANDEM_ORDERS_MAX = 6
PN_TANDEM_NO_PROMISE = 0
PN_TANDEM_WORK_CONSERVING = 1
PN_TANDEM_WORK_CONSERVING_BY_DEFAULT = 2
PN_TIMELINE_INTEGER = 0
PN_TIMELINE_REAL = 1
PN_TIMELINE_BUCKETS_MAX = 1048576
PN_TIMELINE_SERIES_MAX = 64


class pn_dispatch_view(c_void_p):
    pass


class pn_scheduler_view(c_void_p):
    pass


class pn_makespan_view(c_void_p):
    pass


class pn_slotted_view(c_void_p):
    pass


class pn_tandem_view(c_void_p):
    pass


class pn_scheduler(c_void_p):
    pass


class pn_dispatch(c_void_p):
    pass


class pn_cluster(c_void_p):
    pass


class pn_cluster_verifier(c_void_p):
    pass


class pn_dag(c_void_p):
    pass


class pn_dag_verifier(c_void_p):
    pass


class pn_makespan(c_void_p):
    pass


class pn_makespan_verifier(c_void_p):
    pass


class pn_slotted(c_void_p):
    pass


class pn_slotted_verifier(c_void_p):
    pass


class pn_tandem(c_void_p):
    pass


class pn_tandem_verifier(c_void_p):
    pass


class pn_timeline(c_void_p):
    pass


class pn_exact(Structure):
    _fields_ = [
        ("num", c_int64), ("den", c_int64)]


class pn_wide(Structure):
    _fields_ = [
        ("high", c_uint64), ("low", c_uint64)]


class pn_param(Structure):
    _fields_ = [
        ("name", c_char_p), ("value", c_double), ("low", c_double), ("high", c_double),
        ("names", POINTER(c_char_p)), ("integer", c_uint8), ("doc", c_char_p)]


class pn_rule(Structure):
    _fields_ = [
        ("name", c_char_p), ("names", POINTER(c_char_p)), ("automatic", c_char_p),
        ("absent", c_char_p), ("source", c_char_p), ("doc", c_char_p), ("rank", c_uint16),
        ("later", c_uint8)]


class pn_setting(Structure):
    _fields_ = [
        ("range", c_char_p), ("rule", POINTER(pn_rule)), ("low", c_uint32), ("value", c_uint32),
        ("high", c_uint64), ("offset", c_uint16), ("size", c_uint8), ("automatic", c_uint8)]


class pn_key(Structure):
    _fields_ = [
        ("word", c_uint64 * 2)]


class pn_key_part(Structure):
    _fields_ = [
        ("name", c_char_p), ("names", POINTER(c_char_p)), ("orders", c_char_p), ("unit", c_double),
        ("base", c_uint64), ("form", c_uint8), ("word", c_uint8), ("shift", c_uint8),
        ("bits", c_uint8), ("alone", c_uint8), ("choice", c_uint8)]


class pn_ranked(Structure):
    _fields_ = [
        ("id", c_uint64), ("key", pn_key), ("rank", c_uint32), ("queue", c_uint32),
        ("priority", c_int32), ("unused", c_uint32)]


class pn_stream(Structure):
    _fields_ = [
        ("key", c_uint32 * 2), ("counter", c_uint32 * 4), ("block", c_uint32 * 4),
        ("used", c_uint32)]


class pn_stats(Structure):
    _fields_ = [
        ("count", c_uint64), ("mean", c_double), ("squares", c_double), ("min", c_double),
        ("max", c_double), ("first_octave", c_int32), ("octaves", c_uint32), ("integer", c_uint32),
        ("unused", c_uint32)]


class pn_batches(Structure):
    _fields_ = [
        ("size", c_uint64), ("filled", c_uint64), ("sum", c_double), ("count", c_uint32),
        ("unused", c_uint32), ("mean", c_double * 64)]


class pn_policy_about(Structure):
    _fields_ = [
        ("name", c_char_p), ("summary", c_char_p), ("source", c_char_p),
        ("params", POINTER(pn_param)), ("keys", POINTER(pn_key_part)), ("param_count", c_uint8)]


class pn_model(Structure):
    _fields_ = [
        ("name", c_char_p), ("config_size", c_size_t), ("totals_size", c_size_t),
        ("setting_at", CFUNCTYPE(POINTER(pn_setting), c_size_t)),
        ("defaults", CFUNCTYPE(None, c_void_p)), ("check", CFUNCTYPE(c_char_p, c_void_p)),
        ("size", CFUNCTYPE(c_size_t, c_void_p)),
        ("init", CFUNCTYPE(c_int, POINTER(c_void_p), c_void_p, c_size_t, c_void_p)),
        ("open", CFUNCTYPE(c_int, POINTER(c_void_p), c_void_p, c_size_t)),
        ("block_size", CFUNCTYPE(c_size_t, c_void_p)),
        ("validate", CFUNCTYPE(c_int, c_void_p, c_size_t)),
        ("configured", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("digest", CFUNCTYPE(c_uint64, c_void_p)), ("totals", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("policy_name", CFUNCTYPE(c_char_p, c_void_p)),
        ("policy_at", CFUNCTYPE(c_void_p, c_size_t)),
        ("policy_find", CFUNCTYPE(c_void_p, c_char_p)),
        ("policy_about", CFUNCTYPE(pn_policy_about, c_void_p)),
        ("submit", CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_uint64))),
        ("step", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("finish", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("statistics", CFUNCTYPE(POINTER(pn_stats), c_void_p, c_uint32))]


class pn_scheduler_nodes(Structure):
    _fields_ = [
        ("count", c_uint32), ("map_slots", c_uint32), ("reduce_slots", c_uint32),
        ("speed", c_uint32)]


class pn_scheduler_policy(Structure):
    pass


class pn_scheduler_config(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("nodes", POINTER(pn_scheduler_nodes)),
        ("nodes_count", c_uint32), ("nodes_down", c_uint32), ("jobs_max", c_uint32),
        ("tasks_max", c_uint32), ("replicas_max", c_uint32), ("replicas_of_map", c_uint32),
        ("groups_max", c_uint32), ("statistics", c_uint32), ("warmup_jobs", c_uint64),
        ("warmup_ms", c_uint64), ("replica", c_uint32), ("seed", c_uint64),
        ("reduce_start", c_uint32), ("slowstart_permille", c_uint32), ("maps_per_offer", c_uint32),
        ("attempts_max", c_uint32), ("max_kills", c_uint32), ("locality_delay_ms", c_uint64),
        ("default_task_ms", c_uint64), ("input_ratio_permille", c_uint32),
        ("extra_ms", c_uint64 * 2), ("policy", POINTER(pn_scheduler_policy)),
        ("attributes", c_uint64), ("suspended_max", c_uint32), ("copies", c_uint32),
        ("nodes_absent", c_uint32), ("running_most", c_uint64), ("suspensions_max", c_uint64)]


class pn_scheduler_job(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("maps", c_uint32), ("reduces", c_uint32),
        ("replicas", CFUNCTYPE(c_uint32, c_void_p, c_uint32, POINTER(c_uint32), c_uint32)),
        ("where", c_void_p), ("deadline", c_uint64), ("est_ms", c_uint64 * 2), ("input", c_uint64),
        ("intermediate", c_uint64), ("tag", c_uint64), ("group", c_uint32),
        ("attributes", POINTER(c_double)), ("weight", c_uint32), ("priority", c_int32)]


class pn_scheduler_task(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("id", c_uint64), ("tag", c_uint64), ("start", c_uint64),
        ("token", c_uint64), ("kind", c_uint32), ("task", c_uint32), ("attempt", c_uint32),
        ("node", c_uint32), ("local", c_uint32), ("place", c_uint32), ("input_complete", c_uint32),
        ("unused", c_uint32)]


class pn_scheduler_record(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("id", c_uint64), ("tag", c_uint64), ("submit", c_uint64),
        ("first_map_start", c_uint64), ("map_finish", c_uint64), ("first_reduce_start", c_uint64),
        ("finish", c_uint64), ("deadline", c_uint64), ("promise", c_uint64), ("slot_ms", c_uint64),
        ("maps", c_uint32), ("reduces", c_uint32), ("local_maps", c_uint32),
        ("colocated_reduces", c_uint32), ("kills", c_uint32), ("state", c_uint32),
        ("group", c_uint32), ("attributes", POINTER(c_double)), ("suspensions", c_uint32),
        ("copies", c_uint32), ("copies_won", c_uint32), ("unused", c_uint32)]


class pn_scheduler_event(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("id", c_uint64), ("tag", c_uint64),
        ("event", c_uint32), ("kind", c_uint32), ("task", c_uint32), ("node", c_uint32),
        ("attempt", c_uint32), ("place", c_uint32), ("estimate", c_uint64), ("deadline", c_uint64),
        ("blocker", c_uint64), ("slots", c_uint32 * 2)]


class pn_scheduler_input(Structure):
    pass


class pn_scheduler_hooks(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("policy", POINTER(pn_scheduler_policy)),
        ("params", POINTER(c_double)),
        ("launch", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_task))),
        ("kill", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_task))),
        ("suspend", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_task))),
        ("resume", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_task))),
        ("wake_at", CFUNCTYPE(None, c_void_p, c_uint64)),
        ("progress", CFUNCTYPE(c_uint32, c_void_p, POINTER(pn_scheduler_task))),
        ("fetched", CFUNCTYPE(c_int, c_void_p, POINTER(pn_scheduler_task))),
        ("on_finish", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_record))),
        ("on_event", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_event))), ("user", c_void_p),
        ("policy_user", c_void_p),
        ("input_changed", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_task))),
        ("on_input", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_input)))]


class pn_scheduler_answer(Structure):
    _fields_ = [
        ("id", c_uint64), ("accepted", c_uint32), ("unused", c_uint32), ("estimate", c_uint64),
        ("deadline", c_uint64), ("blocker", c_uint64), ("later", c_uint64 * 2)]


class pn_scheduler_progress(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("maps", c_uint32), ("maps_done", c_uint32),
        ("reduces", c_uint32), ("reduces_done", c_uint32), ("outputs", c_uint32),
        ("unused", c_uint32), ("map_finish", c_uint64)]


class pn_scheduler_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("submitted", c_uint64),
        ("accepted", c_uint64), ("rejected", c_uint64), ("finished", c_uint64),
        ("failed", c_uint64), ("successful", c_uint64), ("first_submit", c_uint64),
        ("last_finish", c_uint64), ("last_end", c_uint64), ("last_logged", c_uint64),
        ("slot_ms", c_uint64), ("ended_slot_ms", c_uint64), ("successful_slot_ms", c_uint64),
        ("finished_maps", c_uint64), ("local_maps", c_uint64), ("finished_reduces", c_uint64),
        ("colocated_reduces", c_uint64), ("total_waiting", c_uint64),
        ("total_execution", c_uint64), ("total_makespan", c_uint64), ("launches", c_uint64),
        ("kills", c_uint64), ("failures", c_uint64), ("lost", c_uint64), ("reruns", c_uint64),
        ("feedback_fired", c_uint64), ("late", c_uint64), ("suspensions", c_uint64),
        ("resumptions", c_uint64), ("copies", c_uint64), ("copies_won", c_uint64),
        ("map_slots", c_uint64), ("reduce_slots", c_uint64), ("in_system", c_uint32),
        ("in_system_max", c_uint32), ("tasks_held", c_uint32), ("tasks_held_max", c_uint32),
        ("replicas_held", c_uint32), ("replicas_held_max", c_uint32), ("tasks_max", c_uint32),
        ("replicas_max", c_uint32), ("cancelled", c_uint64), ("saturated_ms", c_uint64)]


class pn_scheduler_levels(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("jobs", c_uint64), ("queue", c_uint64),
        ("map", c_uint64), ("reduce", c_uint64)]


class pn_scheduler_group(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("jobs", c_uint64), ("maps", c_uint64),
        ("local_maps", c_uint64), ("reduces", c_uint64), ("colocated_reduces", c_uint64),
        ("kills", c_uint64), ("slot_ms", c_uint64), ("waiting", c_uint64), ("execution", c_uint64),
        ("makespan", c_uint64), ("in_wait", c_uint64), ("in_maps", c_uint64),
        ("in_blocked", c_uint64), ("in_reduces", c_uint64), ("suspensions", c_uint64),
        ("copies", c_uint64), ("copies_won", c_uint64)]


class pn_dispatch_nodes(Structure):
    _fields_ = [
        ("capacity", c_uint64 * 4), ("count", c_uint32), ("speed", c_uint32)]


class pn_dispatch_queue(Structure):
    _fields_ = [
        ("weight", c_uint32), ("guaranteed", c_uint32), ("maximum", c_uint32),
        ("unused", c_uint32)]


class pn_dispatch_policy(Structure):
    pass


class pn_dispatch_config(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("nodes", POINTER(pn_dispatch_nodes)),
        ("nodes_count", c_uint32), ("resources", c_uint32), ("queues", POINTER(pn_dispatch_queue)),
        ("queues_count", c_uint32), ("nodes_down", c_uint32), ("jobs_max", c_uint32),
        ("stages_max", c_uint32), ("edges_max", c_uint32), ("attempts_max", c_uint32),
        ("classes_max", c_uint32), ("replica", c_uint32), ("seed", c_uint64),
        ("placement", c_uint32), ("order", c_uint32), ("backfill", c_uint32),
        ("max_kills", c_uint32), ("policy", POINTER(pn_dispatch_policy)), ("attributes", c_uint64),
        ("nodes_absent", c_uint32), ("running_most", c_uint64), ("executors", c_uint64)]


class pn_dispatch_stage(Structure):
    _fields_ = [
        ("demand", c_uint64 * 4), ("estimate", c_uint64), ("tasks", c_uint32),
        ("first_parent", c_uint32), ("parent_count", c_uint32), ("unused", c_uint32)]


class pn_dispatch_job(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("stages", POINTER(pn_dispatch_stage)),
        ("parents", POINTER(c_uint32)), ("stage_count", c_uint32), ("parents_count", c_uint32),
        ("weight", c_uint32), ("queue", c_uint32), ("deadline", c_uint64), ("tag", c_uint64),
        ("group", c_uint32), ("unused", c_uint32), ("attributes", POINTER(c_double)),
        ("priority", c_int32)]


class pn_dispatch_task(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("id", c_uint64), ("tag", c_uint64), ("start", c_uint64),
        ("token", c_uint64), ("stage", c_uint32), ("task", c_uint32), ("attempt", c_uint32),
        ("node", c_uint32), ("place", c_uint32), ("unused", c_uint32)]


class pn_dispatch_times(Structure):
    _fields_ = [
        ("ready", c_uint64), ("start", c_uint64), ("finish", c_uint64)]


class pn_dispatch_record(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("id", c_uint64), ("tag", c_uint64), ("arrival", c_uint64),
        ("first_start", c_uint64), ("finish", c_uint64), ("deadline", c_uint64),
        ("kills", c_uint64), ("lost", c_uint64), ("weight", c_uint32), ("queue", c_uint32),
        ("group", c_uint32), ("state", c_uint32), ("stage_count", c_uint32), ("unused", c_uint32),
        ("stages", POINTER(pn_dispatch_times)), ("attributes", POINTER(c_double))]


class pn_dispatch_event(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("id", c_uint64), ("tag", c_uint64),
        ("event", c_uint32), ("stage", c_uint32), ("task", c_uint32), ("node", c_uint32),
        ("attempt", c_uint32), ("place", c_uint32), ("capacity", c_uint64 * 4)]


class pn_dispatch_input(Structure):
    pass


class pn_dispatch_hooks(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("policy", POINTER(pn_dispatch_policy)),
        ("params", POINTER(c_double)),
        ("launch", CFUNCTYPE(None, c_void_p, POINTER(pn_dispatch_task))),
        ("kill", CFUNCTYPE(None, c_void_p, POINTER(pn_dispatch_task))),
        ("on_finish", CFUNCTYPE(None, c_void_p, POINTER(pn_dispatch_record))),
        ("on_event", CFUNCTYPE(None, c_void_p, POINTER(pn_dispatch_event))), ("user", c_void_p),
        ("policy_user", c_void_p),
        ("on_input", CFUNCTYPE(None, c_void_p, POINTER(pn_dispatch_input)))]


class pn_dispatch_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("submitted", c_uint64),
        ("finished", c_uint64), ("cancelled", c_uint64), ("first_arrival", c_uint64),
        ("last_finish", c_uint64), ("last_logged", c_uint64), ("launches", c_uint64),
        ("ends", c_uint64), ("kills", c_uint64), ("failures", c_uint64), ("lost", c_uint64),
        ("used", pn_wide * 4), ("wasted", pn_wide * 4), ("total_jct", pn_wide),
        ("in_system", c_uint32), ("in_system_max", c_uint32), ("stages_held", c_uint32),
        ("stages_held_max", c_uint32), ("edges_held", c_uint32), ("edges_held_max", c_uint32),
        ("attempts_held", c_uint32), ("attempts_held_max", c_uint32), ("classes_held", c_uint32),
        ("classes_held_max", c_uint32), ("virtual_held", c_uint32), ("virtual_held_max", c_uint32),
        ("running", c_uint32), ("nodes_up", c_uint32), ("stages_max", c_uint32),
        ("edges_max", c_uint32), ("attempts_max", c_uint32), ("classes_max", c_uint32),
        ("saturated_ms", c_uint64)]


class pn_dispatch_levels(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("jobs", c_uint64), ("queue", c_uint64),
        ("tasks", c_uint64), ("in_use", c_uint64 * 4)]


class pn_dispatch_queue_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("jobs", c_uint64), ("finished", c_uint64),
        ("total_jct", pn_wide), ("used", pn_wide * 4)]


class pn_dispatch_order(Structure):
    _fields_ = [
        ("keys", c_uint8), ("by_queue", c_uint8), ("limits", c_uint8), ("packs", c_uint8),
        ("virtual_run", c_uint8), ("preempts", c_uint8), ("unused", c_uint8 * 2)]


pn_dispatch_policy._fields_ = [
    ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("source", c_char_p),
    ("order", pn_dispatch_order), ("param_count", c_uint8), ("params", pn_param * 32),
    ("state_bytes", c_size_t), ("state_bytes_per_job", c_size_t),
    ("key", CFUNCTYPE(None, pn_dispatch_view, c_uint32, POINTER(pn_key))),
    ("queue_key", CFUNCTYPE(None, pn_dispatch_view, c_uint32, POINTER(pn_key))),
    ("init", CFUNCTYPE(c_int, pn_dispatch_view)),
    ("arrive", CFUNCTYPE(c_int, pn_dispatch_view, c_uint32)),
    ("leave", CFUNCTYPE(None, pn_dispatch_view, c_uint32)),
    ("score", CFUNCTYPE(c_uint64, pn_dispatch_view, c_uint32, c_uint32)),
    ("align", CFUNCTYPE(c_uint64, pn_dispatch_view, c_uint32, c_uint32)),
    ("preempt", CFUNCTYPE(c_int, pn_dispatch_view)), ("keys", POINTER(pn_key_part))]


class pn_field(Structure):
    _fields_ = [
        ("name", c_char_p), ("offset", c_uint32), ("size", c_uint16), ("count", c_uint16)]


class pn_input_labels(Structure):
    _fields_ = [
        ("texts", POINTER(c_char_p)), ("count", c_uint32)]


class pn_input_about(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("text", c_char_p), ("text_size", c_size_t),
        ("attributes", POINTER(c_char_p)), ("groups", POINTER(c_char_p)),
        ("resources", POINTER(c_char_p)), ("attributes_count", c_uint32),
        ("groups_count", c_uint32), ("labels", POINTER(pn_input_labels))]


pn_scheduler_input._fields_ = [
    ("struct_size", c_size_t), ("now", c_uint64), ("token", c_uint64), ("digest", c_uint64),
    ("kind", c_uint32), ("node", c_uint32), ("value", c_uint32), ("attributes", c_uint32),
    ("job", POINTER(pn_scheduler_job)), ("nodes", POINTER(c_uint32)), ("replicas_most", c_uint32),
    ("map_slots", c_uint32), ("reduce_slots", c_uint32), ("unused", c_uint32), ("id", c_uint64)]


pn_dispatch_input._fields_ = [
    ("struct_size", c_size_t), ("now", c_uint64), ("token", c_uint64), ("id", c_uint64),
    ("most", c_uint64), ("digest", c_uint64), ("kind", c_uint32), ("node", c_uint32),
    ("attributes", c_uint32), ("unused", c_uint32), ("job", POINTER(pn_dispatch_job)),
    ("capacity", c_uint64 * 4)]


class pn_scheduler_order(Structure):
    _fields_ = [
        ("keys", c_uint8), ("shares", c_uint8), ("started_first", c_uint8), ("delays", c_uint8),
        ("colocates", c_uint8), ("estimates", c_uint8), ("elapses", c_uint8),
        ("memoryless", c_uint8)]


class pn_scheduler_admission(Structure):
    _fields_ = [
        ("deadlines", c_uint8), ("finishes", c_uint8), ("maps_first", c_uint8),
        ("reserve", c_uint8), ("ended_predecessors", c_uint8), ("ended_feedback", c_uint8)]


pn_scheduler_policy._fields_ = [
    ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("source", c_char_p),
    ("order", pn_scheduler_order), ("admission", pn_scheduler_admission), ("param_count", c_uint8),
    ("params", pn_param * 32), ("state_bytes", c_size_t), ("state_bytes_per_job", c_size_t),
    ("key", CFUNCTYPE(None, pn_scheduler_view, c_uint32, c_uint32, POINTER(pn_key))),
    ("init", CFUNCTYPE(c_int, pn_scheduler_view)),
    ("admit", CFUNCTYPE(c_int, pn_scheduler_view, c_uint32, POINTER(pn_scheduler_answer))),
    ("arrive", CFUNCTYPE(c_int, pn_scheduler_view, c_uint32)),
    ("leave", CFUNCTYPE(None, pn_scheduler_view, c_uint32)),
    ("elapse", CFUNCTYPE(c_int, pn_scheduler_view, c_uint64)),
    ("plan", CFUNCTYPE(c_int, pn_scheduler_view, c_uint32)),
    ("preempt", CFUNCTYPE(c_int, pn_scheduler_view, c_uint32)),
    ("pick", CFUNCTYPE(c_int, pn_scheduler_view, c_uint32, c_uint32, POINTER(c_uint32))),
    ("copy", CFUNCTYPE(c_int, pn_scheduler_view, c_uint32, c_uint32, POINTER(c_uint32))),
    ("keys", POINTER(pn_key_part))]


class pn_cluster_config(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("scheduler", pn_scheduler_config), ("seed", c_uint64),
        ("heartbeat_ms", c_uint64), ("maps_per_heartbeat", c_uint32), ("replication", c_uint32),
        ("factor_lo", c_uint32), ("factor_hi", c_uint32), ("attempt_fail_permille", c_uint32),
        ("est_extra_ms", c_uint64), ("tick_ms", c_uint64), ("max_time_ms", c_uint64),
        ("values_max", c_uint32), ("failures_max", c_uint32), ("restore_permille", c_uint32),
        ("save_permille", c_uint32), ("restore_ms", c_uint64), ("save_ms", c_uint64),
        ("bounds_max", c_uint64)]


class pn_cluster_job(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("submit", c_uint64), ("maps", c_uint32), ("reduces", c_uint32),
        ("map_ms", c_uint64), ("remote_ms", c_uint64), ("reduce_ms", c_uint64),
        ("shuffle_ms", c_uint64), ("deadline", c_uint64), ("block_counts", POINTER(c_uint32)),
        ("blocks", POINTER(c_uint32)), ("map_factor", POINTER(c_uint32)),
        ("reduce_factor", POINTER(c_uint32)), ("map_times", POINTER(c_uint64)),
        ("reduce_times", POINTER(c_uint64)), ("shuffle_times", POINTER(c_uint64)),
        ("est_map_ms", c_uint64), ("est_reduce_ms", c_uint64), ("input", c_uint64),
        ("intermediate", c_uint64), ("tag", c_uint64), ("group", c_uint32),
        ("attributes", POINTER(c_double)), ("weight", c_uint32), ("priority", c_int32)]


class pn_cluster_needs(Structure):
    _fields_ = [
        ("tasks", c_uint64), ("replicas", c_uint64), ("values", c_uint64)]


class pn_cluster_hooks(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("policy", POINTER(pn_scheduler_policy)),
        ("params", POINTER(c_double)),
        ("on_finish", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_record))),
        ("on_event", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_event))),
        ("on_order", CFUNCTYPE(None, c_void_p, c_uint64)), ("user", c_void_p),
        ("on_input", CFUNCTYPE(None, c_void_p, POINTER(pn_scheduler_input)))]


class pn_cluster_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("scheduler", pn_scheduler_totals), ("time", c_uint64),
        ("submitted", c_uint64), ("unfinished", c_uint64), ("first_submit", c_uint64),
        ("instants", c_uint64), ("beats", c_uint64), ("ticks", c_uint64), ("jobs_held", c_uint32),
        ("jobs_held_max", c_uint32), ("tasks_held", c_uint32), ("tasks_held_max", c_uint32),
        ("replicas_held", c_uint32), ("replicas_held_max", c_uint32), ("values_held", c_uint32),
        ("values_held_max", c_uint32)]


class pn_cluster_failure(Structure):
    _fields_ = [
        ("time", c_uint64), ("recover", c_uint64), ("node", c_uint32)]


class pn_cluster_claim(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("config", POINTER(pn_cluster_config)), ("measured", c_uint32),
        ("preempts", c_uint32), ("maps_first", c_uint32), ("holds", c_uint32), ("deals", c_uint32),
        ("promises", c_uint32), ("copies", c_uint32), ("jobs", POINTER(pn_cluster_job)),
        ("job_count", c_size_t), ("failures", POINTER(pn_cluster_failure)),
        ("failure_count", c_size_t)]


class pn_dag_config(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("dispatch", pn_dispatch_config), ("seed", c_uint64),
        ("factor_lo", c_uint32), ("factor_hi", c_uint32), ("est_lo", c_uint32),
        ("est_hi", c_uint32), ("start_ms", c_uint64), ("tick_ms", c_uint64),
        ("max_time_ms", c_uint64), ("durations_max", c_uint32), ("failures_max", c_uint32),
        ("bounds_max", c_uint32), ("groups_max", c_uint32), ("statistics", c_uint32),
        ("unused", c_uint32), ("warmup_jobs", c_uint64), ("warmup_ms", c_uint64),
        ("move_ms", c_uint64), ("fresh_ms", c_uint64)]


class pn_dag_stage(Structure):
    _fields_ = [
        ("demand", c_uint64 * 4), ("duration", c_uint64), ("durations", POINTER(c_uint64)),
        ("parents", POINTER(c_uint32)), ("parent_count", c_uint32), ("tasks", c_uint32),
        ("estimate", c_uint64), ("start_ms", c_uint64)]


class pn_dag_job(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("arrival", c_uint64), ("stages", POINTER(pn_dag_stage)),
        ("stage_count", c_uint32), ("weight", c_uint32), ("queue", c_uint32), ("group", c_uint32),
        ("deadline", c_uint64), ("tag", c_uint64), ("attributes", POINTER(c_double)),
        ("priority", c_int32)]


class pn_dag_needs(Structure):
    _fields_ = [
        ("stages", c_uint64), ("edges", c_uint64), ("durations", c_uint64), ("attempts", c_uint64)]


class pn_dag_record(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("job", POINTER(pn_dispatch_record)), ("path", c_uint64),
        ("alone", c_uint64), ("slowdown_permille", c_uint64), ("deadline_met", c_uint32),
        ("unused", c_uint32)]


class pn_dag_hooks(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("policy", POINTER(pn_dispatch_policy)),
        ("params", POINTER(c_double)),
        ("on_finish", CFUNCTYPE(None, c_void_p, POINTER(pn_dag_record))),
        ("on_event", CFUNCTYPE(None, c_void_p, POINTER(pn_dispatch_event))),
        ("on_order", CFUNCTYPE(None, c_void_p, c_uint64)), ("user", c_void_p),
        ("on_input", CFUNCTYPE(None, c_void_p, POINTER(pn_dispatch_input)))]


class pn_dag_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("dispatch", pn_dispatch_totals), ("time", c_uint64),
        ("submitted", c_uint64), ("unfinished", c_uint64), ("first_arrival", c_uint64),
        ("makespan", c_uint64), ("instants", c_uint64), ("ticks", c_uint64),
        ("utilisation_permille", c_uint64 * 4), ("slowdown_sum", pn_wide),
        ("jain_permille", c_uint64), ("bound_makespan", c_uint64), ("bound_total_jct", pn_wide),
        ("jobs_held", c_uint32), ("jobs_held_max", c_uint32), ("stages_held", c_uint32),
        ("stages_held_max", c_uint32), ("edges_held", c_uint32), ("edges_held_max", c_uint32),
        ("durations_held", c_uint32), ("durations_held_max", c_uint32)]


class pn_dag_group(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("jobs", c_uint64), ("kills", c_uint64), ("lost", c_uint64),
        ("deadlines", c_uint64), ("deadlines_met", c_uint64), ("jct", pn_wide),
        ("waiting", pn_wide), ("slowdown", pn_wide)]


class pn_dag_failure(Structure):
    _fields_ = [
        ("time", c_uint64), ("recover", c_uint64), ("node", c_uint32), ("unused", c_uint32)]


class pn_dag_claim(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("config", POINTER(pn_dag_config)), ("preempts", c_uint32),
        ("limits", c_uint32), ("jobs", POINTER(pn_dag_job)), ("job_count", c_size_t),
        ("failures", POINTER(pn_dag_failure)), ("failure_count", c_size_t)]


class pn_makespan_policy(Structure):
    pass


class pn_makespan_config(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("map_slots", c_uint32), ("reduce_slots", c_uint32),
        ("base_map_slots", c_uint32), ("base_reduce_slots", c_uint32), ("level", c_uint32),
        ("jobs_max", c_uint32), ("stretches_max", c_uint32), ("groups_max", c_uint32),
        ("statistics", c_uint32), ("replica", c_uint32), ("seed", c_uint64), ("ticks", c_uint64),
        ("nodes", c_uint32), ("stage_time", c_uint32), ("share", c_uint32), ("cap", c_uint32),
        ("task_order", c_uint32), ("resplit", c_uint32), ("policy", POINTER(pn_makespan_policy)),
        ("attributes", c_uint64)]


class pn_makespan_stretch(Structure):
    _fields_ = [
        ("duration", c_uint64), ("count", c_uint32)]


class pn_makespan_stage_of_job(Structure):
    _fields_ = [
        ("stretches", POINTER(pn_makespan_stretch)), ("stretch_count", c_uint32),
        ("requested", c_uint32), ("time", c_uint64), ("has_time", c_uint32), ("empty", c_uint32)]


class pn_makespan_job(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("stage", pn_makespan_stage_of_job * 2), ("tag", c_uint64),
        ("group", c_uint32), ("attributes", POINTER(c_double))]


class pn_makespan_finish(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("id", c_uint64), ("tag", c_uint64), ("map_start", c_uint64),
        ("map_finish", c_uint64), ("reduce_start", c_uint64), ("finish", c_uint64),
        ("group", c_uint32), ("attributes", POINTER(c_double))]


class pn_makespan_decision(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("start", c_uint64), ("end", c_uint64), ("id", c_uint64),
        ("kind", c_uint32), ("task", c_uint32), ("slot", c_uint32)]


class pn_makespan_hooks(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("policy", POINTER(pn_makespan_policy)),
        ("params", POINTER(c_double)), ("stop", CFUNCTYPE(c_int, c_void_p)),
        ("on_finish", CFUNCTYPE(None, c_void_p, POINTER(pn_makespan_finish))),
        ("on_decision", CFUNCTYPE(None, c_void_p, POINTER(pn_makespan_decision))),
        ("user", c_void_p)]


class pn_makespan_pool(Structure):
    _fields_ = [
        ("nodes", c_uint32), ("count", c_uint32), ("ids", POINTER(c_uint64))]


class pn_makespan_pool_plan(Structure):
    _fields_ = [
        ("nodes", c_uint32), ("map_slots", c_uint32), ("reduce_slots", c_uint32),
        ("count", c_uint32)]


class pn_makespan_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("makespan", c_uint64),
        ("total_completion", pn_exact), ("map_work", c_uint64), ("reduce_work", c_uint64),
        ("tasks_started", c_uint64), ("submitted", c_uint64), ("finished", c_uint64),
        ("instants", c_uint64), ("evaluations", c_uint64), ("nodes_searched", c_uint64),
        ("proven", pn_exact), ("stage_time", c_uint32), ("share", c_uint32), ("cap", c_uint32),
        ("task_order", c_uint32), ("resplit", c_uint32), ("unused", c_uint32)]


class pn_makespan_levels(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_uint64), ("jobs", c_uint64), ("queue", c_uint64),
        ("map", c_uint64), ("reduce", c_uint64)]


class pn_makespan_claim(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("map_slots", c_uint32), ("reduce_slots", c_uint32),
        ("base_map_slots", c_uint32), ("base_reduce_slots", c_uint32), ("nodes", c_uint32),
        ("level", c_uint32), ("stage_time", c_uint32), ("share", c_uint32), ("cap", c_uint32),
        ("resplit", c_uint32), ("ticks", c_uint64), ("jobs", POINTER(pn_makespan_job)),
        ("job_count", c_size_t), ("pools", POINTER(pn_makespan_pool)), ("pool_count", c_size_t)]


pn_makespan_policy._fields_ = [
    ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("source", c_char_p),
    ("stage_time", c_uint8), ("share", c_uint8), ("cap", c_uint8), ("task_order", c_uint8),
    ("level", c_uint8), ("param_count", c_uint8), ("params", pn_param * 32),
    ("state_bytes", c_size_t), ("state_bytes_per_job", c_size_t),
    ("decide", CFUNCTYPE(c_int, pn_makespan_view)), ("keys", POINTER(pn_key_part))]


class pn_makespan_score(Structure):
    _fields_ = [
        ("makespan", c_uint64), ("total", c_uint64 * 2), ("ticks", c_uint64)]


class pn_makespan_task(Structure):
    _fields_ = [
        ("job", c_uint32), ("task", c_uint32)]


class pn_slotted_policy(Structure):
    pass


class pn_slotted_config(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("machines", c_uint32), ("jobs_max", c_uint32),
        ("stretches_max", c_uint32), ("groups_max", c_uint32), ("reduce", c_uint32),
        ("bounds", c_uint32), ("statistics", c_uint32), ("estimates", c_uint32),
        ("warmup_jobs", c_uint64), ("warmup_slots", c_uint64), ("seed", c_uint64),
        ("replica", c_uint32), ("policy", POINTER(pn_slotted_policy)), ("attributes", c_uint64)]


class pn_slotted_job(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("arrival", c_uint64), ("maps", c_uint64),
        ("reduces", POINTER(c_uint64)), ("reduce_count", c_size_t), ("tag", c_uint64),
        ("group", c_uint32), ("estimate_maps", c_uint64), ("estimate_reduces", c_uint64),
        ("attributes", POINTER(c_double))]


class pn_slotted_finish(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("id", c_uint64), ("tag", c_uint64), ("arrival", c_uint64),
        ("map_finish", c_uint64), ("finish", c_uint64), ("flow_time", c_uint64),
        ("group", c_uint32), ("attributes", POINTER(c_double))]


class pn_slotted_decision(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("slot", c_uint64), ("id", c_uint64), ("amount", c_uint64),
        ("kind", c_uint32), ("first_task", c_uint32)]


class pn_slotted_hooks(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("policy", POINTER(pn_slotted_policy)),
        ("params", POINTER(c_double)),
        ("on_finish", CFUNCTYPE(None, c_void_p, POINTER(pn_slotted_finish))),
        ("on_decision", CFUNCTYPE(None, c_void_p, POINTER(pn_slotted_decision))),
        ("user", c_void_p)]


class pn_slotted_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("slot", c_uint64), ("submitted", c_uint64),
        ("finished", c_uint64), ("total_flow_time", c_uint64), ("last_finish", c_uint64),
        ("lower_bound", c_uint64), ("units_run", c_uint64), ("slots_run", c_uint64),
        ("decisions", c_uint64), ("withheld", c_uint64), ("withheld_slot", c_uint64),
        ("heap_moves", c_uint64), ("in_system", c_uint32), ("jobs_held", c_uint32),
        ("jobs_held_max", c_uint32), ("relaxed", c_uint32), ("first_arrival", c_uint64),
        ("slots_saturated", c_uint64)]


class pn_slotted_levels(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("slot", c_uint64), ("jobs", c_uint64), ("queue", c_uint64),
        ("map", c_uint64), ("reduce", c_uint64), ("backlog", c_uint64)]


class pn_slotted_claim(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("machines", c_uint32), ("reduce", c_uint32),
        ("relaxed", c_uint32), ("work_conserving", c_uint32), ("jobs", POINTER(pn_slotted_job)),
        ("job_count", c_size_t)]


class pn_slotted_order(Structure):
    _fields_ = [
        ("key", CFUNCTYPE(None, pn_slotted_view, c_uint32, POINTER(pn_key))), ("changes", c_uint8),
        ("members", c_uint8), ("fit", c_uint8)]


pn_slotted_policy._fields_ = [
    ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("source", c_char_p),
    ("preemptive", c_uint8), ("nonpreemptive", c_uint8), ("work_conserving", c_uint8),
    ("relaxed", c_uint8), ("shadow", c_uint8), ("load", c_uint8), ("order_count", c_uint8),
    ("param_count", c_uint8), ("orders", pn_slotted_order * 4), ("params", pn_param * 32),
    ("state_bytes", c_size_t), ("state_bytes_per_job", c_size_t),
    ("act", CFUNCTYPE(c_int, pn_slotted_view)),
    ("weight", CFUNCTYPE(c_uint64, pn_slotted_view, c_uint32)),
    ("init", CFUNCTYPE(c_int, pn_slotted_view)),
    ("arrive", CFUNCTYPE(c_int, pn_slotted_view, c_uint32)),
    ("finish", CFUNCTYPE(None, pn_slotted_view, c_uint32)),
    ("tick", CFUNCTYPE(c_int, pn_slotted_view)), ("tick_slots", c_uint64),
    ("keys", POINTER(pn_key_part)), ("sizes", c_uint8), ("unused", c_uint8 * 7)]


class pn_slotted_served(Structure):
    _fields_ = [
        ("job", c_uint32), ("maps", c_uint32), ("reduces", c_uint32)]


class pn_tandem_policy(Structure):
    pass


class pn_tandem_config(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("speed", c_double), ("traditional", c_uint32),
        ("jobs_max", c_uint32), ("gaps", c_uint32), ("groups_max", c_uint32), ("bounds", c_uint32),
        ("statistics", c_uint32), ("buckets_max", c_uint32), ("bucket_width", c_double),
        ("no_digest", c_uint32), ("estimates", c_uint32), ("ranks", c_uint32),
        ("replica", c_uint32), ("seed", c_uint64), ("warmup_jobs", c_uint64),
        ("warmup_time", c_double), ("policy", POINTER(pn_tandem_policy)), ("attributes", c_uint64)]


class pn_tandem_job(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("arrival", c_double), ("map", c_double), ("shuffle", c_double),
        ("tag", c_uint64), ("group", c_uint32), ("rank", c_uint32 * 2), ("estimate_map", c_double),
        ("estimate_shuffle", c_double), ("attributes", POINTER(c_double))]


class pn_tandem_finish(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("id", c_uint64), ("tag", c_uint64), ("arrival", c_double),
        ("map_finish", c_double), ("finish", c_double), ("response_time", c_double),
        ("slowdown", c_double), ("map", c_double), ("shuffle", c_double), ("group", c_uint32),
        ("attributes", POINTER(c_double))]


class pn_tandem_decision(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_double), ("id", c_uint64), ("map_rate", c_double),
        ("shuffle_rate", c_double), ("kind", c_uint32)]


class pn_tandem_hooks(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("policy", POINTER(pn_tandem_policy)),
        ("params", POINTER(c_double)),
        ("on_finish", CFUNCTYPE(None, c_void_p, POINTER(pn_tandem_finish))),
        ("on_decision", CFUNCTYPE(None, c_void_p, POINTER(pn_tandem_decision))),
        ("user", c_void_p)]


class pn_tandem_totals(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_double), ("submitted", c_uint64),
        ("finished", c_uint64), ("total_response_time", c_double), ("first_arrival", c_double),
        ("last_finish", c_double), ("lower_bound", c_double), ("lower_bound_tight", c_double),
        ("mean_in_system", c_double), ("map_busy", c_double), ("shuffle_busy", c_double),
        ("instants", c_uint64), ("decisions", c_uint64), ("heap_moves", c_uint64),
        ("in_system", c_uint32), ("in_system_max", c_uint32), ("jobs_held", c_uint32),
        ("jobs_held_max", c_uint32)]


class pn_tandem_levels(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("time", c_double), ("jobs", c_double), ("queue", c_double),
        ("map", c_double), ("shuffle", c_double)]


class pn_tandem_bucket(Structure):
    _fields_ = [
        ("count", c_uint64), ("sum", c_double), ("squares", c_double)]


class pn_tandem_claim(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("speed", c_double), ("traditional", c_uint32),
        ("work_conserving", c_uint32), ("jobs", POINTER(pn_tandem_job)), ("job_count", c_size_t)]


class pn_tandem_service(Structure):
    _fields_ = [
        ("way", c_uint8), ("order", c_uint8), ("limit", c_uint32)]


class pn_tandem_order(Structure):
    _fields_ = [
        ("key", CFUNCTYPE(None, pn_tandem_view, c_uint32, POINTER(pn_key))),
        ("member", CFUNCTYPE(c_int, pn_tandem_view, c_uint32)), ("changes", c_uint8),
        ("members", c_uint8)]


pn_tandem_policy._fields_ = [
    ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("source", c_char_p),
    ("work_conserving", c_uint8), ("order_count", c_uint8), ("param_count", c_uint8),
    ("map", pn_tandem_service), ("shuffle", pn_tandem_service), ("orders", pn_tandem_order * 6),
    ("params", pn_param * 32), ("state_bytes", c_size_t), ("state_bytes_per_job", c_size_t),
    ("act", CFUNCTYPE(c_int, pn_tandem_view)), ("wake", CFUNCTYPE(c_double, pn_tandem_view)),
    ("init", CFUNCTYPE(c_int, pn_tandem_view)),
    ("arrive", CFUNCTYPE(c_int, pn_tandem_view, c_uint32)),
    ("finish", CFUNCTYPE(None, pn_tandem_view, c_uint32)), ("keys", POINTER(pn_key_part))]


class pn_timeline_about(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("buckets", c_uint32), ("series", c_uint32),
        ("clock", c_uint32), ("started", c_uint32), ("used", c_uint32), ("from", c_uint64),
        ("now", c_uint64), ("width", c_uint64), ("from_real", c_double), ("now_real", c_double),
        ("width_real", c_double)]


MODELS = [
    "slotted", "tandem", "scheduler", "cluster", "makespan", "dag", "dispatch"]
STRUCTS = [
    pn_exact, pn_wide, pn_param, pn_rule, pn_setting, pn_key, pn_key_part, pn_ranked, pn_stream,
    pn_stats, pn_batches, pn_policy_about, pn_model, pn_scheduler_nodes, pn_scheduler_config,
    pn_scheduler_job, pn_scheduler_task, pn_scheduler_record, pn_scheduler_event,
    pn_scheduler_hooks, pn_scheduler_answer, pn_scheduler_progress, pn_scheduler_totals,
    pn_scheduler_levels, pn_scheduler_group, pn_dispatch_nodes, pn_dispatch_queue,
    pn_dispatch_config, pn_dispatch_stage, pn_dispatch_job, pn_dispatch_task, pn_dispatch_times,
    pn_dispatch_record, pn_dispatch_event, pn_dispatch_hooks, pn_dispatch_totals,
    pn_dispatch_levels, pn_dispatch_queue_totals, pn_dispatch_order, pn_dispatch_policy, pn_field,
    pn_input_labels, pn_input_about, pn_scheduler_input, pn_dispatch_input, pn_scheduler_order,
    pn_scheduler_admission, pn_scheduler_policy, pn_cluster_config, pn_cluster_job,
    pn_cluster_needs, pn_cluster_hooks, pn_cluster_totals, pn_cluster_failure, pn_cluster_claim,
    pn_dag_config, pn_dag_stage, pn_dag_job, pn_dag_needs, pn_dag_record, pn_dag_hooks,
    pn_dag_totals, pn_dag_group, pn_dag_failure, pn_dag_claim, pn_makespan_config,
    pn_makespan_stretch, pn_makespan_stage_of_job, pn_makespan_job, pn_makespan_finish,
    pn_makespan_decision, pn_makespan_hooks, pn_makespan_pool, pn_makespan_pool_plan,
    pn_makespan_totals, pn_makespan_levels, pn_makespan_claim, pn_makespan_policy,
    pn_makespan_score, pn_makespan_task, pn_slotted_config, pn_slotted_job, pn_slotted_finish,
    pn_slotted_decision, pn_slotted_hooks, pn_slotted_totals, pn_slotted_levels, pn_slotted_claim,
    pn_slotted_order, pn_slotted_policy, pn_slotted_served, pn_tandem_config, pn_tandem_job,
    pn_tandem_finish, pn_tandem_decision, pn_tandem_hooks, pn_tandem_totals, pn_tandem_levels,
    pn_tandem_bucket, pn_tandem_claim, pn_tandem_service, pn_tandem_order, pn_tandem_policy,
    pn_timeline_about]
# Results and arguments.
FUNCTIONS = {
    "pn_version": (c_char_p, []),
    "pn_status_name": (c_char_p, [c_int]),
    "pn_selftest": (c_int, []),
    "pn_mix_step": (c_uint64, [c_uint64, c_uint64]),
    "pn_exact_make": (c_int, [POINTER(pn_exact), c_int64, c_int64]),
    "pn_exact_add": (c_int, [POINTER(pn_exact), pn_exact, pn_exact]),
    "pn_exact_subtract": (c_int, [POINTER(pn_exact), pn_exact, pn_exact]),
    "pn_exact_multiply": (c_int, [POINTER(pn_exact), pn_exact, pn_exact]),
    "pn_exact_divide": (c_int, [POINTER(pn_exact), pn_exact, pn_exact]),
    "pn_exact_compare": (c_int, [pn_exact, pn_exact]),
    "pn_exact_double": (c_double, [pn_exact]),
    "pn_key_of_double": (c_uint64, [c_double]),
    "pn_stream_init": (None, [POINTER(pn_stream), c_uint64, c_uint32, c_uint32]),
    "pn_philox": (None, [POINTER(c_uint32), POINTER(c_uint32), POINTER(c_uint32)]),
    "pn_random32": (c_uint32, [POINTER(pn_stream)]),
    "pn_random64": (c_uint64, [POINTER(pn_stream)]),
    "pn_log": (c_double, [c_double]),
    "pn_exp": (c_double, [c_double]),
    "pn_pow": (c_double, [c_double, c_double]),
    "pn_sqrt": (c_double, [c_double]),
    "pn_uniform01": (c_double, [POINTER(pn_stream)]),
    "pn_uniform": (c_uint64, [POINTER(pn_stream), c_uint64, c_uint64]),
    "pn_exponential": (c_double, [POINTER(pn_stream), c_double]),
    "pn_poisson": (c_uint64, [POINTER(pn_stream), c_double]),
    "pn_normal": (c_double, [POINTER(pn_stream), c_double, c_double]),
    "pn_lognormal": (c_double, [POINTER(pn_stream), c_double, c_double]),
    "pn_pareto": (c_double, [POINTER(pn_stream), c_double, c_double]),
    "pn_empirical": (c_uint32, [POINTER(pn_stream), POINTER(c_uint64), c_uint32]),
    "pn_normal_quantile": (c_double, [c_double]),
    "pn_stats_size": (c_size_t, [c_int, c_uint]),
    "pn_stats_init": (None, [POINTER(pn_stats), c_int, c_uint, c_int]),
    "pn_stats_add": (None, [POINTER(pn_stats), c_double]),
    "pn_stats_merge": (None, [POINTER(pn_stats), POINTER(pn_stats)]),
    "pn_stats_variance": (c_double, [POINTER(pn_stats)]),
    "pn_stats_quantile": (c_double, [POINTER(pn_stats), c_double]),
    "pn_batches_init": (None, [POINTER(pn_batches)]),
    "pn_batches_validate": (c_int, [POINTER(pn_batches)]),
    "pn_batches_add": (None, [POINTER(pn_batches), c_double]),
    "pn_scheduler_allowance": (None, [POINTER(pn_scheduler_config), c_uint64, POINTER(c_uint64)]),
    "pn_scheduler_defaults_into": (None, [POINTER(pn_scheduler_config), c_size_t]),
    "pn_scheduler_check": (c_char_p, [POINTER(pn_scheduler_config)]),
    "pn_scheduler_setting_at": (POINTER(pn_setting), [c_size_t]),
    "pn_scheduler_model": (POINTER(pn_model), []),
    "pn_scheduler_size": (c_size_t, [POINTER(pn_scheduler_config)]),
    "pn_scheduler_init": (c_int, [
        POINTER(pn_scheduler), c_void_p, c_size_t, POINTER(pn_scheduler_config)]),
    "pn_scheduler_block_size": (c_size_t, [pn_scheduler]),
    "pn_scheduler_open": (c_int, [POINTER(pn_scheduler), c_void_p, c_size_t]),
    "pn_scheduler_validate": (c_int, [c_void_p, c_size_t]),
    "pn_scheduler_configured": (c_int, [pn_scheduler, POINTER(pn_scheduler_config)]),
    "pn_scheduler_ready": (c_int, [pn_scheduler, POINTER(pn_scheduler_hooks)]),
    "pn_scheduler_submit": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, POINTER(pn_scheduler_job),
        POINTER(pn_scheduler_answer)]),
    "pn_scheduler_ask": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, POINTER(pn_scheduler_job),
        POINTER(pn_scheduler_answer)]),
    "pn_scheduler_node_up": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint32]),
    "pn_scheduler_node_down": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint32]),
    "pn_scheduler_resize": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint32, c_uint32, c_uint32]),
    "pn_scheduler_offer": (c_int, [pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint32]),
    "pn_scheduler_started": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint64]),
    "pn_scheduler_finished": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint64]),
    "pn_scheduler_failed": (c_int, [pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint64]),
    "pn_scheduler_cancel": (c_int, [pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64, c_uint64]),
    "pn_scheduler_wake": (c_int, [pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64]),
    "pn_scheduler_tick": (c_int, [pn_scheduler, POINTER(pn_scheduler_hooks), c_uint64]),
    "pn_scheduler_wants": (c_int, [pn_scheduler, c_uint32]),
    "pn_scheduler_next_wanted": (c_uint32, [pn_scheduler, c_uint32, c_uint32]),
    "pn_scheduler_wants_ticks": (c_int, [pn_scheduler]),
    "pn_scheduler_next_opening": (c_uint64, [pn_scheduler]),
    "pn_scheduler_next_free": (c_uint32, [pn_scheduler, c_uint32, c_uint32]),
    "pn_scheduler_jobs": (c_uint32, [pn_scheduler]),
    "pn_scheduler_node_count": (c_uint32, [pn_scheduler]),
    "pn_scheduler_places_max": (c_uint32, [pn_scheduler]),
    "pn_scheduler_running_tasks": (c_uint32, [pn_scheduler]),
    "pn_scheduler_is_up": (c_int, [pn_scheduler, c_uint32]),
    "pn_scheduler_free_slots": (c_uint32, [pn_scheduler, c_uint32, c_uint32]),
    "pn_scheduler_task_into": (c_int, [
        pn_scheduler, c_uint32, POINTER(pn_scheduler_task), c_size_t]),
    "pn_scheduler_is_suspended": (c_int, [pn_scheduler, c_uint32]),
    "pn_scheduler_progress_into": (None, [
        pn_scheduler, c_uint32, POINTER(pn_scheduler_progress), c_size_t]),
    "pn_scheduler_first_reduce": (c_uint32, [pn_scheduler, c_uint32]),
    "pn_scheduler_next_reduce": (c_uint32, [pn_scheduler, c_uint32]),
    "pn_scheduler_next_record_into": (c_int, [
        pn_scheduler, POINTER(c_uint32), POINTER(pn_scheduler_record), c_size_t]),
    "pn_scheduler_totals_into": (None, [pn_scheduler, POINTER(pn_scheduler_totals), c_size_t]),
    "pn_scheduler_levels_into": (None, [pn_scheduler, POINTER(pn_scheduler_levels), c_size_t]),
    "pn_scheduler_group_into": (c_int, [
        pn_scheduler, c_uint32, POINTER(pn_scheduler_group), c_size_t]),
    "pn_scheduler_samples": (POINTER(pn_stats), [pn_scheduler, c_uint32, c_uint32]),
    "pn_scheduler_batches": (POINTER(pn_batches), [pn_scheduler]),
    "pn_scheduler_digest": (c_uint64, [pn_scheduler]),
    "pn_scheduler_policy_name": (c_char_p, [pn_scheduler]),
    "pn_scheduler_ranking": (c_uint32, [pn_scheduler, c_uint32, POINTER(pn_ranked), c_uint32]),
    "pn_scheduler_fifo": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_fair": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_hsrtf_pu": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_hsrtf_pup": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_hsrtf_pr": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_hsrtf_prp": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_rtmr": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_rtmr_live": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_dc": (POINTER(pn_scheduler_policy), []),
    "pn_scheduler_policy_at": (POINTER(pn_scheduler_policy), [c_size_t]),
    "pn_scheduler_policy_find": (POINTER(pn_scheduler_policy), [c_char_p]),
    "pn_dispatch_defaults_into": (None, [POINTER(pn_dispatch_config), c_size_t]),
    "pn_dispatch_check": (c_char_p, [POINTER(pn_dispatch_config)]),
    "pn_dispatch_setting_at": (POINTER(pn_setting), [c_size_t]),
    "pn_dispatch_model": (POINTER(pn_model), []),
    "pn_dispatch_size": (c_size_t, [POINTER(pn_dispatch_config)]),
    "pn_dispatch_init": (c_int, [
        POINTER(pn_dispatch), c_void_p, c_size_t, POINTER(pn_dispatch_config)]),
    "pn_dispatch_block_size": (c_size_t, [pn_dispatch]),
    "pn_dispatch_open": (c_int, [POINTER(pn_dispatch), c_void_p, c_size_t]),
    "pn_dispatch_validate": (c_int, [c_void_p, c_size_t]),
    "pn_dispatch_configured": (c_int, [pn_dispatch, POINTER(pn_dispatch_config)]),
    "pn_dispatch_ready": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks)]),
    "pn_dispatch_submit": (c_int, [
        pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, POINTER(pn_dispatch_job),
        POINTER(c_uint64)]),
    "pn_dispatch_fault": (c_char_p, [pn_dispatch, POINTER(pn_dispatch_job), POINTER(c_uint32)]),
    "pn_dispatch_node_up": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, c_uint32]),
    "pn_dispatch_node_down": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, c_uint32]),
    "pn_dispatch_resize": (c_int, [
        pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, c_uint32, POINTER(c_uint64)]),
    "pn_dispatch_finished": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, c_uint64]),
    "pn_dispatch_failed": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, c_uint64]),
    "pn_dispatch_cancel": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, c_uint64]),
    "pn_dispatch_tick": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64]),
    "pn_dispatch_run": (c_int, [pn_dispatch, POINTER(pn_dispatch_hooks), c_uint64, c_uint64]),
    "pn_dispatch_wants_ticks": (c_int, [pn_dispatch]),
    "pn_dispatch_jobs": (c_uint32, [pn_dispatch]),
    "pn_dispatch_node_count": (c_uint32, [pn_dispatch]),
    "pn_dispatch_queue_count": (c_uint32, [pn_dispatch]),
    "pn_dispatch_places_max": (c_uint32, [pn_dispatch]),
    "pn_dispatch_running_tasks": (c_uint32, [pn_dispatch]),
    "pn_dispatch_is_up": (c_int, [pn_dispatch, c_uint32]),
    "pn_dispatch_free": (c_uint64, [pn_dispatch, c_uint32, c_uint32]),
    "pn_dispatch_capacity": (c_uint64, [pn_dispatch, c_uint32]),
    "pn_dispatch_task_into": (c_int, [pn_dispatch, c_uint32, POINTER(pn_dispatch_task), c_size_t]),
    "pn_dispatch_next_record_into": (c_int, [
        pn_dispatch, POINTER(c_uint32), POINTER(pn_dispatch_record), c_size_t]),
    "pn_dispatch_times_get": (c_int, [pn_dispatch, c_uint32, POINTER(pn_dispatch_times)]),
    "pn_dispatch_demands_get": (c_uint32, [pn_dispatch, c_uint32, POINTER(c_uint64 * 4), c_uint32]),
    "pn_dispatch_totals_into": (None, [pn_dispatch, POINTER(pn_dispatch_totals), c_size_t]),
    "pn_dispatch_levels_into": (None, [pn_dispatch, POINTER(pn_dispatch_levels), c_size_t]),
    "pn_dispatch_queue_into": (c_int, [
        pn_dispatch, c_uint32, POINTER(pn_dispatch_queue_totals), c_size_t]),
    "pn_dispatch_digest": (c_uint64, [pn_dispatch]),
    "pn_dispatch_policy_name": (c_char_p, [pn_dispatch]),
    "pn_dispatch_ranking": (c_uint32, [pn_dispatch, POINTER(pn_ranked), c_uint32]),
    "pn_dispatch_fifo": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_fair": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_drf": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_capacity_queues": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_sjf_cp": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_cp": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_srpt": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_wfair": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_tetris": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_hfsp": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_las": (POINTER(pn_dispatch_policy), []),
    "pn_dispatch_policy_at": (POINTER(pn_dispatch_policy), [c_size_t]),
    "pn_dispatch_policy_find": (POINTER(pn_dispatch_policy), [c_char_p]),
    "pn_dispatch_order_of": (POINTER(pn_dispatch_order), [pn_dispatch]),
    "pn_dispatch_now": (c_uint64, [pn_dispatch_view]),
    "pn_dispatch_param_value": (c_double, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_state": (c_void_p, [pn_dispatch_view]),
    "pn_dispatch_stream": (POINTER(pn_stream), [pn_dispatch_view]),
    "pn_dispatch_policy_of": (POINTER(pn_dispatch_policy), [pn_dispatch_view]),
    "pn_dispatch_user": (c_void_p, [pn_dispatch_view]),
    "pn_dispatch_jobs_max": (c_uint32, [pn_dispatch_view]),
    "pn_dispatch_active": (c_uint32, [pn_dispatch_view]),
    "pn_dispatch_set_order": (c_int, [pn_dispatch_view, POINTER(pn_dispatch_order)]),
    "pn_dispatch_exchange": (c_int, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_order_get": (pn_dispatch_order, [pn_dispatch_view]),
    "pn_dispatch_resources": (c_uint32, [pn_dispatch_view]),
    "pn_dispatch_total": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_largest": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_nodes_all": (c_uint32, [pn_dispatch_view]),
    "pn_dispatch_node_capacity": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_node_free": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_node_used": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_node_is_up": (c_int, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_node_speed": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_queues_all": (c_uint32, [pn_dispatch_view]),
    "pn_dispatch_queue_weight": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_queue_guaranteed": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_queue_maximum": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_queue_running": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_queue_use": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_next": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_id": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_arrival_of": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_deadline_of": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_priority_of": (c_int32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_weight_of": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_queue_of": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_group_of": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_attribute_count": (c_uint32, [pn_dispatch_view]),
    "pn_dispatch_attribute_of": (c_double, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_stage_count": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_stages_left": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_running": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_use": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_executors_of": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_holds": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_wanting": (c_uint32, [pn_dispatch_view]),
    "pn_dispatch_work": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_left": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_left_area": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_path": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_service": (pn_wide, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_virtual_tag": (pn_wide, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_next_stage": (c_uint32, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_stage_index": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_stage_job": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_demand": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_estimate": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_depth": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_dominant": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_tasks": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_stage_running": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_done": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_pending": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_is_ready": (c_int, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_share": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_queue_share": (c_uint64, [pn_dispatch_view, c_uint32, c_uint32, c_uint32]),
    "pn_dispatch_share_without": (c_uint64, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_scale": (pn_wide, [c_uint64, c_uint64, c_uint64]),
    "pn_dispatch_log2": (c_uint64, [c_uint64]),
    "pn_dispatch_first_offered": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_in_maximum": (c_int, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_room": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_next_on_node": (c_uint32, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_attempt_task_into": (None, [
        pn_dispatch_view, c_uint32, POINTER(pn_dispatch_task), c_size_t]),
    "pn_dispatch_attempt_stage": (c_uint32, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_may_kill": (c_int, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_suppose": (None, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_kill_supposed": (None, [pn_dispatch_view]),
    "pn_dispatch_spare_supposed": (None, [pn_dispatch_view]),
    "pn_dispatch_kill": (c_int, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_launch": (c_int, [pn_dispatch_view, c_uint32, c_uint32]),
    "pn_dispatch_launchable": (c_int, [pn_dispatch_view, c_uint32]),
    "pn_dispatch_give_up": (None, [pn_dispatch_view, c_int]),
    "pn_input_check": (c_uint64, [c_uint64, c_void_p, c_size_t]),
    "pn_scheduler_apply": (c_int, [
        pn_scheduler, POINTER(pn_scheduler_hooks), POINTER(pn_scheduler_input)]),
    "pn_scheduler_input_head": (c_size_t, [
        POINTER(pn_scheduler_config), POINTER(pn_scheduler_hooks), POINTER(pn_input_about),
        POINTER(c_uint64), c_char_p, c_size_t]),
    "pn_scheduler_input_line": (c_size_t, [
        POINTER(pn_scheduler_input), POINTER(c_uint64), c_char_p, c_size_t]),
    "pn_scheduler_input_name": (c_char_p, [c_uint32, POINTER(c_uint32)]),
    "pn_scheduler_fields": (POINTER(pn_field), [c_uint]),
    "pn_dispatch_apply": (c_int, [
        pn_dispatch, POINTER(pn_dispatch_hooks), POINTER(pn_dispatch_input)]),
    "pn_dispatch_input_head": (c_size_t, [
        POINTER(pn_dispatch_config), POINTER(pn_dispatch_hooks), POINTER(pn_input_about),
        POINTER(c_uint64), c_char_p, c_size_t]),
    "pn_dispatch_input_line": (c_size_t, [
        POINTER(pn_dispatch_input), POINTER(c_uint64), c_char_p, c_size_t]),
    "pn_dispatch_input_name": (c_char_p, [c_uint32, POINTER(c_uint32)]),
    "pn_dispatch_fields": (POINTER(pn_field), [c_uint]),
    "pn_scheduler_now": (c_uint64, [pn_scheduler_view]),
    "pn_scheduler_param_value": (c_double, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_state": (c_void_p, [pn_scheduler_view]),
    "pn_scheduler_stream": (POINTER(pn_stream), [pn_scheduler_view]),
    "pn_scheduler_policy_of": (POINTER(pn_scheduler_policy), [pn_scheduler_view]),
    "pn_scheduler_user": (c_void_p, [pn_scheduler_view]),
    "pn_scheduler_jobs_max": (c_uint32, [pn_scheduler_view]),
    "pn_scheduler_active": (c_uint32, [pn_scheduler_view]),
    "pn_scheduler_order_get": (pn_scheduler_order, [pn_scheduler_view]),
    "pn_scheduler_admission_get": (pn_scheduler_admission, [pn_scheduler_view]),
    "pn_scheduler_set_rules": (c_int, [
        pn_scheduler_view, POINTER(pn_scheduler_order), POINTER(pn_scheduler_admission)]),
    "pn_scheduler_all_nodes": (c_uint32, [pn_scheduler_view]),
    "pn_scheduler_capacity": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_capacity_up": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_free": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_node_free": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_node_slots": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_node_is_up": (c_int, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_node_speed": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_next": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_by_key": (POINTER(c_uint32), [pn_scheduler_view, c_uint32, POINTER(c_uint32)]),
    "pn_scheduler_first": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_id": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_group_of": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_attribute_count": (c_uint32, [pn_scheduler_view]),
    "pn_scheduler_attribute_of": (c_double, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_submit_of": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_deadline_of": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_weight_of": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_priority_of": (c_int32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_tasks": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_running": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_suspended": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_done": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_unfinished": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_pending": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_need": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_may_run": (c_int, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_has_local": (c_int, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_resumes": (c_int, [pn_scheduler_view, c_uint32, c_uint32, c_uint32]),
    "pn_scheduler_has_affinity": (c_int, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_average": (c_uint64, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_remaining": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_remaining_on": (c_uint64, [pn_scheduler_view, c_uint32, c_uint64, c_uint64]),
    "pn_scheduler_alone": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_weigh": (None, [pn_scheduler_view, c_uint32, c_uint64]),
    "pn_scheduler_share": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_fill": (None, [pn_scheduler_view, c_uint32, POINTER(c_uint64)]),
    "pn_scheduler_scale": (c_uint64, [c_uint64, c_uint64, c_uint64]),
    "pn_scheduler_kill": (c_int, [
        pn_scheduler_view, c_uint32, c_uint32, c_uint32, POINTER(c_uint32)]),
    "pn_scheduler_kill_attempt": (c_int, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_suspend": (c_int, [
        pn_scheduler_view, c_uint32, c_uint32, c_uint32, POINTER(c_uint32)]),
    "pn_scheduler_suspend_attempt": (c_int, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_next_attempt": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32, c_uint32]),
    "pn_scheduler_next_suspended": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32, c_uint32]),
    "pn_scheduler_next_on_node": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_attempt_task_into": (None, [
        pn_scheduler_view, c_uint32, POINTER(pn_scheduler_task), c_size_t]),
    "pn_scheduler_attempt_job": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_attempt_suspended": (c_int, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_attempt_twin": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_task_attempt": (c_uint32, [pn_scheduler_view, c_uint32, c_uint32, c_uint32]),
    "pn_scheduler_copied": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_attempt_progress": (c_uint32, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_est_ms": (c_uint64, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_set_est_ms": (c_int, [pn_scheduler_view, c_uint32, c_uint32, c_uint64]),
    "pn_scheduler_set_deadline": (c_int, [pn_scheduler_view, c_uint32, c_uint64]),
    "pn_scheduler_asked": (c_int, [pn_scheduler_view]),
    "pn_scheduler_input_of": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_intermediate_of": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_longest": (c_uint64, [pn_scheduler_view, c_uint32, c_uint32]),
    "pn_scheduler_foresee": (c_int, [pn_scheduler_view, c_uint32, POINTER(pn_scheduler_answer)]),
    "pn_scheduler_estimate_of": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_estimate_anew": (c_uint64, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_feed_back": (None, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_has_failed": (c_int, [pn_scheduler_view, c_uint32]),
    "pn_scheduler_limit": (None, [pn_scheduler_view, c_uint32, c_uint32, c_uint32]),
    "pn_scheduler_hold": (None, [pn_scheduler_view, c_uint32, c_uint32, c_uint64]),
    "pn_scheduler_give_up": (None, [pn_scheduler_view, c_int]),
    "pn_cluster_defaults_into": (None, [POINTER(pn_cluster_config), c_size_t, c_size_t]),
    "pn_cluster_check": (c_char_p, [POINTER(pn_cluster_config)]),
    "pn_cluster_setting_at": (POINTER(pn_setting), [c_size_t]),
    "pn_cluster_model": (POINTER(pn_model), []),
    "pn_cluster_needs_of": (pn_cluster_needs, [
        POINTER(pn_cluster_config), POINTER(pn_cluster_job)]),
    "pn_cluster_size": (c_size_t, [POINTER(pn_cluster_config)]),
    "pn_cluster_init": (c_int, [
        POINTER(pn_cluster), c_void_p, c_size_t, POINTER(pn_cluster_config)]),
    "pn_cluster_block_size": (c_size_t, [pn_cluster]),
    "pn_cluster_open": (c_int, [POINTER(pn_cluster), c_void_p, c_size_t]),
    "pn_cluster_validate": (c_int, [c_void_p, c_size_t]),
    "pn_cluster_configured": (c_int, [pn_cluster, POINTER(pn_cluster_config)]),
    "pn_cluster_submit": (c_int, [pn_cluster, POINTER(pn_cluster_job), POINTER(c_uint64)]),
    "pn_cluster_fail": (c_int, [pn_cluster, c_uint64, c_uint32, c_uint64]),
    "pn_cluster_step": (c_int, [pn_cluster, POINTER(pn_cluster_hooks)]),
    "pn_cluster_run": (c_int, [pn_cluster, POINTER(pn_cluster_hooks), c_uint64, c_uint64]),
    "pn_cluster_wait": (c_int, [pn_cluster, POINTER(pn_cluster_hooks), c_uint64, c_uint64]),
    "pn_cluster_over": (c_int, [pn_cluster]),
    "pn_cluster_totals_into": (None, [pn_cluster, POINTER(pn_cluster_totals), c_size_t, c_size_t]),
    "pn_cluster_levels_into": (None, [pn_cluster, POINTER(pn_scheduler_levels), c_size_t]),
    "pn_cluster_bound": (c_uint64, [pn_cluster]),
    "pn_cluster_scheduler": (pn_scheduler, [pn_cluster]),
    "pn_cluster_digest": (c_uint64, [pn_cluster]),
    "pn_cluster_replicas": (None, [
        c_uint64, c_uint64, c_uint32, c_uint32, c_uint32, POINTER(c_uint32)]),
    "pn_cluster_factor": (c_uint32, [
        c_uint64, c_uint32, c_uint32, c_uint64, c_uint32, c_uint32, c_uint32]),
    "pn_cluster_verifier_size": (c_size_t, [POINTER(pn_cluster_claim)]),
    "pn_cluster_verifier_init": (c_int, [
        POINTER(pn_cluster_verifier), c_void_p, c_size_t, POINTER(pn_cluster_claim)]),
    "pn_cluster_verifier_feed": (c_int, [pn_cluster_verifier, POINTER(pn_scheduler_event)]),
    "pn_cluster_verifier_stop": (c_int, [pn_cluster_verifier, c_uint64]),
    "pn_cluster_verifier_end": (c_int, [pn_cluster_verifier, c_uint64, c_uint64, c_uint64]),
    "pn_cluster_verifier_fault": (c_char_p, [
        pn_cluster_verifier, POINTER(c_uint64), POINTER(c_uint64)]),
    "pn_dag_defaults_into": (None, [POINTER(pn_dag_config), c_size_t, c_size_t]),
    "pn_dag_check": (c_char_p, [POINTER(pn_dag_config)]),
    "pn_dag_setting_at": (POINTER(pn_setting), [c_size_t]),
    "pn_dag_model": (POINTER(pn_model), []),
    "pn_dag_needs_of": (pn_dag_needs, [POINTER(pn_dag_config), POINTER(pn_dag_job)]),
    "pn_dag_size": (c_size_t, [POINTER(pn_dag_config)]),
    "pn_dag_init": (c_int, [POINTER(pn_dag), c_void_p, c_size_t, POINTER(pn_dag_config)]),
    "pn_dag_block_size": (c_size_t, [pn_dag]),
    "pn_dag_open": (c_int, [POINTER(pn_dag), c_void_p, c_size_t]),
    "pn_dag_validate": (c_int, [c_void_p, c_size_t]),
    "pn_dag_configured": (c_int, [pn_dag, POINTER(pn_dag_config)]),
    "pn_dag_submit": (c_int, [pn_dag, POINTER(pn_dag_job), POINTER(c_uint64)]),
    "pn_dag_fault": (c_char_p, [pn_dag, POINTER(pn_dag_job), POINTER(c_uint32)]),
    "pn_dag_fail": (c_int, [pn_dag, c_uint64, c_uint32, c_uint64]),
    "pn_dag_step": (c_int, [pn_dag, POINTER(pn_dag_hooks)]),
    "pn_dag_run": (c_int, [pn_dag, POINTER(pn_dag_hooks), c_uint64, c_uint64]),
    "pn_dag_wait": (c_int, [pn_dag, POINTER(pn_dag_hooks), c_uint64, c_uint64]),
    "pn_dag_over": (c_int, [pn_dag]),
    "pn_dag_totals_into": (None, [pn_dag, POINTER(pn_dag_totals), c_size_t, c_size_t]),
    "pn_dag_levels_into": (None, [pn_dag, POINTER(pn_dispatch_levels), c_size_t]),
    "pn_dag_queue_into": (c_int, [pn_dag, c_uint32, POINTER(pn_dispatch_queue_totals), c_size_t]),
    "pn_dag_group_into": (c_int, [pn_dag, c_uint32, POINTER(pn_dag_group), c_size_t]),
    "pn_dag_samples": (POINTER(pn_stats), [pn_dag, c_uint32, c_uint32]),
    "pn_dag_batches": (POINTER(pn_batches), [pn_dag]),
    "pn_dag_dispatch": (pn_dispatch, [pn_dag]),
    "pn_dag_digest": (c_uint64, [pn_dag]),
    "pn_dag_factor": (c_uint32, [c_uint64, c_uint32, c_uint32, c_uint64, c_uint32, c_uint32]),
    "pn_dag_misjudgement": (c_uint32, [c_uint64, c_uint32, c_uint32, c_uint64, c_uint32]),
    "pn_dag_verifier_size": (c_size_t, [POINTER(pn_dag_claim)]),
    "pn_dag_verifier_init": (c_int, [
        POINTER(pn_dag_verifier), c_void_p, c_size_t, POINTER(pn_dag_claim)]),
    "pn_dag_verifier_feed": (c_int, [pn_dag_verifier, POINTER(pn_dispatch_event)]),
    "pn_dag_verifier_row": (c_int, [pn_dag_verifier, POINTER(pn_dag_record)]),
    "pn_dag_verifier_stop": (c_int, [pn_dag_verifier, c_uint64]),
    "pn_dag_verifier_end": (c_int, [pn_dag_verifier, c_uint64, POINTER(pn_dag_totals), c_uint64]),
    "pn_dag_verifier_fault": (c_char_p, [pn_dag_verifier, POINTER(c_uint64), POINTER(c_uint64)]),
    "pn_makespan_defaults_into": (None, [POINTER(pn_makespan_config), c_size_t]),
    "pn_makespan_check": (c_char_p, [POINTER(pn_makespan_config)]),
    "pn_makespan_setting_at": (POINTER(pn_setting), [c_size_t]),
    "pn_makespan_model": (POINTER(pn_model), []),
    "pn_makespan_size": (c_size_t, [POINTER(pn_makespan_config)]),
    "pn_makespan_init": (c_int, [
        POINTER(pn_makespan), c_void_p, c_size_t, POINTER(pn_makespan_config)]),
    "pn_makespan_block_size": (c_size_t, [pn_makespan]),
    "pn_makespan_open": (c_int, [POINTER(pn_makespan), c_void_p, c_size_t]),
    "pn_makespan_validate": (c_int, [c_void_p, c_size_t]),
    "pn_makespan_submit": (c_int, [pn_makespan, POINTER(pn_makespan_job), POINTER(c_uint64)]),
    "pn_makespan_set_order": (c_int, [pn_makespan, POINTER(c_uint64), c_size_t]),
    "pn_makespan_set_pools": (c_int, [pn_makespan, POINTER(pn_makespan_pool), c_size_t]),
    "pn_makespan_plan": (c_int, [pn_makespan, POINTER(pn_makespan_hooks)]),
    "pn_makespan_step": (c_int, [pn_makespan, POINTER(pn_makespan_hooks)]),
    "pn_makespan_run": (c_int, [pn_makespan, POINTER(pn_makespan_hooks), c_uint64, c_uint64]),
    "pn_makespan_ticks": (c_uint64, [pn_makespan]),
    "pn_makespan_jobs": (c_uint32, [pn_makespan]),
    "pn_makespan_order": (c_uint64, [pn_makespan, c_uint32]),
    "pn_makespan_pools": (c_uint32, [pn_makespan]),
    "pn_makespan_pool_get": (None, [pn_makespan, c_uint32, POINTER(pn_makespan_pool_plan)]),
    "pn_makespan_totals_into": (None, [pn_makespan, POINTER(pn_makespan_totals), c_size_t]),
    "pn_makespan_levels_into": (None, [pn_makespan, POINTER(pn_makespan_levels), c_size_t]),
    "pn_makespan_bound": (c_int, [pn_makespan, POINTER(pn_exact)]),
    "pn_makespan_digest": (c_uint64, [pn_makespan]),
    "pn_makespan_completions": (POINTER(pn_stats), [pn_makespan, c_uint32]),
    "pn_makespan_policy_name": (c_char_p, [pn_makespan]),
    "pn_makespan_ranking": (c_uint32, [pn_makespan, c_uint32, POINTER(pn_ranked), c_uint32]),
    "pn_makespan_fifo": (POINTER(pn_makespan_policy), []),
    "pn_makespan_given_order": (POINTER(pn_makespan_policy), []),
    "pn_makespan_johnson": (POINTER(pn_makespan_policy), []),
    "pn_makespan_mk_jr": (POINTER(pn_makespan_policy), []),
    "pn_makespan_uaas": (POINTER(pn_makespan_policy), []),
    "pn_makespan_balanced_pools": (POINTER(pn_makespan_policy), []),
    "pn_makespan_fixed_pools": (POINTER(pn_makespan_policy), []),
    "pn_makespan_optimal": (POINTER(pn_makespan_policy), []),
    "pn_makespan_portfolio": (POINTER(pn_makespan_policy), []),
    "pn_makespan_neh": (POINTER(pn_makespan_policy), []),
    "pn_makespan_local_search": (POINTER(pn_makespan_policy), []),
    "pn_makespan_exact": (POINTER(pn_makespan_policy), []),
    "pn_makespan_policy_at": (POINTER(pn_makespan_policy), [c_size_t]),
    "pn_makespan_policy_find": (POINTER(pn_makespan_policy), [c_char_p]),
    "pn_makespan_verifier_size": (c_size_t, [POINTER(pn_makespan_claim)]),
    "pn_makespan_verifier_init": (c_int, [
        POINTER(pn_makespan_verifier), c_void_p, c_size_t, POINTER(pn_makespan_claim)]),
    "pn_makespan_verifier_feed": (c_int, [pn_makespan_verifier, POINTER(pn_makespan_decision)]),
    "pn_makespan_verifier_end": (c_int, [pn_makespan_verifier, c_uint64, c_uint64]),
    "pn_makespan_verifier_fault": (c_char_p, [
        pn_makespan_verifier, POINTER(c_uint64), POINTER(c_uint64)]),
    "pn_makespan_score_compare": (c_int, [
        POINTER(pn_makespan_score), POINTER(pn_makespan_score), c_int]),
    "pn_makespan_job_count": (c_uint32, [pn_makespan_view]),
    "pn_makespan_slots": (c_uint32, [pn_makespan_view, c_uint32]),
    "pn_makespan_nodes": (c_uint32, [pn_makespan_view]),
    "pn_makespan_level_of": (c_uint32, [pn_makespan_view]),
    "pn_makespan_resplit_of": (c_uint32, [pn_makespan_view]),
    "pn_makespan_unit": (c_uint64, [pn_makespan_view]),
    "pn_makespan_param_value": (c_double, [pn_makespan_view, c_uint32]),
    "pn_makespan_state": (c_void_p, [pn_makespan_view]),
    "pn_makespan_stream": (POINTER(pn_stream), [pn_makespan_view]),
    "pn_makespan_policy_of": (POINTER(pn_makespan_policy), [pn_makespan_view]),
    "pn_makespan_user": (c_void_p, [pn_makespan_view]),
    "pn_makespan_group": (c_uint32, [pn_makespan_view, c_uint32]),
    "pn_makespan_attribute_count": (c_uint32, [pn_makespan_view]),
    "pn_makespan_attribute": (c_double, [pn_makespan_view, c_uint32, c_uint32]),
    "pn_makespan_tasks": (c_uint32, [pn_makespan_view, c_uint32, c_uint32]),
    "pn_makespan_work": (c_uint64, [pn_makespan_view, c_uint32, c_uint32]),
    "pn_makespan_longest": (c_uint64, [pn_makespan_view, c_uint32, c_uint32]),
    "pn_makespan_requested": (c_uint32, [pn_makespan_view, c_uint32, c_uint32]),
    "pn_makespan_stretch_count": (c_uint32, [pn_makespan_view, c_uint32, c_uint32]),
    "pn_makespan_stretch_of": (pn_makespan_stretch, [
        pn_makespan_view, c_uint32, c_uint32, c_uint32]),
    "pn_makespan_order_set": (POINTER(c_uint32), [pn_makespan_view]),
    "pn_makespan_pools_set": (c_uint32, [pn_makespan_view]),
    "pn_makespan_pool_set": (POINTER(c_uint32), [
        pn_makespan_view, c_uint32, POINTER(c_uint32), POINTER(c_uint32)]),
    "pn_makespan_estimate": (pn_exact, [pn_makespan_view, c_uint32, c_uint32, c_uint32, c_uint32]),
    "pn_makespan_johnson_order": (c_int, [
        pn_makespan_view, POINTER(c_uint32), c_uint32, c_uint32, c_uint32, c_uint32, c_uint32]),
    "pn_makespan_johnson_by": (c_int, [
        pn_makespan_view, POINTER(c_uint32), c_uint32, POINTER(pn_exact), POINTER(pn_exact),
        c_uint32]),
    "pn_makespan_evaluate": (c_int, [
        pn_makespan_view, POINTER(c_uint32), c_uint32, c_uint32, c_uint32,
        POINTER(pn_makespan_score), c_int, POINTER(pn_makespan_score)]),
    "pn_makespan_give_order": (c_int, [pn_makespan_view, POINTER(c_uint32), c_uint32]),
    "pn_makespan_give_pool": (c_int, [pn_makespan_view, c_uint32, POINTER(c_uint32), c_uint32]),
    "pn_makespan_give_tasks": (c_int, [
        pn_makespan_view, POINTER(pn_makespan_task), c_uint32, POINTER(pn_makespan_task),
        c_uint32]),
    "pn_makespan_prove": (None, [pn_makespan_view, c_uint64, c_uint64]),
    "pn_makespan_stop_asked": (c_int, [pn_makespan_view, c_uint64]),
    "pn_seal": (c_int, [c_void_p, c_size_t, POINTER(c_ubyte)]),
    "pn_unseal": (c_int, [c_void_p, c_size_t, POINTER(c_ubyte)]),
    "pn_sealed_size": (c_uint64, [POINTER(c_ubyte)]),
    "pn_slotted_defaults_into": (None, [POINTER(pn_slotted_config), c_size_t]),
    "pn_slotted_check": (c_char_p, [POINTER(pn_slotted_config)]),
    "pn_slotted_setting_at": (POINTER(pn_setting), [c_size_t]),
    "pn_slotted_model": (POINTER(pn_model), []),
    "pn_slotted_size": (c_size_t, [POINTER(pn_slotted_config)]),
    "pn_slotted_init": (c_int, [
        POINTER(pn_slotted), c_void_p, c_size_t, POINTER(pn_slotted_config)]),
    "pn_slotted_block_size": (c_size_t, [pn_slotted]),
    "pn_slotted_open": (c_int, [POINTER(pn_slotted), c_void_p, c_size_t]),
    "pn_slotted_validate": (c_int, [c_void_p, c_size_t]),
    "pn_slotted_configured": (c_int, [pn_slotted, POINTER(pn_slotted_config)]),
    "pn_slotted_submit": (c_int, [pn_slotted, POINTER(pn_slotted_job), POINTER(c_uint64)]),
    "pn_slotted_step": (c_int, [pn_slotted, POINTER(pn_slotted_hooks)]),
    "pn_slotted_run": (c_int, [pn_slotted, POINTER(pn_slotted_hooks), c_uint64]),
    "pn_slotted_run_some": (c_int, [pn_slotted, POINTER(pn_slotted_hooks), c_uint64, c_uint64]),
    "pn_slotted_totals_into": (None, [pn_slotted, POINTER(pn_slotted_totals), c_size_t]),
    "pn_slotted_levels_into": (None, [
        pn_slotted, POINTER(pn_slotted_levels), POINTER(pn_slotted_levels), c_size_t]),
    "pn_slotted_digest": (c_uint64, [pn_slotted]),
    "pn_slotted_flow_times": (POINTER(pn_stats), [pn_slotted, c_uint32]),
    "pn_slotted_batches": (POINTER(pn_batches), [pn_slotted]),
    "pn_slotted_policy_name": (c_char_p, [pn_slotted]),
    "pn_slotted_ranking": (c_uint32, [pn_slotted, c_uint32, POINTER(pn_ranked), c_uint32]),
    "pn_slotted_fifo": (POINTER(pn_slotted_policy), []),
    "pn_slotted_fair": (POINTER(pn_slotted_policy), []),
    "pn_slotted_lrpt": (POINTER(pn_slotted_policy), []),
    "pn_slotted_srpt": (POINTER(pn_slotted_policy), []),
    "pn_slotted_dsrpt": (POINTER(pn_slotted_policy), []),
    "pn_slotted_asrpt": (POINTER(pn_slotted_policy), []),
    "pn_slotted_asrpt_cu": (POINTER(pn_slotted_policy), []),
    "pn_slotted_dspt": (POINTER(pn_slotted_policy), []),
    "pn_slotted_dsptf": (POINTER(pn_slotted_policy), []),
    "pn_slotted_psrpt": (POINTER(pn_slotted_policy), []),
    "pn_slotted_rfirst": (POINTER(pn_slotted_policy), []),
    "pn_slotted_idx": (POINTER(pn_slotted_policy), []),
    "pn_slotted_srpt_aged": (POINTER(pn_slotted_policy), []),
    "pn_slotted_policy_at": (POINTER(pn_slotted_policy), [c_size_t]),
    "pn_slotted_policy_find": (POINTER(pn_slotted_policy), [c_char_p]),
    "pn_slotted_bound_size": (c_size_t, [c_size_t]),
    "pn_slotted_bound_tight": (c_int, [
        c_void_p, c_size_t, c_uint32, c_uint32, POINTER(pn_slotted_job), c_size_t,
        CFUNCTYPE(c_int, c_void_p), c_void_p, POINTER(c_uint64)]),
    "pn_slotted_verifier_size": (c_size_t, [POINTER(pn_slotted_claim)]),
    "pn_slotted_verifier_init": (c_int, [
        POINTER(pn_slotted_verifier), c_void_p, c_size_t, POINTER(pn_slotted_claim)]),
    "pn_slotted_verifier_feed": (c_int, [pn_slotted_verifier, POINTER(pn_slotted_decision)]),
    "pn_slotted_verifier_stop": (c_int, [pn_slotted_verifier, c_uint64]),
    "pn_slotted_verifier_end": (c_int, [pn_slotted_verifier, c_uint64, c_uint64]),
    "pn_slotted_verifier_fault": (c_char_p, [
        pn_slotted_verifier, POINTER(c_uint64), POINTER(c_uint64)]),
    "pn_slotted_slot": (c_uint64, [pn_slotted_view]),
    "pn_slotted_machines": (c_uint32, [pn_slotted_view]),
    "pn_slotted_jobs_max": (c_uint32, [pn_slotted_view]),
    "pn_slotted_idle": (c_uint32, [pn_slotted_view]),
    "pn_slotted_in_system": (c_uint32, [pn_slotted_view]),
    "pn_slotted_active": (c_int, [pn_slotted_view, c_uint32]),
    "pn_slotted_preemptive": (c_int, [pn_slotted_view]),
    "pn_slotted_param_value": (c_double, [pn_slotted_view, c_uint32]),
    "pn_slotted_state": (c_void_p, [pn_slotted_view]),
    "pn_slotted_stream": (POINTER(pn_stream), [pn_slotted_view]),
    "pn_slotted_policy_of": (POINTER(pn_slotted_policy), [pn_slotted_view]),
    "pn_slotted_user": (c_void_p, [pn_slotted_view]),
    "pn_slotted_id": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_arrival": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_group": (c_uint32, [pn_slotted_view, c_uint32]),
    "pn_slotted_attribute_count": (c_uint32, [pn_slotted_view]),
    "pn_slotted_attribute": (c_double, [pn_slotted_view, c_uint32, c_uint32]),
    "pn_slotted_maps_left": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_reduces_left": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_remaining": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_attained": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_job_size": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_in_maps": (c_int, [pn_slotted_view, c_uint32]),
    "pn_slotted_offer": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_held": (c_uint32, [pn_slotted_view, c_uint32]),
    "pn_slotted_given": (c_uint32, [pn_slotted_view, c_uint32]),
    "pn_slotted_load": (c_uint64, [pn_slotted_view, c_uint32]),
    "pn_slotted_fail": (None, [pn_slotted_view, c_int]),
    "pn_slotted_key_remaining": (None, [pn_slotted_view, c_uint32, POINTER(pn_key)]),
    "pn_slotted_key_most_remaining": (None, [pn_slotted_view, c_uint32, POINTER(pn_key)]),
    "pn_slotted_give": (c_int, [pn_slotted_view, c_uint32, c_uint64]),
    "pn_slotted_take_back": (None, [pn_slotted_view]),
    "pn_slotted_fill": (c_int, [pn_slotted_view, c_uint32, c_uint64]),
    "pn_slotted_share": (c_int, [pn_slotted_view, c_uint32, c_uint64]),
    "pn_slotted_share_key": (None, [pn_slotted_view, c_uint32, POINTER(pn_key)]),
    "pn_slotted_next_at_least": (c_uint32, [pn_slotted_view, c_uint32, c_uint32, c_uint64]),
    "pn_slotted_next_at_most": (c_uint32, [pn_slotted_view, c_uint32, c_uint32, c_uint64]),
    "pn_slotted_member": (c_int, [pn_slotted_view, c_uint32, c_uint32]),
    "pn_slotted_served_count": (c_uint32, [pn_slotted_view]),
    "pn_slotted_served_at": (pn_slotted_served, [pn_slotted_view, c_uint32]),
    "pn_tandem_defaults_into": (None, [POINTER(pn_tandem_config), c_size_t]),
    "pn_tandem_check": (c_char_p, [POINTER(pn_tandem_config)]),
    "pn_tandem_setting_at": (POINTER(pn_setting), [c_size_t]),
    "pn_tandem_model": (POINTER(pn_model), []),
    "pn_tandem_size": (c_size_t, [POINTER(pn_tandem_config)]),
    "pn_tandem_init": (c_int, [POINTER(pn_tandem), c_void_p, c_size_t, POINTER(pn_tandem_config)]),
    "pn_tandem_block_size": (c_size_t, [pn_tandem]),
    "pn_tandem_open": (c_int, [POINTER(pn_tandem), c_void_p, c_size_t]),
    "pn_tandem_validate": (c_int, [c_void_p, c_size_t]),
    "pn_tandem_configured": (c_int, [pn_tandem, POINTER(pn_tandem_config)]),
    "pn_tandem_submit": (c_int, [pn_tandem, POINTER(pn_tandem_job), POINTER(c_uint64)]),
    "pn_tandem_step": (c_int, [pn_tandem, POINTER(pn_tandem_hooks)]),
    "pn_tandem_run": (c_int, [pn_tandem, POINTER(pn_tandem_hooks), c_double, c_uint64]),
    "pn_tandem_totals_into": (None, [pn_tandem, POINTER(pn_tandem_totals), c_size_t]),
    "pn_tandem_levels_into": (None, [pn_tandem, POINTER(pn_tandem_levels), c_size_t]),
    "pn_tandem_digest": (c_uint64, [pn_tandem]),
    "pn_tandem_response_times": (POINTER(pn_stats), [pn_tandem, c_uint32]),
    "pn_tandem_slowdowns": (POINTER(pn_stats), [pn_tandem, c_uint32]),
    "pn_tandem_batches": (POINTER(pn_batches), [pn_tandem]),
    "pn_tandem_slowdown_bucket": (POINTER(pn_tandem_bucket), [pn_tandem, c_uint32]),
    "pn_tandem_policy_name": (c_char_p, [pn_tandem]),
    "pn_tandem_ranking": (c_uint32, [pn_tandem, c_uint32, POINTER(pn_ranked), c_uint32]),
    "pn_tandem_fcfs": (POINTER(pn_tandem_policy), []),
    "pn_tandem_ps": (POINTER(pn_tandem_policy), []),
    "pn_tandem_klps": (POINTER(pn_tandem_policy), []),
    "pn_tandem_klps_rigid": (POINTER(pn_tandem_policy), []),
    "pn_tandem_fcfs_ps": (POINTER(pn_tandem_policy), []),
    "pn_tandem_maxsrpt": (POINTER(pn_tandem_policy), []),
    "pn_tandem_splitsrpt": (POINTER(pn_tandem_policy), []),
    "pn_tandem_srptmap": (POINTER(pn_tandem_policy), []),
    "pn_tandem_srptsum": (POINTER(pn_tandem_policy), []),
    "pn_tandem_srptshuffle": (POINTER(pn_tandem_policy), []),
    "pn_tandem_johnson": (POINTER(pn_tandem_policy), []),
    "pn_tandem_priority": (POINTER(pn_tandem_policy), []),
    "pn_tandem_bsrpt": (POINTER(pn_tandem_policy), []),
    "pn_tandem_xmax": (POINTER(pn_tandem_policy), []),
    "pn_tandem_policy_at": (POINTER(pn_tandem_policy), [c_size_t]),
    "pn_tandem_policy_find": (POINTER(pn_tandem_policy), [c_char_p]),
    "pn_tandem_verifier_size": (c_size_t, [POINTER(pn_tandem_claim)]),
    "pn_tandem_verifier_init": (c_int, [
        POINTER(pn_tandem_verifier), c_void_p, c_size_t, POINTER(pn_tandem_claim)]),
    "pn_tandem_verifier_feed": (c_int, [pn_tandem_verifier, POINTER(pn_tandem_decision)]),
    "pn_tandem_verifier_stop": (c_int, [pn_tandem_verifier, c_double]),
    "pn_tandem_verifier_end": (c_int, [pn_tandem_verifier, c_double, c_uint64]),
    "pn_tandem_verifier_fault": (c_char_p, [
        pn_tandem_verifier, POINTER(c_double), POINTER(c_uint64)]),
    "pn_tandem_verifier_total": (c_double, [pn_tandem_verifier, POINTER(c_double)]),
    "pn_tandem_time": (c_double, [pn_tandem_view]),
    "pn_tandem_speed": (c_double, [pn_tandem_view]),
    "pn_tandem_overlap": (c_int, [pn_tandem_view]),
    "pn_tandem_jobs_max": (c_uint32, [pn_tandem_view]),
    "pn_tandem_in_system": (c_uint32, [pn_tandem_view]),
    "pn_tandem_active": (c_int, [pn_tandem_view, c_uint32]),
    "pn_tandem_param_value": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_state": (c_void_p, [pn_tandem_view]),
    "pn_tandem_stream": (POINTER(pn_stream), [pn_tandem_view]),
    "pn_tandem_policy_of": (POINTER(pn_tandem_policy), [pn_tandem_view]),
    "pn_tandem_user": (c_void_p, [pn_tandem_view]),
    "pn_tandem_id": (c_uint64, [pn_tandem_view, c_uint32]),
    "pn_tandem_arrival": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_group": (c_uint32, [pn_tandem_view, c_uint32]),
    "pn_tandem_attribute_count": (c_uint32, [pn_tandem_view]),
    "pn_tandem_attribute": (c_double, [pn_tandem_view, c_uint32, c_uint32]),
    "pn_tandem_age": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_map_size": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_shuffle_size": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_map_left": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_shuffle_left": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_longest_left": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_backlog": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_backlog_total": (c_double, [pn_tandem_view]),
    "pn_tandem_mapping": (c_int, [pn_tandem_view, c_uint32]),
    "pn_tandem_rank": (c_uint32, [pn_tandem_view, c_uint32, c_uint32]),
    "pn_tandem_map_rate": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_shuffle_rate": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_generation_rate": (c_double, [pn_tandem_view, c_uint32]),
    "pn_tandem_key_longest": (None, [pn_tandem_view, c_uint32, POINTER(pn_key)]),
    "pn_tandem_key_map": (None, [pn_tandem_view, c_uint32, POINTER(pn_key)]),
    "pn_tandem_key_sum": (None, [pn_tandem_view, c_uint32, POINTER(pn_key)]),
    "pn_tandem_key_shuffle": (None, [pn_tandem_view, c_uint32, POINTER(pn_key)]),
    "pn_tandem_first": (c_uint32, [pn_tandem_view, c_uint32]),
    "pn_tandem_member": (c_int, [pn_tandem_view, c_uint32, c_uint32]),
    "pn_tandem_next": (c_uint32, [pn_tandem_view, c_uint32, c_uint32]),
    "pn_tandem_serve": (c_int, [pn_tandem_view, c_uint32, pn_tandem_service]),
    "pn_tandem_give_map": (c_int, [pn_tandem_view, c_uint32, c_double]),
    "pn_tandem_give_shuffle": (c_int, [pn_tandem_view, c_uint32, c_double]),
    "pn_tandem_take_back": (None, [pn_tandem_view]),
    "pn_tandem_map_idle": (c_double, [pn_tandem_view]),
    "pn_tandem_shuffle_idle": (c_double, [pn_tandem_view]),
    "pn_tandem_fill_map": (c_int, [pn_tandem_view, c_uint32, c_double, POINTER(c_double)]),
    "pn_tandem_fill_shuffle": (c_int, [pn_tandem_view, c_uint32, c_double, POINTER(c_double)]),
    "pn_tandem_fail": (None, [pn_tandem_view, c_int]),
    "pn_timeline_size": (c_size_t, [c_uint32, c_uint32]),
    "pn_timeline_init": (c_int, [
        POINTER(pn_timeline), c_void_p, c_size_t, c_uint32, c_uint32, c_uint32]),
    "pn_timeline_open": (c_int, [POINTER(pn_timeline), c_void_p, c_size_t]),
    "pn_timeline_validate": (c_int, [c_void_p, c_size_t]),
    "pn_timeline_record": (c_int, [pn_timeline, c_uint64, POINTER(c_uint64)]),
    "pn_timeline_record_real": (c_int, [pn_timeline, c_double, POINTER(c_double)]),
    "pn_timeline_about_into": (None, [pn_timeline, POINTER(pn_timeline_about), c_size_t]),
    "pn_timeline_integral": (pn_wide, [pn_timeline, c_uint32, c_uint32]),
    "pn_timeline_integral_real": (c_double, [pn_timeline, c_uint32, c_uint32]),
    "pn_timeline_mean": (c_double, [pn_timeline, c_uint32, c_uint32]),
}
