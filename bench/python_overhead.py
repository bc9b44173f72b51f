#!/usr/bin/env python3
"""What a call of sonde.debye takes around the run itself, and where.

    python bench/python_overhead.py [DEVICE [CALLS [ATOMS]]]

By default with 1,000 atoms. The Python package must be importable. For exact sums and for the histogram: the time of a
call, `seconds` of its result, which is that of the run, and the difference; first without any further clocks, then with one
around each of its parts. All are medians of the calls."""
import statistics
import sys
import time

import numpy

import sonde
from sonde import _atoms, _library, _results, _run

PARTS = ["atoms", "options", "request", "call", "  library", "  in the run", "contents", "dataset", "  comparison", "free"]
spent = dict.fromkeys(PARTS, 0.0)


def clocked(part, function):
    def wrapped(*arguments, **keywords):
        began = time.perf_counter()
        try:
            return function(*arguments, **keywords)
        finally:
            spent[part] += time.perf_counter() - began

    return wrapped


class Clocked:
    """The library with a clock around some of its functions."""

    def __init__(self, library, parts):
        self._library = library
        for name, part in parts.items():
            setattr(self, name, clocked(part, getattr(library, name)))

    def __getattr__(self, name):
        return getattr(self._library, name)


def install_clocks():
    _run.atoms_of = clocked("atoms", _atoms.atoms_of)
    _run.options_for = clocked("options", _run.options_for)
    _run.Request = clocked("request", _run.Request)
    _run.call = clocked("call", _library.call)
    _run.lib = Clocked(_run.lib, {"sonde_run": "  library"})
    free = _run.free_result
    _run.free_result = clocked("free", lambda pointer: free(pointer))
    _results.Contents = clocked("contents", _results.Contents)
    _results.lib = Clocked(_results.lib, {"sonde_result_changes": "  comparison"})
    _results.make = clocked("dataset", _results.make)


def loop(calls, sample, device, method):
    """Seconds of each call, and of the run in it; of the processors for all; and what the parts took in each call."""
    times, inside, parts = [], [], []
    result, worked = sonde.debye(sample, device=device, method=method), time.process_time()
    for _ in range(calls):
        spent.update(dict.fromkeys(PARTS, 0.0))
        began = time.perf_counter()
        result = sonde.debye(sample, device=device, method=method)
        times.append(time.perf_counter() - began)
        inside.append(float(result.attrs["seconds"]))
        parts.append(dict(spent))
    return times, inside, time.process_time() - worked, parts


def difference(times, inside):
    return 1e3 * statistics.median(whole - run for whole, run in zip(times, inside))


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    calls = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    atoms = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    positions = numpy.random.default_rng(1).uniform(0, 25, (atoms, 3))
    sample = ["Co"] * (atoms // 2) + ["O"] * (atoms - atoms // 2), positions
    methods = "exact", "histogram"
    for method in methods:
        loop(5, sample, device, method)
        times, inside, worked, _ = loop(calls, sample, device, method)
        print(f"{device}, {method}: {1e3 * statistics.median(times):.3f} ms a call, {1e3 * statistics.median(inside):.3f} in the run, "
              f"{difference(times, inside):.3f} around it; {1e3 * worked / calls:.3f} ms of processors", flush=True)
    install_clocks()
    for method in methods:
        loop(5, sample, device, method)
        times, inside, _, parts = loop(calls, sample, device, method)
        for part, whole, run in zip(parts, times, inside):
            part["  in the run"] = run
            # parts within other parts are not counted twice
            part["request"] -= part["atoms"]
            part["dataset"] -= part["contents"]
            part["rest"] = whole - sum(part[name] for name in PARTS if not name.startswith(" "))
        print(f"{device}, {method}, with clocks: {difference(times, inside):.3f} ms around the run; microseconds: "
              + ", ".join(f"{name.strip()} {1e6 * statistics.median(part[name] for part in parts):.0f}" for name in [*PARTS, "rest"]), flush=True)
    _results._LAYOUTS.clear()  # what is freed at the end of the interpreter has no clocks any more


if __name__ == "__main__":
    main()
