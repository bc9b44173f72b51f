"""Arrays in the memory of an NVIDIA GPU, made through its driver without any other package, as samples.

    python cuda_arrays.py [DEVICE]

A program of its own, because the tests run it with a replacement for the driver (tests/fakes/cuda.c), which is found by
LD_LIBRARY_PATH. With the number of a GPU it runs on that."""
import ctypes
import pickle
import sys

import numpy

import sonde
from sonde import _cuda, _library

driver = ctypes.CDLL("libcuda.so.1")
pointer = ctypes.c_uint64


def call(name, *arguments):
    result = getattr(driver, name)(*arguments)
    assert result == 0, f"{name}: CUDA error {result}"


def begin(device):
    """Makes the device that of this thread, as libraries with arrays do."""
    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    return context


class Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", _cuda._Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class OnGpu:
    """An array of a GPU that knows DLPack only, with any strides, and with an offset."""

    def __init__(self, array, device=0, code=2):
        base = array
        while base.base is not None:
            base = base.base
        self.first = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        self.address = pointer()
        call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(base.nbytes))
        call("cuMemcpyHtoDAsync_v2", self.address, ctypes.c_void_p(base.__array_interface__["data"][0]), ctypes.c_size_t(base.nbytes), None)
        call("cuStreamSynchronize", None)
        self.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*[step // array.itemsize for step in array.strides])
        self.strides = None if array.flags.c_contiguous else strides
        self.managed = Managed(_cuda._Tensor(self.address.value, _cuda.CUDA, device, array.ndim, code, 8 * array.itemsize, 1, self.shape,
                                             self.strides, self.first))

    def __dlpack_device__(self):
        return (_cuda.CUDA, self.managed.tensor.device)

    def __dlpack__(self, *, stream):
        assert stream == 1  # the default stream of the device, in whose order the copy is made
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)

    def free(self):
        call("cuMemFree_v2", self.address)


def refuses(kind, words, function):
    try:
        function()
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"accepted, though {words}")


def same(one, two):
    """All numbers of two results, to the bit."""
    assert set(one.data_vars) == set(two.data_vars)
    for name in one.data_vars:
        assert one[name].values.tobytes() == two[name].values.tobytes(), name


def runs_leave_positions_there(device, generator):
    """Those by the histogram do; the results are those of positions of the host."""
    count = 10400
    symbols = (["O", "H", "H"] * count)[:count]
    cube = generator.uniform(0, 50, (count, 3))
    table = generator.uniform(-20, 80, (count, 5)).astype(numpy.float32)
    crystal = 3.75 * numpy.stack(numpy.unravel_index(numpy.arange(count), (20, 23, 24)), 1) + 0.125
    for array, method in ((cube, "histogram"), (table[::-1, 3:0:-1], "auto"), (crystal, "auto"), (crystal, "histogram")):
        for boundary in ("open", "periodic")[method == "histogram" and array is crystal:]:
            options = {"boundary": boundary, "q": (1, 9, 400), "method": method, "displacement": "O=0.01,H=0.02"}
            cell = {"cell": ((50, 0, 0), (3, 51, 0), (0, 0, 52))} if boundary == "periodic" else {}
            options.update({"cutoff": 9} if cell else {})
            given = OnGpu(array, device)
            there, here = sonde.Atoms(symbols, given, **cell), sonde.Atoms(symbols, numpy.array(array), **cell)
            given.free()  # the library has a copy of its own
            assert there.on_gpu and not here.on_gpu
            wanted = sonde.debye(here, device=f"cuda:{device}", **options)
            same(sonde.debye(there, device=f"cuda:{device}", **options), wanted)
            assert there.on_gpu == (array is not crystal or method != "auto" or boundary == "periodic")
            assert (array is crystal and method == "auto" and boundary == "open") == (wanted.options["method"] == "lattice")
            if boundary == "periodic":  # again, by the processor, and by the GPU with a copy on the host
                same(sonde.debye(there, device=f"cuda:{device}", **options), wanted)
                assert there.on_gpu
                same(sonde.debye(there, device="cpu", **options), wanted)
                assert not there.on_gpu
                same(sonde.debye(there, device=f"cuda:{device}", **options), wanted)
            assert (there.positions == array).all() and not there.on_gpu
            assert (pickle.loads(pickle.dumps(there)).positions == array).all()


