#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lay out the documentation as a site: the pages of docs/, and reference pages made from headers and tables.

    site.py SOURCE_DIRECTORY WADI_COMMAND BUILD_DIRECTORY SITE_DIRECTORY

mkdocs is strict: a link that leads nowhere, or a page that nothing leads to, is an error.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, COMMAND, BUILD, SITE = (pathlib.Path(p).resolve() for p in sys.argv[1:5])
PAGES = BUILD / "pages"
LINK = re.compile(r"(?<!\\)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def say(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


def link_to(path, page):
    """A link from a page to another, as relative paths of the site."""
    up = "../" * (len(page.parts) - 1)
    return up + path.as_posix()


def as_page(path):
    """The place in the site of a file of the sources."""
    if path.parts[0] == "docs":
        return pathlib.Path(*path.parts[1:])
    if path.as_posix() in ("README.md", "CHANGELOG.md"):
        return pathlib.Path("index.md" if path.name == "README.md" else path.name)
    if path.parts[0] == "scenes" and path.suffix == ".yaml":
        return pathlib.Path("scene", f"{path.stem}.md")
    if path.parts[:2] == ("include", "wadi"):
        return pathlib.Path("header", f"{path.stem}.md")
    return pathlib.Path("files", f"{path.as_posix().strip('/')}.txt")


def with_links(text, source, page):
    """The text of a page whose links to files of the sources lead to their places in the site."""
    def turned(match):
        target = match[1]
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        path = pathlib.Path(*resolved(source.parent / target))
        if (SOURCE / path).is_dir():
            return "](" + link_to(pathlib.Path("files", path.name + ".txt"), page) + ")" if keep_folder(path) else match[0]
        place = as_page(path)
        if place.parts[0] == "files":
            keep_file(path, place)
        return f"]({link_to(place, page)}{match[2] or ''})"

    return LINK.sub(turned, text)


def resolved(path):
    parts = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts


def keep_file(path, place):
    (PAGES / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SOURCE / path, PAGES / place)


def keep_folder(path):
    """A folder becomes the list of its files."""
    place = PAGES / "files" / (path.name + ".txt")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join(sorted(p.name for p in (SOURCE / path).iterdir())) + "\n")
    return True


def write(page, text):
    (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / page).write_text(text)


def copy_pages():
    for path in sorted(SOURCE.glob("docs/**/*.md")) + [SOURCE / "README.md", SOURCE / "CHANGELOG.md"]:
        source = path.relative_to(SOURCE)
        page = as_page(source)
        write(page, with_links(path.read_text(), source, page))
    shutil.copytree(SOURCE / "docs/pictures", PAGES / "pictures")


def listed(names, folder, titles=None, depth=8):
    return "\n".join(f"{' ' * depth}- {json.dumps((titles or {}).get(n, n))}: {folder}/{n}.md" for n in names)


def scene_pages():
    """A page for each scene: what it shows, how to run it, its picture and its text."""
    names = []
    for path in sorted(SOURCE.glob("scenes/*.yaml")):
        text = path.read_text()
        doc = re.search(r"^doc: *(.+)$", text, re.M)
        pictures = [p.name for p in sorted((SOURCE / "docs/pictures").glob(f"{path.stem}.*"))]
        body = [f"# {path.stem}", doc[1].strip('"') if doc else "", *(f"![]({'../pictures/' + p})" for p in pictures[:1]),
                f"```sh\nwadi new {path.stem} -o {path.stem}\nwadi run {path.stem}/{path.stem}.yaml -o out\n```",
                f"```yaml\n{text}```"]
        write(pathlib.Path("scene", f"{path.stem}.md"), "\n\n".join(body) + "\n")
        names.append(path.stem)
    return listed(names, "scene", depth=10)


def range_of(field):
    if field["type"] == "enum":
        return ", ".join(field["values"])
    if field["type"] == "bool":
        return "true or false"
    unit = "" if field["unit"] == "1" else " " + field["unit"]
    return f"{field['min']:g} to {field['max']:g}{unit}"


def table(head, rows):
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(c).replace("|", "\\|") for c in row) + " |" for row in cells)


