# SPDX-License-Identifier: MIT
"""Values with units: "800 mm/yr" as a parameter in m/yr. The units are those of scenes; a year has 365.25 days."""
from __future__ import annotations

import math
import re
from fractions import Fraction as Exact
from typing import Union

from .errors import FormatError

#: Years, or a duration with its unit, such as "20 kyr".
Years = Union[float, str]
Dimensions = tuple[int, int, int]  # powers of m, s, kg; the angle is a number

YEAR = 31_557_600
BASE: dict[str, tuple[Exact, Dimensions]] = {
    "m": (Exact(1), (1, 0, 0)), "s": (Exact(1), (0, 1, 0)), "kg": (Exact(1), (0, 0, 1)),
    "g": (Exact(1, 1000), (0, 0, 1)), "t": (Exact(1000), (0, 0, 1)), "min": (Exact(60), (0, 1, 0)),
    "h": (Exact(3600), (0, 1, 0)), "d": (Exact(86400), (0, 1, 0)), "yr": (Exact(YEAR), (0, 1, 0)),
    "a": (Exact(YEAR), (0, 1, 0)), "N": (Exact(1), (1, -2, 1)), "Pa": (Exact(1), (-1, -2, 1)),
    "l": (Exact(1, 1000), (3, 0, 0)), "ha": (Exact(10000), (2, 0, 0)), "rad": (Exact(1), (0, 0, 0)),
    "degree": (Exact(math.pi / 180), (0, 0, 0)), "%": (Exact(1, 100), (0, 0, 0)), "1": (Exact(1), (0, 0, 0)),
}
PREFIXED = ("m", "s", "g", "yr", "a", "N", "Pa", "l")
PREFIXES = {"G": Exact(10**9), "M": Exact(10**6), "k": Exact(1000), "c": Exact(1, 100), "m": Exact(1, 1000),
            "u": Exact(1, 10**6), "µ": Exact(1, 10**6)}
ALIASES = {"metre": "m", "metres": "m", "meter": "m", "meters": "m", "second": "s", "seconds": "s", "minute": "min",
           "minutes": "min", "hour": "h", "hours": "h", "hr": "h", "day": "d", "days": "d", "year": "yr", "years": "yr",
           "deg": "degree", "degrees": "degree", "°": "degree", "percent": "%", "L": "l"}
UNITS = {prefix + name: (scale * BASE[name][0], BASE[name][1])
         for name in PREFIXED for prefix, scale in PREFIXES.items()}
UNITS.update(BASE)

QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*$")
FACTOR = re.compile(r"([/.* ]?)\s*([A-Za-z%°µ]+|1)(?:\^?(-?\d+)|([²³]))?\s*")


def factor(unit: str) -> tuple[Exact, Dimensions]:
    """Factor to base units and dimensions of a unit such as "m3/s"."""
    value, dimensions, at = Exact(1), (0, 0, 0), 0
    while at < len(unit):
        match = FACTOR.match(unit, at)
        name = ALIASES.get(match[2], match[2]) if match else ""
        if match is None or name not in UNITS:
            raise FormatError(f"unknown unit '{unit}'")
        power = int(match[3] or {"²": 2, "³": 3}.get(match[4], 1)) * (-1 if match[1] == "/" else 1)
        value *= UNITS[name][0] ** power
        m, s, kg = (a + b * power for a, b in zip(dimensions, UNITS[name][1]))
        dimensions = m, s, kg
        at = match.end()
    return value, dimensions


def convert(text: str, unit: str) -> float | None:
    """A number with its unit as a number in another unit; None where the text has no unit."""
    match = QUANTITY.match(text)
    if not match or not match[2]:
        return None
    given, wanted = factor(match[2]), factor(unit or "1")
    if given[1] != wanted[1] or (match[2] in ("%", "percent")) and unit == "degree":
        raise FormatError(f"'{text}' does not convert to {unit or '1'}")
    return float(Exact(match[1]) * given[0] / wanted[0])


def in_years(duration: Years) -> float:
    """A duration as a number of years."""
    if not isinstance(duration, str):
        return duration
    years = convert(duration, "yr")
    if years is None:
        raise FormatError(f"'{duration}' is no duration; expected a number of years, or one with its unit: '20 kyr'")
    return years