def close(one, two, names, tolerance):
    """Sums in the order that the device has found, which differ by rounding."""
    for name in names:
        assert numpy.allclose(one[name], two[name], rtol=tolerance, atol=tolerance * float(abs(two[name]).max())), name


def exact_sums_leave_positions_there(device, generator, simulated):
    """Of debye and, on a real GPU, pattern; fast patterns have the same bits, since they add integers."""
    count = 4200
    symbols, positions = (["O", "H", "H"] * count)[:count], generator.uniform(-300, 250, (count, 3)).astype(numpy.float32)
    given = OnGpu(positions[::-1], device)
    there, here = sonde.Atoms(symbols, given), sonde.Atoms(symbols, positions[::-1])
    given.free()
    options = {"device": f"cuda:{device}"}
    close(*(sonde.debye(atoms, q=(0, 9, 5), method="exact", **options) for atoms in (there, here)), ("I", "S"), 1e-12)
    assert there.on_gpu and not here.on_gpu
    if simulated:  # without the kernels of pattern
        return
    options.update({"wavelength": 0.7, "q": (0.1, 4, 7), "phi": 5})
    close(*(sonde.pattern(atoms, method="direct", amplitude=True, **options) for atoms in (there, here)), ("I", "F"), 1e-11)
    fast = [sonde.pattern(atoms, tolerance=1e-6, method="fast", **options) for atoms in (there, here)]
    same(*fast)
    assert there.on_gpu and not here.on_gpu
    # others have a copy on the host
    same(*(sonde.pattern(atoms, method="fast", orientations="uniform:4", **options) for atoms in (there, here)))
    assert not there.on_gpu


def little_memory_changes_the_method(device, generator):
    """From the histogram to exact sums."""
    positions = generator.uniform(0, 50, (10400, 3))
    given = OnGpu(positions, device)
    options = {"q": (1, 9, 400), "bin_width": 0.0005, "host_memory": 16000000, "device": f"cuda:{device}"}
    one, two = (sonde.debye(sonde.Atoms("Co", array), **options) for array in (given, positions))
    given.free()
    assert one.options["method"] == two.options["method"] == "exact"
    close(one, two, ("I", "S", "F"), 1e-10)


def atoms_can_be_added(device):
    """Before, without success, and afterward."""
    ffi, lib = _library.ffi, _library.lib
    positions = numpy.arange(15.0).reshape(5, 3)
    given, made = OnGpu(positions, device), ffi.new("sonde_atoms **")
    assert lib.sonde_atoms_create(made) == 0
    atoms = sonde.Atoms._from_pointer(made[0])
    assert lib.sonde_atoms_add(atoms.pointer, b"", ffi.new("double[3]")) != 0
    label, names = ffi.new("char[]", b"Co"), ffi.new("char *[1]")
    names[0] = label
    for address, row in ((given.address.value, 3), (0, 3), (given.address.value, -(1 << 60))):
        status = lib.sonde_atoms_add_from_cuda_array(atoms.pointer, 5, names, 1, ffi.new("int32_t[5]"), device, address, 64, row, 1)
        assert (status == 0) == (address != 0 and row == 3)
    assert atoms.on_gpu and len(atoms) == 5
    assert lib.sonde_atoms_add(atoms.pointer, b"O", ffi.new("double[3]", [1, 2, 3])) == 0
    assert not atoms.on_gpu and (atoms.positions == numpy.vstack([positions, [[1, 2, 3]]])).all()
    assert lib.sonde_atoms_add_from_cuda(atoms.pointer, 5, names, 1, ffi.new("int32_t[5]"), device, given.address.value) == 0
    assert not atoms.on_gpu and (atoms.positions[6:] == positions).all() and atoms.species == ["Co", "O"]
    given.free()


