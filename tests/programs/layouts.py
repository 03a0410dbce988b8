"""Writes a C program that compiles only if the structs, constants and functions of
examples/python/pinion.py are those of the headers."""
import ctypes
import sys

sys.path.insert(0, "examples/python")
import pinion  # noqa: E402

ARGUMENT = {"u32": "uint32_t", "u64": "uint64_t", "int": "int", "size": "size_t", "ptr": "void *",
            "text": "const char *"}
CONSTANTS = [name for name in vars(pinion) if name.startswith(("SLOTTED_", "SCHEDULER_"))]


def must_be(what, value):
    print('_Static_assert(%s == %d, "%s");' % (what, value, what))


print('#include "pinion.h"')
structs = [made for made in vars(pinion).values() if hasattr(made, "c_name")]
for made in structs:
    must_be("sizeof(%s)" % made.c_name, ctypes.sizeof(made))
    for name, _ in made._fields_:
        must_be("offsetof(%s, %s)" % (made.c_name, name), getattr(made, name).offset)
        must_be("sizeof(((%s *)0)->%s)" % (made.c_name, name), getattr(made, name).size)
for name in CONSTANTS:
    must_be("PN_" + name, getattr(pinion, name))
for name in "OK", "DONE", "PAUSED":
    must_be("PN_" + name, getattr(pinion, name))
print('_Static_assert(PN_SCHEDULER_MAP == %d && PN_SCHEDULER_REDUCE == %d, "kinds");'
      % (pinion.MAP, pinion.REDUCE))
print("_Static_assert(PN_SCHEDULER_NEVER == %dU && PN_SLOTTED_FOREVER == %dU, \"times\");"
      % (pinion.NEVER, pinion.FOREVER))
for kind, c_name in ARGUMENT.items():
    print("extern %s a_%s;" % (c_name, kind))
print("void calls(void);\nvoid calls(void)\n{")
for result, name, arguments in pinion.FUNCTIONS:
    call = "%s(%s)" % (name, ", ".join("a_" + kind for kind in arguments))
    print("    (void)%s;" % call)
    if result != "void":
        must_be("sizeof(%s)" % call, ctypes.sizeof(pinion.TYPES[result]))
print("}")
print("%d structs, %d functions" % (len(structs), len(pinion.FUNCTIONS)), file=sys.stderr)
