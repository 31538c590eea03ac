# SPDX-License-Identifier: MIT
# Read lists of mutants (*.txt in this folder) and make a copy of the sources that holds all of them,
# each switched off. CONTRIBUTING.md says how a list is written; run.py runs the gate.
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ARROW = " => "
COPIED = ("src", "io", "test/reference", "test/support", "test/unit", "test/property", "test/io",
          "test/scene", "test/alloc", "test/validation")
LINKED = ("include", "cmake", "cli", "scenes", "examples", "VERSION", "CMakeLists.txt",
          "test/CMakeLists.txt", "test/data", "test/cli", "test/fuzz", "test/golden", "docs")


@dataclass
class Mutant:
    name: str      # area.name
    area: str
    file: str      # path in the project
    tests: list    # names of test programs to try first
    before: str    # the snippet, around the expression
    original: str
    after: str
    mutated: str
    where: str     # list and line, for messages

    @property
    def key(self):
        """The number that the sources compare with: FNV-1a of the name, as in mutant.c."""
        key = 0x811C9DC5
        for byte in self.name.encode():
            key = (key ^ byte) * 0x01000193 & 0xFFFFFFFF
        return key


def fail(messages):
    sys.exit("\n".join(messages))


def read_list(path):
    """Mutants of one list. A line is `file: PATH`, `tests: NAME ...`, or `NAME: SNIPPET => EXPRESSION`."""
    mutants, errors, file, tests = [], [], None, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        where = f"{path.name}:{number}"
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r"([\w-]+): *(.*)", line)
        if not match:
            errors.append(f"{where}: expected 'NAME: SNIPPET{ARROW}EXPRESSION'")
            continue
        name, text = match.groups()
        if name == "file":
            file = text
        elif name == "tests":
            tests = text.split()
        else:
            snippet, arrow, mutated = (text + " ").partition(ARROW)
            parts = snippet.split("@")
            if not arrow or len(parts) not in (1, 3):
                errors.append(f"{where}: expected 'SNIPPET{ARROW}EXPRESSION', with @ on both sides "
                              "of the expression to replace, or none: then it is the whole snippet")
                continue
            before, original, after = parts if len(parts) == 3 else ("", parts[0], "")
            if not re.search(r"\w", original) or original.count("?") != original.count(":"):
                errors.append(f"{where}: '{original}' is no whole expression, so it cannot be replaced")
                continue
            mutants.append(Mutant(f"{path.stem}.{name}", path.stem, file, tests, before, original,
                                  after, mutated.strip(), where))
    return mutants, errors


def read_lists(folder):
    mutants, errors = [], []
    for path in sorted(folder.glob("*.txt")):
        more, wrong = read_list(path)
        mutants += more
        errors += wrong
    seen = {}
    for mutant in mutants:
        other = seen.setdefault(mutant.key, mutant)
        if other is not mutant:
            errors.append(f"{mutant.where}: '{mutant.name}' has the name, or the key, of {other.where}")
    if errors:
        fail(errors)
    return mutants


def pattern(text):
    """A snippet as a regular expression: any white space matches any other."""
    return r"\s+".join(re.escape(word) for word in re.split(r"\s+", text))


def find(mutant, source):
    """Range of the expression to replace, or a message."""
    snippet = pattern(mutant.before) + "(" + pattern(mutant.original) + ")" + pattern(mutant.after)
    matches = list(re.finditer(snippet, source))
    if len(matches) != 1:
        count = "is not" if not matches else f"is {len(matches)} times"
        text = f"{mutant.before}@{mutant.original}@{mutant.after}"
        return None, (f"{mutant.where}: {mutant.name}: the snippet '{text}' {count} in {mutant.file}; "
                      "write it anew so that it is there exactly once")
    start = matches[0].start(1)
    if "static const" in re.split(r"[;}]\s", source[:start])[-1]:
        return None, (f"{mutant.where}: {mutant.name}: a static constant of {mutant.file} cannot be "
                      "chosen at run time; replace where it is used")
    return matches[0].span(1), None


def replaced(source, span, mutants):
    """An expression becomes a choice, a statement (it ends with ;) an if."""
    text = source[span[0]:span[1]]
    for mutant in mutants:
        if mutant.original.endswith(";"):
            text = f"if (WADI_MUTANT(0x{mutant.key:08x}u)) {{ {mutant.mutated} }} else {{ {text} }}"
        else:
            text = f"(WADI_MUTANT(0x{mutant.key:08x}u) ? ({mutant.mutated}) : ({text}))"
    # a macro's lines end with backslashes, which the text above keeps
    return text


def mutate(source, mutants):
    spans, errors = {}, []
    for mutant in mutants:
        span, error = find(mutant, source)
        if error:
            errors.append(error)
        else:
            spans.setdefault(span, []).append(mutant)
    end = 0
    for span in sorted(spans):
        if span[0] < end:
            errors.append(f"{spans[span][0].where}: the expression overlaps that of another mutant; "
                          "replace the same range, or ranges apart")
        end = max(end, span[1])
    if errors:
        return None, errors
    for span in sorted(spans, reverse=True):
        source = source[:span[0]] + replaced(source, span, spans[span]) + source[span[1]:]
    return source, []


def write_if_changed(path, text):
    data = text if isinstance(text, bytes) else text.encode()
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def check_sources(project, mutants):
    """Is each snippet in its file exactly once? Writes nothing."""
    by_file, errors = {}, []
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    for name, of_file in by_file.items():
        path = project / name
        errors += mutate(path.read_text(), of_file)[1] if path.exists() else [
            f"{m.where}: {m.name}: there is no file {name}" for m in of_file]
    if errors:
        fail(errors)


def copy_sources(project, tree, mutants):
    """Copy what is compiled, with the mutants in it, and link to the rest."""
    by_file, errors, kept = {}, [], set()
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    for folder in COPIED:
        for path in sorted((project / folder).rglob("*")):
            name = path.relative_to(project).as_posix()
            if path.is_dir():
                continue
            data = path.read_bytes()
            if name in by_file:
                data, wrong = mutate(data.decode(), by_file.pop(name))
                errors += wrong
            if data is not None:
                write_if_changed(tree / name, data)
            kept.add(name)
    errors += [f"{m.where}: {m.name}: no file {file} among those compiled for the gate"
               for file, of_file in by_file.items() for m in of_file]
    if errors:
        fail(errors)
    for name in LINKED:
        link = tree / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink() and (project / name).exists():
            link.symlink_to(project / name)
    for name in ("mutant.c", "mutant.h"):
        write_if_changed(tree / "src/core" / name, (Path(__file__).parent / name).read_bytes())
        kept.add(f"src/core/{name}")
    for folder in COPIED:  # files that the project no longer has
        for path in (tree / folder).rglob("*"):
            if path.is_file() and path.relative_to(tree).as_posix() not in kept:
                path.unlink()
