"""Build tool: examples/python/pinion/declarations.py, the kernel's constants, structs and functions
for ctypes, from the public headers.

    python3 scripts/build/declarations.py > examples/python/pinion/declarations.py

Reads the headers as they are, without a compiler; scripts/check/python.sh compares the result with
the committed file, and with what a compiler makes of the headers. Run in the root of the checkout.
"""
import re

FOLDER = "kernel/include/"
SCALARS = {
    "char": "c_char", "unsigned char": "c_ubyte", "int": "c_int", "unsigned": "c_uint",
    "double": "c_double", "size_t": "c_size_t", "void": "None",
    **{"%sint%d_t" % (sign, bits): "c_%sint%d" % (sign, bits)
       for sign in ("", "u") for bits in (8, 16, 32, 64)}}
LIMITS = {"UINT%d_MAX" % bits: 2**bits - 1 for bits in (8, 16, 32, 64)}


class Unknown(Exception):
    """A declaration of a form that the kernel's headers did not have before."""


def headers():
    """Returns the text of the headers that pinion.h includes, each behind those that it includes,
    without comments."""
    seen, texts = set(), []

    def read(name):
        if name in seen:
            return
        seen.add(name)
        with open(FOLDER + name) as file:
            text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)
        parts = re.split(r'^#include "(.*)"$', text, flags=re.M)
        for part, included in zip(parts[::2], parts[1::2] + [None]):
            texts.append(part)
            if included:
                read(included)

    read("pinion.h")
    return "".join(texts).replace("\\\n", " ")


def constants_of(text):
    """Returns the constants of #define and enum, by name, in their order."""
    made = {}

    def value(expression):
        plain = re.sub(r"\((u?int\d+_t|size_t)\)", "", expression)
        plain = re.sub(r"\b(0x[0-9A-Fa-f]+|\d+)[uU]?[lL]*\b", r"\1", plain)
        return eval(plain, {"__builtins__": {}}, {**LIMITS, **made})  # the project's own headers

    pattern = r"^#define (PN_\w+)[ \t]+(\S[^\n]*)$|\benum \w+ \{(.*?)\};"
    for name, expression, members in re.findall(pattern, text, flags=re.M | re.S):
        if name:
            made[name] = value(expression.strip())
        for member, given in re.findall(r"(PN_\w+)\s*=\s*([^,]+)", members):
            made[member] = value(given.strip())
    return made