def process_page(process):
    body = [f"# {process['name']}", process["doc"], f"Default duration: {process['default_years']:g} yr."]
    if len(process["models"]) > 1:
        body += ["## Models", table(["model", "what it is"], [[m["name"], m["doc"]] for m in process["models"]])]
    body += ["## Presets", table(["preset", "what it is"], [[p["name"], p["doc"]] for p in process["presets"]])]
    body += ["## Parameters", table(["name", "default", "range", "what it is", "source"], [
        [f"`{f['name']}`", f["default"], range_of(f), f["doc"], f.get("source") or ""] for f in process["fields"]])]
    for title, given in (("Maps that it makes", False), ("Maps that it takes", True)):
        rows = [[f"`{m['name']}`", m["unit"], m["doc"]] for m in process["maps"] if m["input"] == given]
        body += [f"## {title}", table(["name", "unit", "what it is"], rows)] if rows else []
    rows = [[f"`{t['name']}`", ", ".join(f"{c['name']} [{c['unit']}]" for c in t["columns"]), t["doc"]]
            for t in process["tables"]]
    body += ["## Tables that it takes", table(["name", "columns", "what it is"], rows)] if rows else []
    return "\n\n".join(body) + "\n"


def process_pages():
    processes = json.loads(say("describe", "--json"))["processes"]
    for process in processes:
        write(pathlib.Path("process", f"{process['name']}.md"), process_page(process))
    return listed([p["name"] for p in processes], "process", depth=10)


def verb_pages():
    verbs = re.findall(r"^    (\w+) {2,}", say("help").split("VERBS")[1].split("\n\n")[0], re.M)
    for verb in verbs:
        write(pathlib.Path("verb", f"{verb}.md"), f"# wadi {verb}\n\n```text\n{say('help', verb)}```\n")
    return listed(verbs, "verb", depth=10)


def header_page(path):
    """The comments of a header as text, each above the lines that it is about."""
    text = path.read_text()
    about = re.search(r"/// \\file .*\n((?:///.*\n)*)", text)
    body = [f"# wadi/{path.name}", plain(about[1]) if about else ""]
    rest = text[about.end():] if about else text
    for block in re.split(r"\n\s*\n", rest):
        block = block.strip("\n")
        section = re.match(r"// -+ (.*?) -+$", block, re.M)
        if section:
            body.append(f"## {section[1].capitalize()}")
            block = block[section.end():].strip("\n")
        if re.match(r"#pragma|#include|#ifdef|#ifndef|#define WADI_\w+_H|extern \"C\"|\{|\}|// SPDX", block) or not block:
            continue
        said, code = re.match(r"((?:///(?!<).*\n)*)((?:.|\n)*)", block + "\n").groups()
        body += [plain(said)] if said else []
        body += [f"```c\n{code}```"] if code.strip() else []
    return "\n\n".join(part for part in body if part) + "\n"


def plain(comment):
    """Text of /// lines as Markdown."""
    text = "\n".join(line[4:] for line in comment.splitlines())
    return re.sub(r"\\p (\w+)", r"`\1`", text).replace("<", "&lt;").replace("*", "\\*")


def header_pages():
    paths = sorted(SOURCE.glob("include/wadi/*.h"))
    for path in paths:
        write(pathlib.Path("header", f"{path.stem}.md"), header_page(path))
    return listed([p.stem for p in paths], "header", {p.stem: f"wadi/{p.name}" for p in paths}, depth=10)


def theory():
    return listed([p.stem for p in sorted(SOURCE.glob("docs/theory/*.md"))], "theory", depth=6)


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir(parents=True)
    copy_pages()
    text = (SOURCE / "docs/site/mkdocs.yml").read_text()
    for word, made in (("SCENES", scene_pages()), ("PROCESSES", process_pages()), ("VERBS", verb_pages()),
                       ("HEADERS", header_pages()), ("THEORY", theory())):
        text = re.sub(f"^{word}$", lambda _match, lines=made: lines, text, flags=re.M)
    text = text.replace("site_dir: SITE", f"site_dir: {SITE}").replace("docs_dir: PAGES", f"docs_dir: {PAGES}")
    (BUILD / "mkdocs.yml").write_text(text)
    subprocess.run(["mkdocs", "build", "--quiet", "--clean", "--config-file", str(BUILD / "mkdocs.yml")], check=True)
    print(f"the site: {SITE}, {len(list(SITE.glob('**/*.html')))} pages; its search wants a web server: "
          f"python3 -m http.server -d {SITE}")


if __name__ == "__main__":
    main()
