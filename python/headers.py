#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Read the C headers of Wadi and write their structs and functions for ctypes.

    headers.py INCLUDE_DIRECTORY > wadi/_c.py          what the package loads
    headers.py --check INCLUDE_DIRECTORY > check.c     a C file that asserts sizes and offsets

The headers are laid out by clang-format in one style, so that a few regular expressions read them.
"""
import ctypes
import pathlib
import re
import sys

NUMBERS = {
    "int": "c_int", "int8_t": "c_int8", "int32_t": "c_int32", "int64_t": "c_int64",
    "uint8_t": "c_uint8", "uint16_t": "c_uint16", "uint32_t": "c_uint32", "uint64_t": "c_uint64",
    "size_t": "c_size_t", "ptrdiff_t": "c_ssize_t", "float": "c_float", "double": "c_double",
    "bool": "c_bool", "char": "c_char",
}

HEAD = '''# SPDX-License-Identifier: MIT
"""Structs, constants and functions of libwadi, written by headers.py from include/wadi/*.h."""
# flake8: noqa
from ctypes import *  # noqa: F403

'''


def headers(include):
    """Names of the headers that wadi.h includes, each after those that it includes itself."""
    done = []

    def visit(name):
        text = (include / name).read_text()
        for other in re.findall(r"#include <(wadi/[\w.]+)>", text):
            if other not in done:
                visit(other)
        if name not in done:
            done.append(name)

    visit("wadi/wadi.h")
    return done


def plain(text):
    """The declarations of a header, without comments, directives and extern "C"."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^\s*#[^\n]*", "", text, flags=re.M)
    text = re.sub(r'extern "C"\s*\{', "", text)
    text = re.sub(r"WADI_PRINTF\([^)]*\)", "", text)
    return text


def statements(text):
    """Split at semicolons outside of braces."""
    depth, begin = 0, 0
    for i, letter in enumerate(text):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == ";" and depth == 0:
            yield " ".join(text[begin:i].split())
            begin = i + 1


class Reader:
    """Collects declarations in the order of the headers."""

    def __init__(self):
        self.constants = {}
        self.aliases = {}  # int types of our own: enums, wadi_layer
        self.structs = {}  # name -> [(member, ctypes expression)]
        self.opaque = set()
        self.hooks = {}  # function types
        self.functions = {}
        self.tables = {}  # constant objects: name -> struct
        self.order = []

    def read(self, text):
        for name, value in re.findall(r"^#define (WADI_\w+) ([-0-9.e]+)\s*(?://.*)?$", text, re.M):
            self.constants.setdefault(name, value)
        for statement in statements(plain(text)):
            self.statement(statement.lstrip("} "))

    def statement(self, text):
        if "enum" in text.split("{")[0] and "{" in text:
            self.enum(text)
        elif match := re.match(r"typedef struct (\w+) \{(.*)\} (\w+)$", text):
            self.struct(match[3], match[2])
        elif match := re.match(r"(?:typedef )?struct (\w+)(?: \w+)?$", text):
            self.opaque.add(match[1])
        elif match := re.match(r"typedef (.+?) ?\(\*(\w+)\)\((.*)\)$", text):
            self.hook(match[2], match[1], match[3])
        elif match := re.match(r"typedef (.+?)(\w+)\((.*)\)$", text):
            self.hook(match[2], match[1], match[3])
        elif match := re.match(r"typedef (\w+) (\w+)$", text):
            self.aliases[match[2]] = NUMBERS[match[1]]
        elif match := re.match(r"WADI_API extern const (\w+) (\w+)$", text):
            self.tables[match[2]] = match[1]
        elif text.startswith("WADI_API extern"):
            pass  # names of enums, which the field tables have too
        elif match := re.match(r"WADI_API (.+?)(\w+)\((.*)\)$", text):
            self.functions[match[2]] = (self.type(match[1], True), self.arguments(match[3]))
        elif text:
            raise ValueError(f"headers.py cannot read this declaration: {text}")

    def enum(self, text):
        body = re.search(r"\{(.*)\}", text)[1]
        value = -1
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, given = (part.strip() for part in item.partition("="))
            value = int(eval(given, {}, self.numbers())) if given else value + 1
            self.constants[name] = str(value)
        name = text.rsplit("}", 1)[1].strip()
        if name:
            self.aliases[name] = "c_int"

    def numbers(self):
        return {name: float(value) if "." in value or "e" in value else int(value)
                for name, value in self.constants.items()}

    def struct(self, name, body):
        members = []
        for item in filter(None, (part.strip() for part in body.split(";"))):
            if match := re.match(r"(.+?) ?\(\*(\w+)\)\((.*)\)$", item):
                members.append((match[2], self.function_type(match[1], match[3])))
                continue
            if match := re.match(r"(.+?) ?\(\*(\w+)\)\[(\w+)\]$", item):
                members.append((match[2], f"POINTER({self.type(match[1], False)} * {match[3]})"))
                continue
            kind, first, more = re.match(r"(.+?[ *])(\w+(?:\[\w+\])*)((?:, \w+)*)$", item).groups()
            for declared in [first] + [word for word in more.split(", ") if word]:
                member, *sizes = re.findall(r"\w+", declared)
                expression = self.type(kind, False)
                for size in reversed(sizes):
                    expression = f"({expression} * {self.numbers().get(size, size)})"
                members.append((member, expression))
        self.structs[name] = members
        self.opaque.discard(name)
        self.order.append(name)

    def hook(self, name, result, arguments):
        self.hooks[name] = self.function_type(result, arguments)
        self.order.append(name)

    def function_type(self, result, arguments):
        return f"CFUNCTYPE({', '.join([self.type(result, True)] + self.arguments(arguments))})"

    def arguments(self, text):
        if text in ("", "void"):
            return []
        kinds = []
        for argument in text.split(","):
            argument = argument.strip()
            if argument == "...":
                continue
            kind = re.sub(r"\w+(\[\w*\])?$", lambda m: "*" if m[1] else "", argument)
            kinds.append(self.type(kind, True))
        return kinds

    def type(self, text, loose):
        """ctypes expression of a C type. Loose: arrays of numbers may be given as addresses."""
        words = text.replace("*", " * ").replace("const", " ").replace("struct ", " ").split()
        base, stars = words[0], words.count("*")
        if base == "void":
            return ["None", "c_void_p", "POINTER(c_void_p)"][stars]
        if base == "char" and stars:
            return ["", "c_char_p", "POINTER(c_char_p)"][stars]
        number = NUMBERS.get(base) or self.aliases.get(base)
        if number:
            return number if not stars else "c_void_p" if loose else f"POINTER({number})"
        if base in self.hooks:
            return base
        if base in self.structs:
            return f"POINTER({base})" if stars == 1 else base if not stars else "c_void_p"
        self.opaque.add(base)
        return "c_void_p" if stars == 1 else "POINTER(c_void_p)"


def read(include):
    include = pathlib.Path(include)
    reader = Reader()
    for name in headers(include):
        reader.read((include / name).read_text())
    return reader


def module(reader):
    """Text of wadi/_c.py."""
    lines = [HEAD]
    lines += [f"{name} = {value}\n" for name, value in reader.constants.items()]
    for name in reader.order:
        if name in reader.hooks:
            lines.append(f"\n{name} = {reader.hooks[name]}\n")
            continue
        lines.append(f"\n\nclass {name}(Structure):\n    _fields_ = [\n")
        lines += [f'        ("{member}", {kind}),\n' for member, kind in reader.structs[name]]
        lines.append("    ]\n\n")
    lines.append("\nFUNCTIONS = {\n")
    lines += [f'    "{name}": ({result}, [{", ".join(arguments)}]),\n'
              for name, (result, arguments) in reader.functions.items()]
    lines.append("}\n\nOBJECTS = {\n")
    lines += [f'    "{name}": {kind},\n' for name, kind in reader.tables.items()]
    lines.append("}\n")
    return "".join(lines)


def check(reader):
    """Text of a C file that compiles if ctypes lays out every struct as the compiler does."""
    space = {}
    exec(module(reader), space)
    lines = ["#include <wadi/wadi.h>\n"]
    for name, members in reader.structs.items():
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(space[name])}, "{name}");\n')
        lines += [f'_Static_assert(offsetof({name}, {member}) == '
                  f'{getattr(space[name], member).offset}, "{name}.{member}");\n'
                  for member, _ in members]
    return "".join(lines)


if __name__ == "__main__":
    writer = check if sys.argv[1] == "--check" else module
    sys.stdout.write(writer(read(sys.argv[-1])))