def statements_of(text):
    """Returns the declarations outside of functions."""
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif$", "", text, flags=re.M | re.S)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    text = re.sub(r"\bstatic inline [^{;]*\{.*?^\}$", "", text, flags=re.M | re.S)
    depth, begin = 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            yield " ".join(text[begin:place].split())
            begin = place + 1


class Types:
    """What ctypes calls the types of C."""

    def __init__(self, constants, structs):
        self.constants, self.structs, self.opaque = constants, structs, {}

    def base(self, text):
        words = [word for word in text.split() if word not in ("const", "struct")]
        name = " ".join(words)
        if name in SCALARS:
            return SCALARS[name]
        if name in self.structs:
            return name
        if len(words) == 2 and words[0] == "enum":
            return "c_uint"
        if len(words) == 1 and name.startswith("pn_"):
            self.opaque[name] = "pointers to " + name
            return self.opaque[name]
        raise Unknown(text)

    def pointer(self, to):
        if to.startswith("pointers to "):
            return to.split()[-1]
        return {"None": "c_void_p", "c_char": "c_char_p"}.get(to, "POINTER(%s)" % to)

    def array(self, of, counts):
        for count in reversed(re.findall(r"\[(\w*)\]", counts)):
            of += " * %s" % self.constants.get(count, count)
        return of

    def function(self, result, arguments):
        given = [self.argument(one) for one in split(arguments) if one != "void"]
        return "CFUNCTYPE(%s)" % ", ".join([result] + given)

    def argument(self, text):
        """Returns the type of an argument: an array is a pointer."""
        (_, kind), = self.members(text, decays=True)
        return kind

    def members(self, text, decays=False):
        """Returns names and types of what a declaration declares, such as "uint64_t a, *b"."""
        text = re.sub(r"\bconst\b", " ", text).strip()
        function = re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", text)
        if function:
            result, name, arguments = function.groups()
            return [(name, self.function(self.result(result), arguments))]
        rows = re.fullmatch(r"(.*?)\(\*(\w+)\)((?:\[\w+\])+)", text)
        if rows:
            kind, name, counts = rows.groups()
            return [(name, self.pointer(self.array(self.base(kind), counts)))]
        kind, names = re.fullmatch(r"(unsigned char|(?:struct |enum )?\w+)\s*(.*)", text).groups()
        return [self.member(self.base(kind), one, decays) for one in split(names)]

    def member(self, kind, text, decays):
        stars, name, counts = re.fullmatch(r"([* ]*)(\w+)((?:\[\w*\])*)", text).groups()
        for _ in range(stars.count("*")):
            kind = self.pointer(kind)
        if counts and decays:
            inner = counts[counts.index("]") + 1:]
            return name, self.pointer(self.array(kind, inner))
        return name, self.array(kind, counts)

    def result(self, text):
        return "None" if text.strip() == "void" else self.argument(text + " unnamed")


def split(text):
    """Splits at the commas outside of parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def lines(begin, parts, end):
    """Returns parts between commas, in lines of at most 100 columns."""
    indent = " " * (len(begin) - len(begin.lstrip()) + 4)
    if "\n" in begin:
        indent = "        "
    made, row = [begin], indent
    for part in parts:
        if len(row) + len(part) + len(end) + 1 > 100:
            made.append(row.rstrip())
            row = indent
        row += part + ", "
    return "\n".join(made + [row.rstrip(", ") + end])


def struct(name, members, known):
    """Returns the class of a struct, behind empty ones of those that it points to and that come
    later."""
    later = [other for other in re.findall(r"pn_\w+", " ".join(kind for _, kind in members))
             if other not in known and other != name]
    made = ["class %s(Structure):\n    pass\n" % other for other in dict.fromkeys(later)]
    begin = "%s._fields_ = [" if name in known else "class %s(Structure):\n    _fields_ = ["
    known.update(later, [name])
    return "\n\n".join(made + [lines(begin % name, ['("%s", %s)' % pair for pair in members], "]")])


def fields(body):
    """Returns the declarations in the body of a struct."""
    return [one for one in (part.strip() for part in body.split(";")) if one]


def structs_of(statements, constants):
    """Returns the members of the structs, and the types that know these structs."""
    found = (re.fullmatch(r"(?:typedef )?struct (\w+) \{(.*)\}(?: \1)?", one) for one in statements)
    bodies = {one.group(1): one.group(2) for one in found if one}
    types = Types(constants, bodies)
    return {name: [pair for one in fields(body) for pair in types.members(one)]
            for name, body in bodies.items()}, types


def functions_of(statements, types):
    """Returns results and arguments of the functions."""
    made = {}
    for statement in statements:
        call = re.fullmatch(r"([\w* ]*?)\b(pn_\w+)\((.*)\)", statement)
        if call:
            result, name, arguments = call.groups()
            made[name] = (types.result(result), [types.argument(one) for one in split(arguments)
                                                 if one != "void"])
        elif not re.match(r"typedef struct|struct|enum", statement):
            raise Unknown(statement)
    return made


def main():
    text = headers()
    constants, statements = constants_of(text), list(statements_of(text))
    structs, types = structs_of(statements, constants)
    functions = functions_of(statements, types)
    used = sorted(set(re.findall(r"\bc_\w+", repr([structs, functions]))))
    print('"""The constants, structs and functions of kernel/include for ctypes, made by\n'
          'scripts/build/declarations.py; the headers document them."""')
    print(lines("from ctypes import (", ["CFUNCTYPE", "POINTER", "Structure"] + used, ")\n"))
    for name, value in constants.items():
        print("%s = %r" % (name, value))
    for name in types.opaque:
        print("\n\nclass %s(c_void_p):\n    pass" % name)
    known = set(types.opaque)
    for name, members in structs.items():
        print("\n\n" + struct(name, members, known))
    models = re.findall(r"EACH\((\w+)\)", text)
    print("\n\n" + lines("MODELS = [", ['"%s"' % model for model in models], "]"))
    print(lines("STRUCTS = [", structs, "]"))
    print("# Results and arguments.\nFUNCTIONS = {")
    for name, (result, arguments) in functions.items():
        one = '    "%s": (%s, [%s]),' % (name, result, ", ".join(arguments))
        print(one if len(one) <= 100 else
              lines('    "%s": (%s, [' % (name, result), arguments, "]),"))
    print("}")


if __name__ == "__main__":
    main()