def wrong_positions_are_found(device, simulated):
    positions = numpy.full((6000, 3), 7.0)
    positions[4321, 1] = numpy.nan
    given = OnGpu(positions, device)
    for options in ({"method": "histogram", "device": f"cuda:{device}"}, {"method": "exact", "device": f"cuda:{device}"},
                    {"method": "exact", "device": "cpu"}):
        atoms = sonde.Atoms("Co", given)
        refuses(ValueError, "positions: atom 4322: coordinate nan", lambda: sonde.debye(atoms, q=(1, 9, 6), **options))
    if not simulated:
        refuses(ValueError, "positions: atom 4322: coordinate nan",
                lambda: sonde.pattern(sonde.Atoms("Co", given), wavelength=0.7, device=f"cuda:{device}"))
    refuses(ValueError, "positions: atom 4322: coordinate nan", lambda: sonde.Atoms("Co", given).positions)
    given.free()


def main(device, simulated):
    context, current = begin(device), ctypes.c_void_p()
    generator = numpy.random.default_rng(3)
    positions, symbols = generator.uniform(0, 12, (60, 3)), ["Co"] * 20 + ["O"] * 40
    wide = generator.uniform(0, 12, (60, 5))
    forms = [positions, positions.astype(numpy.float32), numpy.asfortranarray(positions), wide[:, 1:4], wide[::-2, ::2], positions[40:]]
    for array in forms:
        given = OnGpu(array, device)
        assert (sonde.Atoms("Co", given).positions == array).all()
        given.free()
    call("cuCtxGetCurrent", ctypes.byref(current))
    assert current.value == context.value

    given, charges = OnGpu(positions, device), OnGpu(numpy.arange(60.0), device)
    assert (sonde.Atoms(symbols, given, charges=charges).charges == numpy.arange(60)).all()
    one = sonde.debye((symbols, given), q=(1, 9, 6), device="cpu")
    two = sonde.debye((symbols, positions), q=(1, 9, 6), device="cpu")
    assert one.I.values.tobytes() == two.I.values.tobytes()
    charges.free()

    runs_leave_positions_there(device, generator)
    exact_sums_leave_positions_there(device, generator, simulated)
    wrong_positions_are_found(device, simulated)
    if not simulated:  # a minute for the replacement of the driver
        little_memory_changes_the_method(device, generator)
    atoms_can_be_added(device)

    # copied through pinned memory
    many = generator.uniform(0, 500, (2900000, 3))
    large = OnGpu(many, device)
    assert (sonde.Atoms("Co", large).positions == many).all()
    large.free()
    # runs on the GPU, from the second one on by this thread, which then has no current context, as before
    call("cuCtxSetCurrent", None)
    runs = [sonde.debye((symbols, given), q=(1, 9, 6), device=f"cuda:{device}") for _ in range(3)]
    assert len({run.I.values.tobytes() for run in runs}) == 1 and numpy.allclose(runs[0].I, two.I, rtol=1e-9)
    call("cuCtxGetCurrent", ctypes.byref(current))
    assert current.value is None
    call("cuCtxSetCurrent", context)

    given.managed.tensor.device = 77
    refuses(ValueError, "the NVIDIA GPU 77", lambda: sonde.Atoms(symbols, given))
    given.managed.tensor.device = device
    given.managed.tensor.code = 4  # bfloat16
    refuses(ValueError, "convert it to float32", lambda: sonde.Atoms(symbols, given))
    given.managed.tensor.code = 2
    given.free()
    given.managed.tensor.offset = 1 << 40
    if simulated:  # real drivers may take the address for one of the host
        refuses(RuntimeError, "CUDA error", lambda: sonde.Atoms(symbols, given).positions)

    call("cuCtxSetCurrent", None)
    call("cuDevicePrimaryCtxRelease_v2", device)
    print("cuda arrays: right")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0, len(sys.argv) == 1)
