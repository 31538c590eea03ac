# SPDX-License-Identifier: MIT
"""What the library says about itself: processes, parameters, maps and tables, as plain objects."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

from . import _c
from ._library import lib
from .units import convert

KINDS = {_c.WADI_FIELD_DOUBLE: "float", _c.WADI_FIELD_INT32: "int", _c.WADI_FIELD_BOOL: "bool",
         _c.WADI_FIELD_ENUM: "enum"}
PYTHON: dict[str, Any] = {"float": float, "int": int, "bool": bool}


def text(value: bytes | None) -> str:
    """A string of the library."""
    return value.decode() if value else ""


def _names(pointer: Any) -> list[str]:
    names: list[str] = []
    while pointer and pointer[len(names)]:
        names.append(pointer[len(names)].decode())
    return names


@dataclass(frozen=True)
class Field:
    """A parameter: numbers are in its unit."""

    name: str
    kind: str  #: float, int, bool or enum
    unit: str
    default: Any
    min: float
    max: float
    doc: str
    source: str
    names: list[str] = field(default_factory=list)  #: of an enum
    models: int = 0  #: bit m: model m reads it; 0: all do

    @property
    def range(self) -> str:
        """The values that are allowed, in words."""
        if self.kind == "enum":
            return ", ".join(self.names)
        unit = "" if self.unit in ("", "1") else f" {self.unit}"
        return "True or False" if self.kind == "bool" else f"{self.min:g} to {self.max:g}{unit}"


def fields(table: _c.wadi_field_table) -> dict[str, Field]:
    """Rows of a table of parameters, by name."""
    rows = {}
    for row in table.fields[: table.count]:
        kind, names = KINDS[row.type], _names(row.names)
        default = names[int(row.initial)] if kind == "enum" else PYTHON[kind](row.initial)
        name = row.name.decode()
        rows[name] = Field(name, kind, text(row.unit), default, row.min, row.max, text(row.doc), text(row.source),
                           names, row.models)
    return rows


@dataclass(frozen=True)
class Map:
    """A map that a process makes, or takes."""

    name: str
    unit: str
    doc: str
    input: bool


@dataclass(frozen=True)
class InputTable:
    """A table that a process takes: rows of numbers, such as a wind record."""

    name: str
    doc: str
    columns: list[tuple[str, str]]  #: names and units


@dataclass(frozen=True)
class Description:
    """A process as the library describes it."""

    name: str
    doc: str
    default_years: float  #: of the default model
    fields: dict[str, Field]
    models: dict[str, str]  #: name: what it is
    presets: dict[str, str]
    maps: dict[str, Map]
    tables: dict[str, InputTable]


def _list(pointer: Any, count: int) -> list[Any]:
    return pointer[:count] if count > 0 else []


def describe(process: _c.wadi_process) -> Description:
    """Tables of a process."""
    return Description(
        text(process.name), text(process.doc), process.default_years, fields(process.fields.contents),
        {text(m.name): text(m.doc) for m in _list(process.models, process.model_count)},
        {text(p.name): text(p.doc) for p in _list(process.presets, process.preset_count)},
        {text(m.name): Map(text(m.name), text(m.unit), text(m.doc), m.input)
         for m in _list(process.maps, process.map_count)},
        {text(t.name): InputTable(text(t.name), text(t.doc), [(text(c.name), text(c.unit))
                                                             for c in t.columns[: t.column_count]])
         for t in _list(process.tables, process.table_count)})


def processes() -> dict[str, Description]:
    """All processes of the library, by name."""
    found = [lib.wadi_process_at(None, i).contents for i in range(lib.wadi_process_count(None))]
    return {text(process.name): describe(process) for process in found}


def generators() -> dict[str, tuple[str, dict[str, Field]]]:
    """Generators of terrain: what each does, and its parameters."""
    found = [lib.wadi_generator_at(i).contents for i in range(lib.wadi_generator_count())]
    return {text(g.name): (text(g.doc), fields(g.fields.contents)) for g in found}


def constant(name: str) -> Any:
    """A constant of the library, such as wadi_brush_fields."""
    return _c.OBJECTS[name].in_dll(lib, name)


class Params:
    """A parameter struct of the library, filled by name."""

    def __init__(self, context: Any, table: Any) -> None:
        self.context, self.table = context, table
        self.buffer = ctypes.create_string_buffer(table.params_size)
        lib.wadi_fields_init(ctypes.byref(table), self.buffer)

    def __getitem__(self, name: str) -> Any:
        row = lib.wadi_field_find(ctypes.byref(self.table), name.encode())
        value = lib.wadi_field_get(row, self.buffer)
        kind = KINDS[row.contents.type]
        return _names(row.contents.names)[int(value)] if kind == "enum" else PYTHON[kind](value)

    def __setitem__(self, name: str, value: Any) -> None:
        table = ctypes.byref(self.table)
        row = lib.wadi_field_find(table, name.encode())
        if isinstance(value, str) and row and row.contents.type == _c.WADI_FIELD_DOUBLE:
            number = convert(value, text(row.contents.unit))
            value = value if number is None else number
        if isinstance(value, str):
            code = lib.wadi_field_set_text(self.context.handle, table, name.encode(), value.encode(), self.buffer)
        else:
            code = lib.wadi_field_set(self.context.handle, table, name.encode(), float(value), self.buffer)
        self.context.check(code)

    def update(self, values: dict[str, Any]) -> None:
        """Set several parameters."""
        for name, value in values.items():
            self[name] = value

    def copy(self) -> "Params":
        """The same values in another struct."""
        other = Params(self.context, self.table)
        ctypes.memmove(other.buffer, self.buffer, self.table.params_size)
        return other
