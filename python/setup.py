# SPDX-License-Identifier: MIT
"""One wheel for each platform and any Python 3: the package reaches the library by ctypes."""
import pathlib
import re

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class Platform(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class Binary(Distribution):
    def has_ext_modules(self):
        return True


numbers = dict(re.findall(r"^WADI_VERSION_(MAJOR|MINOR|PATCH) = (\d+)$", pathlib.Path("wadi/_c.py").read_text(), re.M))
setup(
    name="wadi",
    version=".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH")),
    description="Terrain erosion: water, wind, dunes, riverbeds and landslides on one terrain",
    license="MIT",
    license_files=["LICENSE"],
    python_requires=">=3.9",
    install_requires=["numpy>=1.20"],
    extras_require={"xarray": ["xarray"]},
    packages=["wadi"],
    package_data={"wadi": ["libwadi.so", "py.typed"]},
    cmdclass={"bdist_wheel": Platform},
    distclass=Binary,
)
