# SPDX-License-Identifier: MIT
"""The code of docs/python.md runs as it stands, from top to bottom, and names what there is."""
import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest

import wadi
from support import SOURCE

PAGE = pathlib.Path(SOURCE or pathlib.Path(__file__).parents[2]) / "docs/python.md"


class Docs(unittest.TestCase):
    def test_code_runs(self):
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 3)
        here, printed, names = os.getcwd(), io.StringIO(), {}
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                with contextlib.redirect_stdout(printed):
                    for block in blocks:
                        exec(compile(block, str(PAGE), "exec"), names)
            finally:
                os.chdir(here)
        self.assertRegex(printed.getvalue(), r"(?m)^10\.0 \d+")

    def test_names_exist(self):
        for name in set(re.findall(r"`wadi\.(\w+)", PAGE.read_text())):
            self.assertTrue(hasattr(wadi, name), name)


if __name__ == "__main__":
    unittest.main()
