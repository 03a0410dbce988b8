"""What hosts in Python need of Pinion's shared library, by ctypes alone; Python 3.9 or later.

The structs and functions are those of pn_base.h, pn_slotted.h and pn_scheduler.h, whose comments
document them; only those that the examples beside this file use are here. The file works with the
version of the library that it was written for, VERSION, and with later ones: structs that begin
with their size may have got members behind those that are declared here.

PINION_LIBRARY names the library, unless the system finds libpinion.so.1 by itself.
"""
import ctypes
import os
import re

VERSION = "0.8.0"

OK, DONE, PAUSED = 0, 1, 2
NEVER = FOREVER = 2**64 - 1

# ---- reading declarations ------------------------------------------------------------------------

TYPES = {"u8": ctypes.c_uint8, "u32": ctypes.c_uint32, "i32": ctypes.c_int32,
         "u64": ctypes.c_uint64, "int": ctypes.c_int, "size": ctypes.c_size_t,
         "double": ctypes.c_double, "text": ctypes.c_char_p, "ptr": ctypes.c_void_p, "void": None}


def struct(name, *members):
    """A struct of members such as "u64 id, tag", "u64 word[2]"; or pairs of a name and a type."""
    fields = []
    for member in members:
        if isinstance(member, tuple):
            fields.append(member)
            continue
        kind, names = member.split(" ", 1)
        for field, count in re.findall(r"(\w+)(?:\[(\d+)\])?", names):
            fields.append((field, TYPES[kind] * int(count) if count else TYPES[kind]))
    return type(name, (ctypes.Structure,), {"_fields_": fields, "c_name": name})


def function(result, *arguments):
    """The type of a function that the library calls; any pointer is a "ptr" where none is given."""
    types = [TYPES[a] if isinstance(a, str) else a for a in arguments]
    return ctypes.CFUNCTYPE(TYPES[result], *types)


def declared(text):
    """Result, name and arguments of the functions in lines such as "int pn_x(ptr, u64)"."""
    return [(result, name, re.findall(r"\w+", arguments))
            for result, name, arguments in re.findall(r"(\w+) (\w+)\((.*?)\)", text)]


# ---- pn_base.h -----------------------------------------------------------------------------------

Key = struct("pn_key", "u64 word[2]")
Param = struct("pn_param", "text name", "double value, low, high", "ptr names", "u8 integer",
               "text doc")

# ---- pn_slotted.h --------------------------------------------------------------------------------

SlottedConfig = struct(
    "pn_slotted_config", "size struct_size", "u32 machines, jobs_max, stretches_max, groups_max",
    "u32 reduce, bounds, statistics, estimates", "u64 warmup_jobs, warmup_slots, seed",
    "u32 replica", "ptr policy", "u64 attributes")
SlottedJob = struct(
    "pn_slotted_job", "size struct_size",
    "u64 arrival, maps", ("reduces", ctypes.POINTER(ctypes.c_uint64)),
    "size reduce_count", "u64 tag", "u32 group", "u64 estimate_maps, estimate_reduces",
    ("attributes", ctypes.POINTER(ctypes.c_double)))
SlottedFinish = struct(
    "pn_slotted_finish", "size struct_size",
    "u64 id, tag, arrival, map_finish, finish, flow_time", "u32 group",
    ("attributes", ctypes.POINTER(ctypes.c_double)))
SlottedDecision = struct("pn_slotted_decision", "size struct_size", "u64 slot, id, amount",
    "u32 kind, first_task")
SlottedOnFinish = function("void", "ptr", ctypes.POINTER(SlottedFinish))
SlottedOnDecision = function("void", "ptr", ctypes.POINTER(SlottedDecision))
SlottedHooks = struct(
    "pn_slotted_hooks", "size struct_size", "ptr policy, params", ("on_finish", SlottedOnFinish),
    ("on_decision", SlottedOnDecision), "ptr user")

SLOTTED_WITH_MAPS, SLOTTED_WITH_REDUCES = 1, 2
SlottedKey = function("void", "ptr", "u32", ctypes.POINTER(Key))
SlottedOrder = struct("pn_slotted_order", ("key", SlottedKey), "u8 changes, members, fit")
SlottedPolicy = struct(
    "pn_slotted_policy", "size struct_size", "text name, summary, source",
    "u8 preemptive, nonpreemptive, work_conserving, relaxed, shadow, load, order_count",
    "u8 param_count", ("orders", SlottedOrder * 4), ("params", Param * 32),
    "size state_bytes, state_bytes_per_job", "ptr act, weight, init, arrive, finish, tick",
    "u64 tick_slots", "ptr keys", "u8 sizes, unused[7]")

# ---- pn_scheduler.h ------------------------------------------------------------------------------

MAP, REDUCE = 0, 1
SCHEDULER_AFTER_MAPS = 1
SCHEDULER_FINISHED = 1
SCHEDULER_NO_TICKS = 0
SchedulerNodes = struct("pn_scheduler_nodes", "u32 count, map_slots, reduce_slots, speed")
SchedulerConfig = struct(
    "pn_scheduler_config", "size struct_size", ("nodes", ctypes.POINTER(SchedulerNodes)),
    "u32 nodes_count, nodes_down, jobs_max, tasks_max, replicas_max, replicas_of_map, groups_max",
    "u32 statistics", "u64 warmup_jobs, warmup_ms", "u32 replica", "u64 seed",
    "u32 reduce_start, slowstart_permille, maps_per_offer, attempts_max, max_kills",
    "u64 locality_delay_ms, default_task_ms", "u32 input_ratio_permille", "u64 extra_ms[2]",
    "ptr policy", "u64 attributes", "u32 suspended_max, copies, nodes_absent",
    "u64 running_most, suspensions_max")
