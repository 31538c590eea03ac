#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The mutation gate: each mutant of test/mutation/*.txt must make a fast test fail.
#
#   run.py                      all mutants; fails if more than 5 % survive
#   run.py hydraulic talus.     those whose name starts so
#   run.py --list               names and files, without building
#   run.py --check              is each snippet in its file exactly once? Builds nothing
#   run.py --own                tries the tests that the lists name only: quicker, and stricter
#   run.py --one-of 3           each third mutant; the commit says with which to begin
#
# One build holds all mutants (build/mutants); the environment variable WADI_MUTANT picks one at run
# time. First all tests must pass without a mutant. Then each mutant meets the tests that its list
# names and, if those pass, all other fast tests, the quickest first of either. A test that fails,
# crashes or takes ten times as long as before, or two minutes longer, kills it. Golden tests are left out: they would fail for any change.
import argparse
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True  # leave nothing in the source tree
import mutate  # noqa: E402

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
BUILD = PROJECT / "build/mutants"
GATE = 0.95
FOLDERS = ("unit.", "property.", "io.", "scene.", "alloc.", "validation.")


class Test:
    def __init__(self, entry):
        properties = {p["name"]: p["value"] for p in entry["properties"]}
        self.name = entry["name"]
        self.command = entry.get("command", [])
        self.labels = properties.get("LABELS", [])
        self.environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        self.seconds = 0.0

    def run(self, mutant, limit):
        """None when the test passes, else a word or two about how it failed."""
        directory = tempfile.mkdtemp(prefix="wadi-mutant-")
        environment = dict(os.environ, **self.environment, WADI_MUTANT=mutant, TMPDIR=directory)
        process = subprocess.Popen(self.command, cwd=directory, env=environment, text=True,
                                   errors="replace", stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        late = threading.Event()

        def stop():
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(limit, lambda: (late.set(), stop()))
        timer.start()
        failed = None
        for line in process.stdout:
            # cmocka says so at once; the rest of the program need not be waited for
            if line.startswith("[  FAILED  ]"):
                failed = line.split("]", 1)[1].strip()
                stop()
                break
        process.stdout.close()
        code = process.wait()
        timer.cancel()
        shutil.rmtree(directory, ignore_errors=True)
        if failed:
            return failed
        if late.is_set():
            return "timeout"
        if code in (0, 77):
            return None
        return signal.Signals(-code).name if code < 0 else f"exit {code}"


def run(command, **kwargs):
    done = subprocess.run(command, **kwargs)
    if done.returncode != 0:
        output = (done.stdout or b"").decode(errors="replace")
        sys.exit(f"{' '.join(map(str, command[:3]))}: exit {done.returncode}\n"
                 f"{output[max(output.find('FAILED'), 0):][:4000]}")
    return done


def lock_build():
    BUILD.mkdir(parents=True, exist_ok=True)
    lock = open(BUILD / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another run is at work in {BUILD}")
    return lock


def build(jobs, names):
    """Build the programs of the tests `names`; all where that is None."""
    tree, build_dir = BUILD / "tree", BUILD / "build"
    launcher = shutil.which("ccache")
    header = tree / "src/core/mutant.h"
    run(["cmake", "-S", tree, "-B", build_dir, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG", f"-DCMAKE_C_FLAGS=-w -include {header}",
         "-DWADI_TESTS=ON", "-DWADI_EXAMPLES=OFF",
         *([f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}"] if launcher else [])],
        stdout=subprocess.DEVNULL)
    # a test has no command before it is built; its program is named after it
    programs = sorted({"test_" + t.name.split(".")[1] for t in read_tests(build_dir)
                       if names is None or t.name in names})
    run(["cmake", "--build", build_dir, "-j", str(jobs), "--target", *programs],
        capture_output=True)
    return {t.name: t for t in read_tests(build_dir)}


def read_tests(build_dir):
    listed = run(["ctest", "--test-dir", build_dir, "--show-only=json-v1"], capture_output=True)
    tests = [Test(entry) for entry in json.loads(listed.stdout)["tests"]]
    return [t for t in tests if t.name.startswith(FOLDERS) and "fast" in t.labels
            and not {"slow", "gap", "bench", "cli"} & set(t.labels)]


def time_tests(tests, pool):
    """Without a mutant all tests must pass; how long they take sets the limits."""
    def one(test):
        start = time.monotonic()
        failure = test.run("", 300)
        test.seconds = time.monotonic() - start
        return f"{test.name}: {failure}" if failure else None
    failures = [line for line in pool.map(one, tests) if line]
    if failures:
        sys.exit("without any mutant these tests fail:\n" + "\n".join(failures))


def kill(mutant, tests, own):
    """Name of the test that kills the mutant, or None; `own`: of those that its list names."""
    first = sorted((tests[name] for name in mutant.tests), key=lambda t: t.seconds)
    rest = sorted((t for t in tests.values() if t not in first), key=lambda t: t.seconds)
    for test in first + (rest if not own else []):
        failure = test.run(mutant.name, min(10 * test.seconds + 5, test.seconds + 120))
        if failure:
            return f"{test.name}: {failure}", test in first
    return None, False


def chosen(mutants, starts):
    if not starts:
        return mutants
    some = [m for m in mutants if m.name.startswith(tuple(starts))]
    return some or sys.exit("no mutant's name starts with " + " or ".join(starts))


def one_of(mutants, count):
    """Each mutant's turn comes: consecutive commits begin anywhere."""
    if count == 1:
        return mutants
    commit = run(["git", "-C", PROJECT, "rev-parse", "HEAD"], capture_output=True).stdout
    return mutants[int(commit[:8], 16) % count::count]


def check_test_names(mutants, tests):
    errors = [f"{m.where}: {m.name}: no fast test '{name}'"
              for m in mutants for name in m.tests if name not in tests]
    if errors:
        mutate.fail(errors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("start", nargs="*", help="run the mutants whose names start so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--own", action="store_true", help="try the tests that the list names only")
    parser.add_argument("--one-of", type=int, default=1, metavar="N",
                        help="run each Nth mutant; the commit says with which to begin")
    options = parser.parse_args()

    everyone = mutate.read_lists(HERE)
    mutants = one_of(chosen(everyone, options.start), options.one_of)
    if options.list:
        print("\n".join(f"{m.name:44} {m.file}" for m in mutants))
        return
    mutate.check_sources(PROJECT, everyone)
    if options.check:
        print(f"{len(everyone)} mutants, each found once")
        return
    lock = lock_build()  # until the end: two runs would change the sources under each other's compiler
    mutate.copy_sources(PROJECT, BUILD / "tree", everyone)
    began = time.monotonic()
    named = {name for m in mutants for name in m.tests} if options.own else None
    tests = build(options.jobs, named)
    check_test_names(everyone, tests)
    built = time.monotonic()
    if options.own:
        tests = {name: test for name, test in tests.items() if name in named}
    with ThreadPoolExecutor(options.jobs) as pool:
        time_tests(list(tests.values()), pool)
        timed = time.monotonic()
        print(f"build {built - began:.0f} s; {len(tests)} tests pass without a mutant, {timed - built:.0f} s")
        survivors = report(mutants, pool, tests, options.own)
    print(f"{time.monotonic() - timed:.0f} s for {len(mutants)} mutants")
    killed = len(mutants) - len(survivors)
    lock.close()
    print(f"killed {killed} of {len(mutants)}, {100 * killed / len(mutants):.1f} %")
    if survivors:
        print("survived: " + " ".join(survivors))
    if killed < GATE * len(mutants):
        sys.exit(f"fewer than {100 * GATE:.0f} % were killed")


def report(mutants, pool, tests, own):
    survivors = []
    for mutant, (killer, named) in zip(mutants, pool.map(lambda m: kill(m, tests, own), mutants)):
        if killer is None:
            survivors.append(mutant.name)
        mark = "survived" if killer is None else "killed  " if named else "killed *"
        print(f"{mark} {mutant.name:40} {killer or mutant.file}", flush=True)
    print("* by a test that its list does not name")
    return survivors


if __name__ == "__main__":
    main()
