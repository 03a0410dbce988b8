"""The kernel in this process, by ctypes alone: all that the public headers declare, under the names
that it has there (pn_slotted_config, PN_NO_JOB), and what hosts need beside them.

The headers in kernel/include document constants, structs and functions; declarations.py is made
from them. Structs that begin with their size grow, so this file works with the version of the
library that it was written for, PN_VERSION, and with later ones.

PINION_LIBRARY names the library; else it is that of the checkout, that beside the program, or
libpinion.so.1 of the system.
"""
import ctypes
import os
import pathlib
import shutil
import sys
import threading

from . import declarations, program
from .declarations import *  # noqa: F403
from .declarations import FUNCTIONS, MODELS, PN_ERR_POLICY, PN_VERSION, pn_key

# ---- the library ---------------------------------------------------------------------------------


def _path():
    if "PINION_LIBRARY" in os.environ:
        return os.environ["PINION_LIBRARY"]
    places = [program.CHECKOUT / "build" / "libpinion.so"]
    found = shutil.which(os.environ.get("PINION", "pinion"))
    if found:
        places.append(pathlib.Path(found).resolve().parents[1] / "lib" / "libpinion.so.1")
    return next((str(place) for place in places if place.exists()), "libpinion.so.1")


def _numbers(version):
    return [int(part) for part in version.split(".")]


def _load(path):
    """Loads the library. A function that this build of it does not have is missing here, too."""
    try:
        made = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError("%s (PINION_LIBRARY names the library: build/libpinion.so of a checkout)"
                          % error) from None
    for name, (result, arguments) in FUNCTIONS.items():
        if hasattr(made, name):
            call = getattr(made, name)
            call.restype, call.argtypes = result, arguments
    if _numbers(made.pn_version().decode()) < _numbers(PN_VERSION):
        raise ImportError("%s is pinion %s, expected %s or later"
                          % (path, made.pn_version().decode(), PN_VERSION))
    return made


library = _load(_path())

# ---- errors --------------------------------------------------------------------------------------


class KernelError(RuntimeError):
    """A call that the kernel refused; `status` is one of PN_ERR_*."""

    def __init__(self, status):
        super().__init__(library.pn_status_name(status).decode())
        self.status = status


class _Raised(threading.local):
    """What a hook raised during the present call of this thread."""
    error = None


_raised = _Raised()
_print_unraisable = sys.unraisablehook


def _unraisable(given):
    """Keeps Ctrl-C at the very beginning of a hook, where no function of this file can catch it."""
    if isinstance(given.exc_value, KeyboardInterrupt) and "ctypes" in (given.err_msg or ""):
        _raised.error = _raised.error or given.exc_value
    else:
        _print_unraisable(given)


sys.unraisablehook = _unraisable


def hook(kind, failed=lambda *_: 0):
    """Makes a function one that the library can call. C knows no exceptions: the first one that is
    raised in a hook waits for the host's next call of must(), and C gets what `failed` returns."""
    def make(call):
        def guarded(*arguments):
            if _raised.error:
                return failed(*arguments)
            try:
                return call(*arguments)
            except BaseException as error:  # the library may not be left in the middle
                _raised.error = _raised.error or error
                return failed(*arguments)
        return kind(guarded)
    return make


def must(status):
    """Returns the status of a call that may not fail; raises what a hook raised during it."""
    error, _raised.error = _raised.error, None
    if error:
        raise error
    if status < 0:
        raise KernelError(status)
    return status


# ---- structs -------------------------------------------------------------------------------------

_FUNCTION = type(ctypes.CFUNCTYPE(None))


def fill(target, members, adapt=hook):
    """Sets members of a struct, by name. A dict fills a struct, a list an array or, for a pointer,
    a new array whose length goes into the member that counts it (nodes_count, stage_count,
    stretch_count) where this is not given; a str is text; a function is what `adapt` makes of it
    for its type. Returns the struct, which keeps what it points to."""
    kinds = dict(target._fields_)
    for name, value in members.items():
        if name not in kinds:
            raise TypeError("%s has no member %r (it has %s)"
                            % (type(target).__name__, name, ", ".join(kinds)))
        _set(target, name, kinds[name], value, adapt)
        if isinstance(value, (list, tuple)) and issubclass(kinds[name], ctypes._Pointer):
            for count in (name + "_count", name[:-1] + "_count", name[:-2] + "_count"):
                if count in kinds and count not in members:
                    setattr(target, count, len(value))
    return target