SchedulerReplicas = function("u32", "ptr", "u32", ctypes.POINTER(ctypes.c_uint32), "u32")
SchedulerJob = struct(
    "pn_scheduler_job", "size struct_size",
    "u32 maps, reduces", ("replicas", SchedulerReplicas), "ptr where",
    "u64 deadline, est_ms[2], input, intermediate, tag", "u32 group",
    ("attributes", ctypes.POINTER(ctypes.c_double)), "u32 weight", "i32 priority")
SchedulerTask = struct(
    "pn_scheduler_task", "size struct_size", "u64 id, tag, start, token",
    "u32 kind, task, attempt, node, local, place, input_complete, unused")
SchedulerRecord = struct(
    "pn_scheduler_record", "size struct_size",
    "u64 id, tag, submit, first_map_start, map_finish, first_reduce_start",
    "u64 finish, deadline, promise, slot_ms", "u32 maps, reduces, local_maps, colocated_reduces",
    "u32 kills, state, group", ("attributes", ctypes.POINTER(ctypes.c_double)),
    "u32 suspensions, copies, copies_won, unused")
SchedulerOnTask = function("void", "ptr", ctypes.POINTER(SchedulerTask))
SchedulerOnFinish = function("void", "ptr", ctypes.POINTER(SchedulerRecord))
SchedulerWakeAt = function("void", "ptr", "u64")
SchedulerHooks = struct(
    "pn_scheduler_hooks", "size struct_size", "ptr policy, params", ("launch", SchedulerOnTask),
    ("kill", SchedulerOnTask), ("suspend", SchedulerOnTask), ("resume", SchedulerOnTask),
    ("wake_at", SchedulerWakeAt), "ptr progress, fetched", ("on_finish", SchedulerOnFinish),
    "ptr on_event, user, policy_user", ("input_changed", SchedulerOnTask), "ptr on_input")

# ---- the library ---------------------------------------------------------------------------------

FUNCTIONS = declared("""
    text pn_version()
    text pn_status_name(int)

    void pn_slotted_defaults_into(ptr, size)
    text pn_slotted_check(ptr)
    size pn_slotted_size(ptr)
    int pn_slotted_init(ptr, ptr, size, ptr)
    int pn_slotted_submit(ptr, ptr, ptr)
    int pn_slotted_run(ptr, ptr, u64)
    u64 pn_slotted_digest(ptr)
    ptr pn_slotted_policy_find(text)
    u64 pn_slotted_remaining(ptr, u32)

    void pn_scheduler_defaults_into(ptr, size)
    text pn_scheduler_check(ptr)
    size pn_scheduler_size(ptr)
    int pn_scheduler_init(ptr, ptr, size, ptr)
    int pn_scheduler_submit(ptr, ptr, u64, ptr, ptr)
    int pn_scheduler_offer(ptr, ptr, u64, u32)
    int pn_scheduler_finished(ptr, ptr, u64, u64)
    int pn_scheduler_failed(ptr, ptr, u64, u64)
    int pn_scheduler_wake(ptr, ptr, u64)
    int pn_scheduler_tick(ptr, ptr, u64)
    int pn_scheduler_wants_ticks(ptr)
    u64 pn_scheduler_next_opening(ptr)
    u32 pn_scheduler_next_wanted(ptr, u32, u32)
    u32 pn_scheduler_jobs(ptr)
    ptr pn_scheduler_policy_find(text)
""")
library = ctypes.CDLL(os.environ.get("PINION_LIBRARY", "libpinion.so.1"))
for _result, _name, _arguments in FUNCTIONS:
    getattr(library, _name).restype = TYPES[_result]
    getattr(library, _name).argtypes = [TYPES[kind] for kind in _arguments]


def _numbers(version):
    return [int(part) for part in version.split(".")]


if _numbers(library.pn_version().decode()) < _numbers(VERSION):
    raise ImportError("the library is pinion %s, pinion.py was written for %s"
                      % (library.pn_version().decode(), VERSION))

# ---- what all hosts do ---------------------------------------------------------------------------

_raised = []


def hook(kind):
    """Makes a function one that the library can call. C knows no exceptions: the first one that is
    raised in a hook waits for the host's next call of must()."""
    def make(call):
        def guarded(*arguments):
            try:
                return call(*arguments)
            except BaseException as error:  # the library may not be left in the middle
                _raised.append(error)
                return 0
        return kind(guarded)
    return make


def must(status):
    """The status of a call that may not fail."""
    if _raised:
        error = _raised[0]
        _raised.clear()
        raise error
    if status < 0:
        raise RuntimeError(library.pn_status_name(status).decode())
    return status


def defaults(config_type):
    """A configuration with the library's defaults, as pn_slotted_defaults and its like, which are
    inline functions, give in C."""
    config = config_type()
    give = getattr(library, config_type.c_name.replace("_config", "_defaults_into"))
    give(ctypes.byref(config), ctypes.sizeof(config))
    assert config.struct_size == ctypes.sizeof(config)
    return config


def start(config):
    """A simulation or a scheduler, and the block of memory in which it lives: keep both."""
    model = config.c_name.replace("_config", "")
    fault = getattr(library, model + "_check")(ctypes.byref(config))
    if fault:
        raise ValueError(fault.decode())
    size = getattr(library, model + "_size")(ctypes.byref(config))
    block = (ctypes.c_uint64 * ((size + 7) // 8))()
    made = ctypes.c_void_p()
    must(getattr(library, model + "_init")(
        ctypes.byref(made), block, ctypes.sizeof(block), ctypes.byref(config)))
    return made, block
