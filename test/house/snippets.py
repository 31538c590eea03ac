#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code blocks of docs/embedding.md stand in the example that the page links before them.

    snippets.py SOURCE_DIRECTORY

A block of C or C++ must be a run of lines of that file, apart from its indentation.
"""
import os
import re
import sys

TOKEN = re.compile(r"\]\(\.\./(examples/[\w.]+)\)|^```(?:c|cpp)\n(.*?)^```", re.M | re.S)


def bare(text):
    """Lines without indentation."""
    return "\n".join(line.strip() for line in text.strip().split("\n"))


def main():
    os.chdir(sys.argv[1])
    page = open("docs/embedding.md").read()
    example, checked, complaints = None, 0, []
    for found in TOKEN.finditer(page):
        if found.group(1):
            example = found.group(1)
            continue
        checked += 1
        if example is None or "\n" + bare(found.group(2)) + "\n" not in "\n" + bare(open(example).read()) + "\n":
            complaints.append("docs/embedding.md: not in %s:\n%s" % (example, found.group(2)))
    if checked == 0:
        complaints.append("docs/embedding.md: no code blocks were found")
    print("\n".join(complaints) or "%d blocks stand in their examples" % checked)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