def _set(target, name, kind, value, adapt):
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, dict) and issubclass(kind, ctypes.Structure):
        fill(getattr(target, name), value, adapt)
    elif isinstance(value, (list, tuple)) and issubclass(kind, ctypes.Array):
        for place, one in enumerate(value):
            _put(getattr(target, name), place, kind._type_, one, adapt)
    elif isinstance(value, (list, tuple)) and issubclass(kind, ctypes._Pointer):
        array = (kind._type_ * len(value))()
        for place, one in enumerate(value):
            _put(array, place, kind._type_, one, adapt)
        setattr(target, name, array)
    elif isinstance(value, ctypes.Structure) and issubclass(kind, ctypes._Pointer):
        setattr(target, name, ctypes.pointer(value))
    elif callable(value) and isinstance(kind, _FUNCTION) and not isinstance(value, kind):
        setattr(target, name, adapt(kind)(value))
    else:
        setattr(target, name, value)


def _put(array, place, kind, value, adapt):
    if isinstance(value, dict) and issubclass(kind, ctypes.Structure):
        fill(array[place], value, adapt)
    else:
        array[place] = value


def _sizes(struct):
    """Returns the sizes of a struct and of the core's part in it, for functions named _into."""
    parts = [kind for _, kind in struct._fields_ if issubclass(kind, ctypes.Structure)
             and kind._fields_[0][0] == "struct_size"]
    return [ctypes.sizeof(struct)] + [ctypes.sizeof(part) for part in parts]


def defaults(config_type):
    """Returns a configuration with the library's defaults, as pn_MODEL_defaults gives in C."""
    config = config_type()
    give = getattr(library, config_type.__name__.replace("_config", "_defaults_into"))
    give(config, *_sizes(config_type))
    return config


