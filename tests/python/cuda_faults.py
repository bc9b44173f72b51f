"""A run with positions in the memory of a GPU that fails gives the right result by other means, or an error.

    python cuda_faults.py

The GPU is that of the replacement for the driver, which fails as its environment says (tests/fakes/cuda.c)."""
import cuda_arrays
import numpy

import sonde

COUNT = 5000


def main():
    cuda_arrays.begin(0)
    positions = numpy.random.default_rng(4).uniform(-5, 60, (COUNT, 3))
    symbols = (["O", "H", "H"] * COUNT)[:COUNT]
    options = {"boundary": "periodic", "cutoff": 8, "q": (1, 9, 50), "method": "histogram"}
    wanted = sonde.debye(sonde.Atoms(symbols, positions, cell=(60, 61, 62)), device="cpu", **options)
    given = cuda_arrays.OnGpu(positions)
    atoms = None
    try:
        atoms = sonde.Atoms(symbols, given, cell=(60, 61, 62))
        result = sonde.debye(atoms, device="gpu", **options)
    except (sonde.DeviceError, MemoryError) as error:
        print("failed:", error)
    else:
        assert result.I.values.tobytes() == wanted.I.values.tobytes()
        assert result.error_of("I").values.tobytes() == wanted.error_of("I").values.tobytes()
        print("right")
        del result
    del atoms


if __name__ == "__main__":
    main()
