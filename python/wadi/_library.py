# SPDX-License-Identifier: MIT
"""The shared library, and contexts: memory, threads, the last error and the progress hook."""
from __future__ import annotations

import ctypes
import os
import pathlib
import signal
import sys
import threading
import time
import weakref
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

from . import _c
from .errors import KINDS, Error

#: Called with the share of the work that is done, 0 to 1, and what is being done.
#: False stops the work: the call then raises Cancelled.
Progress = Callable[[float, str], Optional[bool]]

#: Seconds between two calls of a progress function.
PROGRESS_INTERVAL = 0.1

NAMES = {"win32": "libwadi.dll", "darwin": "libwadi.dylib"}


def load() -> ctypes.CDLL:
    """The library beside this file, or the one that WADI_LIBRARY names."""
    beside = pathlib.Path(__file__).with_name(NAMES.get(sys.platform, "libwadi.so"))
    library = ctypes.CDLL(os.environ.get("WADI_LIBRARY") or str(beside))
    for name, (result, arguments) in _c.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = load()
version: str = lib.wadi_version().decode()
if lib.wadi_version_number() != _c.WADI_VERSION_MAJOR * 10000 + _c.WADI_VERSION_MINOR * 100 + _c.WADI_VERSION_PATCH:
    raise ImportError(f"libwadi is version {version}, and this package was built for another one: "
                      "unset WADI_LIBRARY, or install the package anew")


class Context:
    """Memory, threads and errors of one terrain. Use it from one thread at a time."""

    def __init__(self, threads: int = 0, progress: Progress | None = None) -> None:
        self.progress = progress
        self._stop: BaseException | None = None
        self._last = 0.0
        definition = lib.wadi_context_def_default()
        definition.threads = threads
        # the hook must not keep the context alive, or it would never be destroyed
        this = weakref.ref(self)
        self._hook = _c.wadi_progress_fn(lambda share, what, _: this()._ask(share, what))  # type: ignore[union-attr]
        definition.progress = self._hook
        self.handle = ctypes.c_void_p()
        code = lib.wadi_context_create(ctypes.byref(definition), ctypes.byref(self.handle))
        if code != _c.WADI_OK:
            raise KINDS[code](f"{lib.wadi_result_name(code).decode()}: {threads} threads; expected 0 (one per core) "
                              "to 1024")
        weakref.finalize(self, Context._destroy, self.handle, os.getpid())

    # a process that was forked has the memory of the threads, but not the threads
    @staticmethod
    def _destroy(handle: ctypes.c_void_p, process: int) -> None:
        if os.getpid() == process:
            lib.wadi_context_destroy(handle)

    def check(self, code: int) -> None:
        """Raise the exception of a result, with the library's message."""
        if code != _c.WADI_OK:
            detail = lib.wadi_error_detail(self.handle).decode()
            raise KINDS.get(code, Error)(detail or lib.wadi_result_name(code).decode())

    def run(self, function: Callable[..., int], *arguments: Any) -> None:
        """Call a function that may take long: with progress, and until Ctrl-C."""
        self._last = 0.0
        with self._interruptible():
            code = function(*arguments)
        stop, self._stop = self._stop, None
        if stop is not None:
            raise stop
        self.check(code)

    # the hook runs on the thread that called the library; an exception cannot pass through C
    def _ask(self, share: float, what: bytes) -> bool:
        try:
            now = time.monotonic()
            if self.progress is not None and now - self._last >= PROGRESS_INTERVAL:
                self._last = now
                return self.progress(share, what.decode()) is not False and self._stop is None
        except BaseException as error:  # noqa: BLE001
            self._stop = error
        return self._stop is None

    # Python runs its handler of Ctrl-C between any two of its instructions, also where the hook
    # could not catch an exception; this handler only takes a note
    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        def note(_number: int, _frame: object) -> None:
            self._stop = KeyboardInterrupt()

        plain = (threading.current_thread() is threading.main_thread()
                 and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        if plain:
            signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            if plain:
                signal.signal(signal.SIGINT, signal.default_int_handler)