def as_dict(value):
    """Returns a struct as a dict, a wide number as an int, and texts as str; pointers and functions
    are left out."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, declarations.pn_wide):
        return value.high << 64 | value.low
    if isinstance(value, ctypes.Array):
        return [as_dict(one) for one in value]
    if not isinstance(value, ctypes.Structure):
        return value
    return {name: as_dict(getattr(value, name)) for name, kind in value._fields_
            if name not in ("struct_size", "unused")
            and not issubclass(kind, (ctypes._Pointer, ctypes.c_void_p))
            and not isinstance(kind, _FUNCTION)}


# ---- policies ------------------------------------------------------------------------------------

CORES = {"cluster": "scheduler", "dag": "dispatch"}  # whose policies these models have


class View:
    """What a policy sees: view.remaining(job) is pn_MODEL_remaining(view, job)."""

    def __init__(self, model):
        self._prefix, self._as_parameter_ = "pn_%s_" % model, None

    def __getattr__(self, name):
        call = getattr(library, self._prefix + name, None)
        if call is None:
            raise AttributeError("no function %s%s" % (self._prefix, name))

        def bound(*arguments):
            return call(self._as_parameter_, *arguments)
        setattr(self, name, bound)  # found at once the next time
        return bound


def _word():
    """Returns what makes a word of a key from numbers of one kind, which it keeps in order."""
    kinds = []

    def make(value):
        kind = type(value)
        if kind is int and -2**63 <= value < 2**63:
            word = value + 2**63
        elif kind is float and value == value:
            word = library.pn_key_of_double(value)
        else:
            raise TypeError("a key is one or two numbers, integers of 64 bits or floats, got %r"
                            % (value,))
        if kinds[:1] != [kind]:
            kinds.append(kind)
            if len(kinds) > 1:
                raise TypeError("the keys of an order are all integers or all floats, got %r after "
                                "%s" % (value, kinds[0].__name__))
        return word
    return make


def _policy_function(view):
    """Returns what makes functions of a policy ones that the library can call: their first argument
    is the view, and where C has a pn_key to write they return the key."""
    def adapt(kind):
        arguments = kind._argtypes_
        if not arguments[0].__name__.endswith("_view"):
            return hook(kind)
        writes_key = arguments[-1] is ctypes.POINTER(pn_key)

        def failed(pointer, *_):
            """Ends the run, which else would go on without an answer."""
            give_up = getattr(library, view._prefix + "give_up", None) or getattr(
                library, view._prefix + "fail", None)
            if give_up:
                give_up(pointer, PN_ERR_POLICY)
            return PN_ERR_POLICY if kind._restype_ is ctypes.c_int else 0

        def make(call):
            words = _word(), _word()

            def called(pointer, *rest):
                view._as_parameter_ = pointer
                if not writes_key:
                    result = call(view, *rest)
                    return 0 if result is None else result
                value = call(view, *rest[:-1])
                key = rest[-1].contents
                for place, one in enumerate(value if type(value) is tuple else (value,)):
                    key.word[place] = words[place](one)
            return hook(kind, failed)(called)
        return make
    return adapt


def policy(model, name, **members):
    """Returns a policy of Python functions: a filled pn_MODEL_policy (see pn_MODEL_policy.h), of
    the cluster and dag models that of their core. Functions get the view first; one that has a
    pn_key to write returns the key, one or two numbers."""
    model = CORES.get(model, model)
    kind = getattr(declarations, "pn_%s_policy" % model)
    given = {"name": name, "summary": name, "source": "Python", **members}
    for part in "order", "param":
        if isinstance(given.get(part + "s"), (list, tuple)):
            given.setdefault(part + "_count", len(given[part + "s"]))
    return fill(kind(struct_size=ctypes.sizeof(kind)), given, _policy_function(View(model)))


def find_policy(model, name):
    """Returns a built-in policy, as a pointer to its table."""
    found = getattr(library, "pn_%s_policy_find" % CORES.get(model, model))(name.encode())
    if not found:
        raise ValueError("no policy %r in the %s model" % (name, model))
    return found


def _params(policy, given):
    """Returns the values of a policy's parameters in its order, those given by name in place of the
    defaults."""
    rows = policy.params[:policy.param_count]
    names = [row.name.decode() for row in rows]
    for name in given:
        if name not in names:
            raise TypeError("policy %s has no parameter %r (it has %s)"
                            % (policy.name.decode(), name, ", ".join(names) or "none"))
    return [float(given.get(name, row.value)) for name, row in zip(names, rows)]


# ---- models and cores ----------------------------------------------------------------------------

class Model:
    """A simulation or a core of this model in a block of memory, with hooks. `policy` is a name, or
    what policy() returned; other arguments are members of its pn_MODEL_config, of the core's part
    of it, or of its pn_MODEL_hooks: numbers, lists, dicts, functions. `params` are those of the
    policy, by name.

    Other names are functions of the model without their prefix: sim.step() is pn_MODEL_step(sim,
    hooks), which raises KernelError where C returns an error. What C writes into a struct, such as
    sim.totals(), is returned."""

    def __init__(self, model, policy, params=None, **members):
        if model not in MODELS:
            raise ValueError("no model %r (expected %s)" % (model, ", ".join(MODELS)))
        self.model = model
        self.policy = find_policy(model, policy) if isinstance(policy, str) else policy
        table = self.policy.contents if hasattr(self.policy, "contents") else self.policy
        self.hooks = self._type("hooks")(struct_size=ctypes.sizeof(self._type("hooks")))
        hooks = {name: members.pop(name) for name, _ in self.hooks._fields_ if name in members}
        if params:
            hooks["params"] = _params(table, params)
        fill(self.hooks, {"policy": self.policy, **hooks})
        self.config = defaults(self._type("config"))
        core = getattr(self.config, CORES.get(model, ""), None)
        own = {name for name, _ in self.config._fields_}
        for_core = {name: members.pop(name) for name in list(members)
                    if core is not None and name not in own}
        fill(self.config if core is None else core, {"policy": self.policy, **for_core})
        fill(self.config, members)
        self._start()

    def _type(self, name):
        return getattr(declarations, "pn_%s_%s" % (self.model, name))

    def _function(self, name):
        return getattr(library, "pn_%s_%s" % (self.model, name))

    def _start(self):
        fault = self._function("check")(self.config)
        if fault:
            raise ValueError(fault.decode())
        size = self._function("size")(self.config)
        self._block = (ctypes.c_uint64 * ((size + 7) // 8))()
        self._as_parameter_ = getattr(declarations, "pn_" + self.model)()
        must(self._function("init")(self._as_parameter_, self._block, ctypes.sizeof(self._block),
                                    self.config))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        full = "pn_%s_%s" % (self.model, name)
        if full + "_into" in FUNCTIONS:
            full += "_into"
        own = getattr(declarations, "pn_" + self.model)
        if full not in FUNCTIONS or FUNCTIONS[full][1][:1] != [own]:
            raise AttributeError("the %s model has no function %s" % (self.model, full))
        call, (result, kinds) = getattr(library, full), FUNCTIONS[full]
        hooks = [self.hooks] if kinds[1:2] == [ctypes.POINTER(type(self.hooks))] else []
        checked = result is ctypes.c_int

        def plain(*arguments):
            status = call(self, *hooks, *arguments)
            must(status if checked else 0)
            return status.decode() if isinstance(status, bytes) else status

        def into(*arguments):
            targets = [kind._type_() for kind in kinds[1 + len(hooks) + len(arguments):]
                       if issubclass(kind, ctypes._Pointer)]
            plain(*arguments, *targets, *_sizes(type(targets[0])))
            return targets[0] if len(targets) == 1 else targets
        made = into if full.endswith("_into") else plain
        self.__dict__[name] = made
        return made

    def submit(self, *now, **job):
        """Submits a job, given by the members of pn_MODEL_job; a core takes the time first. Returns
        the id, the scheduler core's answer."""
        call = self._function("submit")
        kinds = call.argtypes
        given = fill(self._type("job")(struct_size=ctypes.sizeof(self._type("job"))), job)
        answer = kinds[-1]._type_()
        if "struct_size" in dir(answer):
            answer.struct_size = ctypes.sizeof(answer)
        hooks = [self.hooks] if kinds[1] == ctypes.POINTER(type(self.hooks)) else []
        must(call(self, *hooks, *now, given, answer))
        return getattr(answer, "value", answer)

    def finish(self):
        """Executes all that can happen; a core has nothing that runs by itself."""
        run = self._function("model")().contents.finish
        if not run:
            raise TypeError("the %s core has nothing that runs by itself" % self.model)
        return must(run(self._as_parameter_, ctypes.byref(self.hooks)))

    def copy(self):
        """Returns a fork: a copy of the block, with the same hooks."""
        made = object.__new__(type(self))
        made.__dict__.update(model=self.model, policy=self.policy, hooks=self.hooks,
                             config=self.config, _as_parameter_=self._as_parameter_)
        made.open(bytes(self))
        return made

    def __bytes__(self):
        """Returns the state, for open() of a model with the same configuration."""
        return ctypes.string_at(self._block, self.block_size())

    def open(self, state):
        """Continues with a state, bytes of a model with the same configuration."""
        block = (ctypes.c_uint64 * ((len(state) + 7) // 8))()
        ctypes.memmove(block, state, len(state))
        pointer = type(self._as_parameter_)()
        must(self._function("open")(pointer, block, len(state)))
        self._block, self._as_parameter_ = block, pointer

    def ranking(self, *order):
        """Returns the jobs in the policy's order, first to last (pn_ranked)."""
        call = self._function("ranking")
        count = call(self, *order, None, 0)
        rows = (declarations.pn_ranked * count)()
        call(self, *order, rows, count)
        return list(rows)
