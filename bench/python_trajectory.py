#!/usr/bin/env python3
"""What a frame of 99,999 atoms takes, by a loop in Python, by eight threads of Python, and as a trajectory in a file; with a GPU of NVIDIA
also of arrays in its memory, by loop and threads.

    python bench/python_trajectory.py [DEVICE [FRAMES]]

Positions at random in a cube of 100 Angstrom, moved by 0.2 Angstrom from frame to frame: as clusters, and periodic with a
cut-off of 20 Angstrom, each with 996 and with 10 points of q."""
import os
import struct
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy

import sonde

EDGE, ATOMS = 100.0, 99999
THREADS, EACH = 8, 2  # of Python, and of each call
CELL = (EDGE,) * 3


def on_gpu(frames, device):
    """The same as arrays in the memory of a GPU, which no package is needed for: the tests have them, too."""
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "python"))
    import cuda_arrays

    cuda_arrays.begin(device)
    return [cuda_arrays.OnGpu(positions, device) for positions in frames]


def measure(symbols, frames, options):
    """Seconds of a loop, of the runs in it, and by threads; atoms are made in both."""

    def curve(positions, **more):
        return sonde.debye(sonde.Atoms(symbols, positions, cell=CELL), **options, **more)

    for positions in frames[:2]:
        curve(positions)
    began = time.perf_counter()
    inside = sum(curve(positions).attrs["seconds"] for positions in frames)
    loop = time.perf_counter() - began
    with ThreadPoolExecutor(THREADS) as pool:
        # each thread opens devices at its first call
        list(pool.map(lambda positions: curve(positions, threads=EACH), frames[:1] * (2 * THREADS)))
        began = time.perf_counter()
        list(pool.map(lambda positions: curve(positions, threads=EACH), frames))
    return loop, inside, time.perf_counter() - began


def write_dcd(path, frames):
    """A trajectory in the form of CHARMM, with the cell."""
    with open(path, "wb") as file:

        def record(content):
            size = struct.pack("<i", len(content))
            file.write(size + content + size)

        numbers = [len(frames), 1, 1, len(frames), *[0] * 5]
        record(b"CORD" + struct.pack("<9if10i", *numbers, 0.02, 1, *[0] * 8, 24))
        record(struct.pack("<i", 1) + b"positions at random".ljust(80))
        record(struct.pack("<i", ATOMS))
        for positions in frames:
            record(struct.pack("<6d", EDGE, 90, EDGE, 90, 90, EDGE))
            for axis in range(3):
                record(positions[:, axis].astype("<f4").tobytes())


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "cuda:0"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    warnings.simplefilter("ignore", sonde.SondeWarning)  # of atoms that are very close
    generator = numpy.random.default_rng(1)
    symbols = ["O"] * (ATOMS // 3) + ["H"] * (ATOMS - ATOMS // 3)
    first = generator.uniform(0, EDGE, (ATOMS, 3))
    frames = [first + generator.normal(0, 0.2, (ATOMS, 3)) for _ in range(count)]
    kinds = {"of NumPy": frames}
    if device.startswith("cuda:"):
        kinds["on the GPU"] = on_gpu(frames, int(device[5:]))
        kinds["on the GPU, float32"] = on_gpu([positions.astype("f4") for positions in frames], int(device[5:]))
    with tempfile.TemporaryDirectory() as folder:
        names = os.path.join(folder, "frames.dcd"), os.path.join(folder, "first.xyz")
        write_dcd(names[0], frames)
        sonde.Atoms(symbols, first, cell=CELL).write(names[1])
        for boundary, more in (("open", {}), ("periodic", {"cutoff": 20})):
            for points in (996, 10):
                options = {"boundary": boundary, "method": "histogram", "q": (0.1, 20, points), "device": device, "progress": False, **more}
                sonde.debye(sonde.Atoms(symbols, first, cell=CELL), **options)
                began = time.perf_counter()
                sonde.debye(names[0], topology=names[1], frames="::", **options)
                file = time.perf_counter() - began
                print(f"{device}, {boundary}, {points} points: the file {1e3 * file / count:.2f} ms a frame", flush=True)
                for kind, arrays in kinds.items():
                    loop, inside, threads = (1e3 * seconds / count for seconds in measure(symbols, arrays, options))
                    print(f"    arrays {kind}: a loop {loop:.2f} ms a frame, {inside:.2f} in the runs; {THREADS} threads {threads:.2f} ms a frame",
                          flush=True)


if __name__ == "__main__":
    main()
