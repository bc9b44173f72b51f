"""The library: loading, contexts, calls without the interpreter's lock that Ctrl-C stops.

A context keeps the devices open and the kernels compiled; one is enough for calls one after the other, and each thread that
calls at the same time has another one.
"""
import math
import os
import pathlib
import queue
import sys
import threading
import time
import warnings

from . import _errors
from ._cffi import ffi

FOLDER = pathlib.Path(__file__).resolve().parent


def _open():
    given = os.environ.get("SONDE_LIBRARY")
    if given:
        return ffi.dlopen(given)
    found = sorted((FOLDER / "lib").glob("libsonde.so*"), key=lambda path: len(path.name))
    if not found:
        raise ImportError(f"there is no libsonde.so in {FOLDER / 'lib'}: the package is not complete")
    return ffi.dlopen(str(found[0]))


lib = _open()


def version():
    return text(lib.sonde_version())


def text(pointer):
    return ffi.string(pointer).decode("utf-8", "replace")


def message():
    return text(lib.sonde_status_message())


def check(status):
    """For short calls, of the thread that makes them."""
    if status != _errors.OK:
        raise _errors.error_of(status, message())


# Calls of the main thread --------------------------------------------------------------------------------------


class _Worker:
    """A thread that makes the calls of the main thread, which meanwhile waits for them in the interpreter, where signals
    arrive."""

    def __init__(self):
        self.calls = queue.SimpleQueue()
        threading.Thread(target=self._loop, name="sonde", daemon=True).start()

    def _loop(self):
        while True:
            call, answer, done = self.calls.get()
            try:
                answer.append(call())
            except BaseException as error:  # to be raised in the thread that waits
                answer.append(error)
            done.release()
            call = answer = done = None  # and what they refer to, until the next call

    def __call__(self, call, cancel):
        answer, done = [], threading.Lock()
        done.acquire()
        self.calls.put((call, answer, done))
        interrupt = None
        while True:
            try:
                done.acquire()
                break
            except BaseException as error:  # KeyboardInterrupt, or what a handler of signals raises
                interrupt = interrupt or error
                cancel()
        if interrupt is not None:
            raise interrupt
        if isinstance(answer[0], BaseException):
            raise answer[0]
        return answer[0]


_worker = None
_forked = False
_used = False


def _run_apart(call, cancel):
    global _worker
    if threading.current_thread() is not threading.main_thread():
        return call()
    if _worker is None:
        _worker = _Worker()
    return _worker(call, cancel)


# Contexts ------------------------------------------------------------------------------------------------------

_SETTERS = {
    "device": lambda context, value: lib.sonde_context_set_device(context, value.encode()),
    "threads": lambda context, value: lib.sonde_context_set_threads(context, value),
    "memory": lambda context, value: lib.sonde_context_set_device_memory(context, value),
    "host_memory": lambda context, value: lib.sonde_context_set_memory(context, value),
    "kernel_cache": lambda context, value: lib.sonde_context_set_kernel_cache(context, value.encode()),
    "launch_limit": lambda context, value: lib.sonde_context_set_launch_limit(context, value),
}
DEFAULTS = {"device": "auto", "threads": 0, "memory": 0, "host_memory": 0, "kernel_cache": "", "launch_limit": 0.0}


class Context:
    def __init__(self):
        made = ffi.new("sonde_context **")
        check(lib.sonde_context_create(made))
        self.pointer = ffi.gc(made[0], _free_context)
        self.settings = dict(DEFAULTS)
        tables = FOLDER / "share" / "sonde"
        if "SONDE_DATA" not in os.environ and tables.is_dir():
            check(lib.sonde_context_set_data(self.pointer, str(tables).encode()))

    def set(self, settings):
        """Settings that did not change are left alone: a change closes the devices."""
        for name, value in settings.items():
            if self.settings[name] != value:
                try:
                    check(_SETTERS[name](self.pointer, value))
                except _errors.InputError as error:
                    raise _errors.InputError(f"{name}: {error}", name) from None
                self.settings[name] = value


def _free_context(pointer, free=lib.sonde_context_free, new=ffi.new):
    free(new("sonde_context **", pointer))


