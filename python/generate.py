#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stage the package: copy it, write _c.py from the headers, and the classes from the library's tables.

    generate.py INCLUDE_DIRECTORY LIBRARY OUTPUT_DIRECTORY

OUTPUT_DIRECTORY then holds what pip makes a wheel of, and `PYTHONPATH=OUTPUT_DIRECTORY` imports it.
"""
import pathlib
import shutil
import sys
import textwrap

import headers

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"float": "float", "int": "int", "bool": "bool"}

PROCESSES = '''# SPDX-License-Identifier: MIT
"""The processes of the library as classes, written by generate.py from its tables of parameters."""
from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, Union

from .process import Process

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .terrain import Terrain

'''

GENERATORS = '''# SPDX-License-Identifier: MIT
"""Generators of heights, written by generate.py from the library's tables of parameters."""
from __future__ import annotations

from typing import Literal, Sequence

from .synthesis import generate
from .terrain import Array

'''


def annotation(field):
    if field.kind == "enum":
        return "Literal[" + ", ".join(f'"{name}"' for name in field.names) + "]"
    return TYPES[field.kind]


def described(field):
    """Two lines of a docstring."""
    unit = "" if field.unit in ("", "1") else f" [{field.unit}]"
    if field.kind in ("enum", "bool"):
        kind, about = f"{{{field.range}}}" if field.kind == "enum" else "bool", f"{field.doc}."
    else:
        kind, about = field.kind + unit, f"{field.doc}; {field.range}."
    source = f" Source: {field.source}." if field.source else ""
    return [f"{field.name} : {kind}, default {field.default}", *wrapped(about + source, "    ")]


def wrapped(text, indent=""):
    return textwrap.wrap(text.replace("\\", "/"), 112, initial_indent=indent, subsequent_indent=indent)


def section(title, lines):
    return ["", title, "-" * len(title), *lines] if lines else []


def process_doc(about):
    lines = [*wrapped(about.doc), "", f"Default duration: {about.default_years:g} yr."]
    lines += section("Models", [line for name, doc in about.models.items() for line in wrapped(f"{name}: {doc}")])
    lines += section("Presets", [line for name, doc in about.presets.items() for line in wrapped(f"{name}: {doc}")])
    lines += section("Parameters", [line for field in about.fields.values() for line in described(field)])
    for title, taken in (("Input maps", True), ("Output maps", False)):
        lines += section(title, [line for m in about.maps.values() if m.input == taken
                                 for line in wrapped(f"{m.name} [{m.unit}]: {m.doc}")])
    for table in about.tables.values():
        columns = ", ".join(f"{name} [{unit}]" for name, unit in table.columns)
        lines += section(f"Table {table.name}", wrapped(f"{table.doc}. Columns: {columns}."))
    return lines


def process_class(about):
    """Text of a class: its documentation, and for type checkers its keywords and attributes."""
    lines = [f"class {about.name.capitalize()}(Process):"]
    doc = process_doc(about)
    lines += [f'    """{doc[0]}', *(f"    {line}".rstrip() for line in doc[1:]), '    """', "",
              f'    process_name = "{about.name}"', "", "    if TYPE_CHECKING:"]
    from wadi import Process
    lines += [f"        {field.name}: {annotation(field)}" for field in about.fields.values()
              if not hasattr(Process, field.name)]
    presets = ", ".join(f'"{name}"' for name in about.presets)
    lines += ["", "        def __init__(", "            self, terrain: Terrain, *,",
              f"            preset: Optional[Literal[{presets}]] = None," if presets else
              "            preset: None = None,"]
    inputs = [name for name, m in about.maps.items() if m.input]
    for field in about.fields.values():
        kind = "Union[float, str]" if field.kind == "float" else annotation(field)
        kind = f"Union[{kind}, ArrayLike]" if field.name in inputs else kind
        lines.append(f"            {field.name}: {kind} = {field.default!r},")
    lines += [f"            {name}: Optional[ArrayLike] = None,"
              for name in [*inputs, *about.tables] if name not in about.fields]
    return lines + ["        ) -> None: ...", "", ""]


def generator_function(name, doc, fields):
    lines = [f"def {name}(", "    shape: Sequence[int], cell: float = 30.0, seed: int = 0, *,"]
    lines += [f"    {field.name}: {annotation(field)} = {field.default!r}," for field in fields.values()]
    text = [*wrapped(doc[0].upper() + doc[1:] + "."),
            *section("Parameters", ["shape : (rows, columns)", "cell : float [m]", "seed : int",
                                    *[line for field in fields.values() for line in described(field)]])]
    lines += [") -> Array:", f'    """{text[0]}', *(f"    {line}".rstrip() for line in text[1:]), '    """']
    arguments = ", ".join(f"{name}={name}" for name in fields)
    lines += [f'    return generate("{name}", shape, cell, seed,',
              *wrapped(f"{arguments})", "                    ")]
    return lines + ["", ""]


def stage(include, library, out):
    """Copy the package and its build files, with the generated modules still empty."""
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(HERE / "wadi", out / "wadi", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py"):
        shutil.copy(HERE / name, out)
    shutil.copy(HERE.parent / "LICENSE", out)
    (out / "wadi" / "py.typed").touch()
    shutil.copy(pathlib.Path(library).resolve(), out / "wadi" / "libwadi.so")
    (out / "wadi" / "_c.py").write_text(headers.module(headers.read(include)))
    for name in ("processes", "generators"):
        (out / "wadi" / f"{name}.py").touch()


def main(include, library, out):
    out = pathlib.Path(out)
    stage(include, library, out)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(out))
    from wadi import tables

    kinds = tables.processes().values()
    text = PROCESSES + "\n".join(line for about in kinds for line in process_class(about))
    names = ", ".join(f'"{about.name.capitalize()}"' for about in kinds)
    (out / "wadi" / "processes.py").write_text(text + f"__all__ = [{names}]\n")
    made = tables.generators()
    text = GENERATORS + "\n".join(line for name, (doc, fields) in made.items()
                                  for line in generator_function(name, doc, fields))
    names = ", ".join(f'"{name}"' for name in made)
    (out / "wadi" / "generators.py").write_text(text + f"__all__ = [{names}]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
