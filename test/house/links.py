#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Relative links in the documentation lead to files, and their anchors to headings.

    links.py SOURCE_DIRECTORY
"""
import os
import re
import subprocess
import sys

LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)


def text_of(page):
    """A page without its code: brackets in commands are no links."""
    return CODE.sub("", open(page).read())


def anchor(heading):
    """The anchor that GitHub gives to a heading."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(page):
    lines = re.sub(r"^```.*?^```", "", open(page).read(), flags=re.M | re.S)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", lines, re.M)}


def check_link(page, link):
    """The complaint about one link of a page, or None."""
    path, _, fragment = link.partition("#")
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(target):
        return "%s links to %s, which does not exist" % (page, link)
    if fragment and target.endswith(".md") and fragment not in anchors(target):
        return "%s links to %s, which has no such heading" % (page, link)
    return None


def main():
    os.chdir(sys.argv[1])
    pages = subprocess.check_output(["git", "ls-files", "--", "*.md"], text=True).split()
    links = [(page, link) for page in pages for link in LINK.findall(text_of(page)) if "://" not in link]
    complaints = [complaint for page, link in links if (complaint := check_link(page, link))]
    print("\n".join(complaints) or "%d links of %d pages resolve" % (len(links), len(pages)))
    return 1 if complaints or not links else 0


if __name__ == "__main__":
    sys.exit(main())
