"""Writes a C program that compiles only if the structs, constants and functions of
examples/python/pinion/declarations.py are those of the headers."""
import ctypes
import importlib.util
import sys

spec = importlib.util.spec_from_file_location("declarations",
                                              "examples/python/pinion/declarations.py")
made = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made)  # not the package, which loads a library

C_NAME = {ctypes.c_int: "int", ctypes.c_uint: "unsigned", ctypes.c_double: "double",
          ctypes.c_size_t: "size_t"}
for bits in 8, 16, 32, 64:
    C_NAME.setdefault(getattr(ctypes, "c_uint%d" % bits), "uint%d_t" % bits)
    C_NAME.setdefault(getattr(ctypes, "c_int%d" % bits), "int%d_t" % bits)
CONSTANTS = {name: value for name, value in vars(made).items() if name.startswith("PN_")}


def c_name(kind, qualifier=""):
    """Returns the type, of pointers one to which any other converts, with this qualifier."""
    if issubclass(kind, ctypes.Structure):
        return kind.__name__
    return C_NAME.get(kind) or qualifier + ("char *" if kind is ctypes.c_char_p else "void *")


def must_be(what, value):
    print('_Static_assert(%s == %d, "%s");' % (what, value, what))


print('#include "pinion.h"')
for struct in made.STRUCTS:
    name = struct.__name__
    must_be("sizeof(%s)" % name, ctypes.sizeof(struct))
    for member, _ in struct._fields_:
        must_be("offsetof(%s, %s)" % (name, member), getattr(struct, member).offset)
        must_be("sizeof(((%s *)0)->%s)" % (name, member), getattr(struct, member).size)
for name, value in CONSTANTS.items():
    if isinstance(value, str):
        must_be("sizeof(%s)" % name, len(value) + 1)
    elif isinstance(value, int):  # comparisons of doubles are no constants in C
        print('_Static_assert(%s == %s%s, "%s");' % (name, value, "U" * (value > 0), name))
print("void calls(void);\nvoid calls(void)\n{")
for name, (result, kinds) in made.FUNCTIONS.items():
    call = "%s(%s)" % (name, ", ".join("a_%d" % place for place in range(len(kinds))))
    print("    {")
    for place, kind in enumerate(kinds):
        print("        static %s a_%d;" % (c_name(kind), place))
    if result is None:
        print("        %s;" % call)
    else:
        print("        %s result = %s;" % (c_name(result, "const "), call))
        print('        _Static_assert(sizeof result == sizeof %s, "%s");' % (call, name))
        print("        (void)result;")
    print("    }")
print("}")
print("%d structs, %d functions and %d constants"
      % (len(made.STRUCTS), len(made.FUNCTIONS), len(CONSTANTS)), file=sys.stderr)
