#!/usr/bin/env python3
"""What runs take of positions on the GPU and of those of NumPy: of debye and pattern, which leave them there, and of coulomb, which copies them
to the host.

    python bench/python_arrays.py [DEVICE [RUNS]]

Positions at random, as a gas of constant density; the medians of the runs, without the time to make the atoms, and that of a copy of the
positions to the host alone. Results are compared: those of direct sums differ by rounding, since the GPU finds another order of the atoms."""
import os
import statistics
import sys
import time
import warnings

import numpy

import sonde

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "python"))
import cuda_arrays  # noqa: E402

RUNS = {
    "debye, histogram": (10**5, lambda atoms, more: sonde.debye(atoms, q=(0.1, 20, 200), method="histogram", **more)),
    "debye, exact": (10**4, lambda atoms, more: sonde.debye(atoms, q=(0.1, 20, 200), method="exact", **more)),
    "pattern, direct": (10**5, lambda atoms, more: sonde.pattern(atoms, q=(0.1, 2, 64), phi=64, wavelength=0.1, method="direct", **more)),
    "pattern": (10**6, lambda atoms, more: sonde.pattern(atoms, q=(0.1, 4, 256), phi=256, wavelength=0.1, **more)),
    "pattern, fast": (10**6, lambda atoms, more: sonde.pattern(atoms, q=(0.1, 4, 256), phi=256, wavelength=0.1, method="fast", **more)),
    "debye, exact, 10^5 atoms": (10**5, lambda atoms, more: sonde.debye(atoms, q=(0.1, 20, 800), method="exact", **more)),
    "coulomb, direct": (10**5, lambda atoms, more: sonde.coulomb(atoms, charges="O=-0.8,H=0.4", size=(48, 48, 48), method="direct", **more)),
    "coulomb": (10**6, lambda atoms, more: sonde.coulomb(atoms, charges="O=-0.8,H=0.4", size=(100, 100, 100), **more)),
}


def compare(one, two):
    """In words."""
    names = sorted(one.data_vars)
    if all(one[name].values.tobytes() == two[name].values.tobytes() for name in names):
        return "the same bits"
    name = next(name for name in ("I", "potential") if name in names)
    return f"{name} differs by {float(abs(one[name] - two[name]).max() / abs(two[name]).max()):.1e} of its largest value at most"


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "cuda:0"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    warnings.simplefilter("ignore", sonde.SondeWarning)  # of atoms that are very close
    number = int(device[5:])
    cuda_arrays.begin(number)
    generator = numpy.random.default_rng(1)
    for name, (atoms, run) in RUNS.items():
        positions = generator.uniform(0, (10.0 * atoms) ** (1 / 3), (atoms, 3))
        symbols = ["O"] * (atoms // 3) + ["H"] * (atoms - atoms // 3)
        kinds = {"NumPy": positions, "on the GPU": cuda_arrays.OnGpu(positions, number)}
        times, values = {kind: [] for kind in (*kinds, "a copy to the host")}, {}
        for _ in range(count + 1):  # the first one starts the device
            for kind, array in kinds.items():
                sample = sonde.Atoms(symbols, array)
                began = time.perf_counter()
                result = run(sample, {"device": device, "progress": False})
                times[kind].append(time.perf_counter() - began)
                values[kind] = result
            sample = sonde.Atoms(symbols, kinds["on the GPU"])
            began = time.perf_counter()
            sample.positions  # noqa: B018
            times["a copy to the host"].append(time.perf_counter() - began)
        medians = {kind: 1e3 * statistics.median(seconds[1:]) for kind, seconds in times.items()}
        same = compare(values["on the GPU"], values["NumPy"])
        print(f"{device}, {name}, {atoms} atoms: " + ", ".join(f"{kind} {milliseconds:.2f} ms" for kind, milliseconds in medians.items()) +
              f"; {same}", flush=True)


if __name__ == "__main__":
    main()
