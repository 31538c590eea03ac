# SPDX-License-Identifier: MIT
"""Heights from nothing: noise, faults and the like, with the same bits on any machine."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._library import Context, lib
from .tables import Params
from .terrain import Array, address


def generate(name: str, shape: Sequence[int], cell: float, seed: int, **parameters: Any) -> Array:
    """Heights [m] of a generator of the library; generators.py has a function for each."""
    context = Context()
    generator = lib.wadi_generator_find(name.encode())
    params = Params(context, generator.contents.fields.contents)
    params.update(parameters)
    rows, columns = (int(n) for n in shape)
    heights = np.empty((rows, columns), np.float32)
    context.run(lib.wadi_generator_fill, context.handle, generator, params.buffer, seed, columns, rows, cell,
                address(heights))
    return heights
