"""A run with positions in the memory of a GPU that fails gives the right result by other means, or an error.

    python cuda_faults.py histogram|exact

The GPU is that of the replacement for the driver, which fails as its environment says (tests/fakes/cuda.c)."""
import sys

import cuda_arrays
import numpy

import sonde

COUNT = 5000


def main():
    cuda_arrays.begin(0)
    positions = numpy.random.default_rng(4).uniform(-5, 60, (COUNT, 3))
    symbols = (["O", "H", "H"] * COUNT)[:COUNT]
    if sys.argv[1] == "histogram":
        options = {"boundary": "periodic", "cutoff": 8, "q": (1, 9, 50), "method": "histogram"}
    else:
        options = {"boundary": "open", "q": (1, 9, 5), "method": "exact"}
    wanted = sonde.debye(sonde.Atoms(symbols, positions, cell=(60, 61, 62)), device="cpu", **options)
    given = cuda_arrays.OnGpu(positions)
    atoms = None
    try:
        atoms = sonde.Atoms(symbols, given, cell=(60, 61, 62))
        result = sonde.debye(atoms, device="gpu", **options)
    except (sonde.DeviceError, MemoryError) as error:
        print("failed:", error)
    else:
        if sys.argv[1] == "histogram":
            assert result.I.values.tobytes() == wanted.I.values.tobytes()
            assert result.error_of("I").values.tobytes() == wanted.error_of("I").values.tobytes()
        assert numpy.allclose(result.I, wanted.I, rtol=1e-11, atol=1e-11)
        print("right")
        del result
    del atoms


if __name__ == "__main__":
    main()