# functions that free are kept as defaults: at the end of the interpreter the names of modules may be gone before objects are
def free_result(pointer, free=lib.sonde_result_free, new=ffi.new):
    free(new("sonde_result **", pointer))


_free: list = []
_lock = threading.Lock()
_MOST_FREE = 4


def _take(settings):
    with _lock:
        for place, context in enumerate(_free):
            if context.settings == settings:
                return _free.pop(place)
        if len(_free) >= _MOST_FREE:
            return _free.pop(0)
    return Context()


class context_for:
    """A context with these settings, to be used by one call at a time: in a `with` statement."""

    __slots__ = ("context",)

    def __init__(self, settings=None):
        global _used
        if _forked:
            raise RuntimeError("sonde was used before this process was forked, and its threads and devices do not survive that: "
                               "use multiprocessing.get_context('spawn'), or import and use sonde in the child only")
        _used = True
        wanted = {**DEFAULTS, **(settings or {})}
        self.context = _take(wanted)
        if self.context.settings != wanted:
            self.context.set(wanted)

    def __enter__(self):
        return self.context

    def __exit__(self, *_):
        with _lock:
            _free.append(self.context)


def _after_fork():
    global _worker, _forked, _free, _lock
    _forked = _used
    _worker, _free, _lock = None, [], threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


# Progress ------------------------------------------------------------------------------------------------------


@ffi.callback("sonde_progress_callback *")
def _on_progress(progress, user):
    told = ffi.from_handle(user)
    try:
        told.report(text(progress.stage), progress.done, progress.total, text(progress.unit), progress.elapsed)
    except BaseException as error:  # stops the run, and is raised after it
        told.failed(error)


class _Reporter:
    """Passes on the progress of a run."""

    def __init__(self, function, context):
        self.function, self.context, self.error = function, context, None

    def report(self, *state):
        if self.error is None:
            self.function(*state)

    def failed(self, error):
        self.error = self.error or error
        lib.sonde_context_cancel(self.context.pointer)


# Runs ----------------------------------------------------------------------------------------------------------


def _level_of_caller():
    """The stack level of the first frame outside of the package, as seen by the caller of this function."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "sonde":
        frame, level = frame.f_back, level + 1
    return level


# Seconds that the last call of a kind took. To hand a call to another thread and to wake up at its end takes a tenth of a
# millisecond, a good part of the time of small runs; the main thread makes those itself that took a moment the last time,
# within which it does not have to see signals.
_durations: dict = {}
_MOST_DURATIONS = 256
_MOMENT = 0.05


def _is_short(like):
    return like is not None and _durations.get(like, math.inf) < _MOMENT


def _note_duration(like, seconds):
    _durations.pop(like, None)
    if like is not None:
        if len(_durations) >= _MOST_DURATIONS:
            _durations.clear()
        _durations[like] = seconds


def call(context, function, progress=None, like=None):
    """function(), which calls the library with the context and returns a status, without the interpreter's lock. Raises
    what failed, and warns of what is notable. `like` is what calls of about the same duration have in common."""
    reporter = handle = None
    if progress is not None:
        reporter = _Reporter(progress, context)
        handle = ffi.new_handle(reporter)
        lib.sonde_context_set_progress(context.pointer, _on_progress, handle)

    def made():
        status = function()
        return status, message() if status != _errors.OK else ""

    began = time.perf_counter()
    try:
        status, words = made() if _is_short(like) else _run_apart(made, lambda: lib.sonde_context_cancel(context.pointer))
        _note_duration(like, time.perf_counter() - began)
    finally:
        lib.sonde_context_reset(context.pointer)
        if handle is not None:
            lib.sonde_context_set_progress(context.pointer, ffi.NULL, ffi.NULL)
        notes = text(lib.sonde_context_notes(context.pointer)).splitlines()
        lib.sonde_context_forget_notes(context.pointer)
    if reporter is not None and reporter.error is not None:
        raise reporter.error
    if status != _errors.OK:
        raise _errors.error_of(status, words)
    for note in notes:
        warnings.warn(note, _errors.SondeWarning, stacklevel=_level_of_caller())
    return notes
