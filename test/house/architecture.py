#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The laws of the house that a program can check.

    architecture.py SOURCE_DIRECTORY [STATIC_LIBRARY]

1. Includes point down: a folder of src/ includes itself and folders above it in WINGS; a room of a
   wing includes no sister room but those in BESIDE. io/ and cli/ use public headers of the library.
2. Result-bearing code calls no function of libm whose last bit differs between C libraries.
3. The root of the repository holds nothing that is not in ROOT.
4. File names are unique in src/, io/ and cli/.
5. Every external symbol of the static library begins with wadi_.
"""
import collections
import os
import re
import subprocess
import sys

# from the bottom up; folders in one row do not include each other
WINGS = [["core"], ["terrain"], ["lockstep", "bodies"], ["laws"], ["window"], ["process"], ["processes"], ["maps"], ["scene"], ["session"]]

# rooms that may include a sister room
BESIDE = {
    ("bodies", "grains"): {"engine"},
    ("bodies", "water"): {"engine"},
    ("bodies", "seepage"): {"engine"},
    ("bodies", "wet_grains"): {"engine"},
    ("laws", "channels"): {"flow"},
    # a model of a process and what its siblings share; no process includes another process
    ("processes", "articles"): {"dunes", "riverbed", "wind", "hydraulic"},
    ("processes", "dunes"): {"articles"},
    ("processes", "riverbed"): {"articles"},
    ("processes", "wind"): {"articles"},
    ("processes", "hydraulic"): {"articles"},
}

# sqrt, fabs, floor, ceil, trunc, rint and the like are exact everywhere
LIBM = "sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow cbrt hypot erf erfc " \
       "tgamma lgamma fma".split()

ROOT = set("README.md CHANGELOG.md CONTRIBUTING.md LICENSE Makefile CMakeLists.txt CMakePresets.json "
           ".gitignore .clang-format .clang-tidy .ci src include io cli studio python integrations distributed gpu "
           "scenes test bench examples docs cmake CITATION.cff".split())

INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.M)
CALL = re.compile(r"(?<![\w.>])(" + "|".join(LIBM) + r")f?l?\s*\(")


def tracked(*patterns):
    return subprocess.check_output(["git", "ls-files", "--", *patterns], text=True).split()


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(\\.|[^\"\\\n])*\"", "", text, flags=re.S)


def height(wing):
    return next(i for i, row in enumerate(WINGS) if wing in row)


def check_include(path, target):
    """The complaint about one include of a file in src/, or None."""
    at, to = path.split("/")[1:], target.split("/")
    if len(to) < 2:
        return "name headers from src/ on"
    if at[0] == to[0]:
        sisters = at[0] in ("bodies", "laws", "processes", "maps") and at[1] != to[1]
        allowed = not sisters or to[1] in BESIDE.get((at[0], at[1]), ())
        return None if allowed else "%s/%s may not include its sister %s" % (at[0], at[1], to[1])
    if not any(to[0] in row for row in WINGS):
        return "src/ includes src/ only"
    return None if height(to[0]) < height(at[0]) else "%s lies above or beside %s" % (to[0], at[0])


def check_includes():
    for path in tracked("src/*.[ch]"):
        for target in INCLUDE.findall(open(path).read()):
            complaint = check_include(path, target)
            if complaint:
                yield "%s includes %s: %s" % (path, target, complaint)
    for path in tracked("io/*.[ch]", "cli/*.[ch]"):
        for target in INCLUDE.findall(open(path).read()):
            if target.split("/")[0] not in ("io", "cli") and not os.path.basename(target).startswith(("article_", "plain_")):
                yield "%s includes %s: outside the library only <wadi/...> is there" % (path, target)
            if path.startswith("io/") and target.startswith("cli/"):
                yield "%s includes %s: file formats do not know the command" % (path, target)


def check_libm():
    for path in tracked("src/*.[ch]"):
        for number, line in enumerate(without_comments(open(path).read()).split("\n"), 1):
            for call in CALL.findall(line):
                yield "%s: %s() differs between C libraries; core/dmath.h has wadi_%s()" % (path, call, call)


def check_root():
    for name in sorted({path.split("/")[0] for path in tracked()} - ROOT):
        yield "%s does not belong in the root" % name


def check_names():
    seen = collections.defaultdict(list)
    for path in tracked("src/*.[ch]", "io/*.[ch]", "cli/*.[ch]"):
        seen[os.path.basename(path)].append(path)
    for paths in seen.values():
        if len(paths) > 1:
            yield "one name, several files: %s" % " ".join(paths)


def check_externs(library):
    names = subprocess.run(["nm", "-g", "--defined-only", library], text=True, capture_output=True).stdout
    for line in names.split("\n"):
        words = line.split()
        if len(words) == 3 and not words[2].startswith("wadi_"):
            yield "%s is external without the prefix wadi_" % words[2]


def main():
    os.chdir(sys.argv[1])
    checks = [check_includes(), check_libm(), check_root(), check_names()]
    if len(sys.argv) > 2:
        checks.append(check_externs(sys.argv[2]))
    complaints = [complaint for check in checks for complaint in check]
    print("\n".join(complaints) or "the house is in order")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
