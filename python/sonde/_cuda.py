"""Arrays of other packages in the memory of NVIDIA GPUs, by DLPack.

Copies are made by the library through the driver, so that neither the package that made the array nor any other one has
to be able to do it: of positions within the GPU, and to the host what is needed there."""
import ctypes
import math

from . import _errors
from ._library import check, ffi, lib

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
_DEFAULT_STREAM = 1  # for the producer: the default stream of the device waits for the array
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # DLDataTypeCode
_NAME = b"dltensor"


class _Tensor(ctypes.Structure):
    """DLTensor, the first member of DLManagedTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


def _tensor_of(capsule):
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return _Tensor.from_address(read(capsule, _NAME))


def _type_of(tensor, name):
    import numpy

    kind = _KINDS.get(tensor.code)
    try:
        if kind is not None and tensor.lanes == 1 and tensor.bits % 8 == 0:
            return numpy.dtype(f"{kind}{tensor.bits // 8}")
    except TypeError:
        pass
    raise _errors.InputError(f"{name}: NumPy has no numbers like those of this array (DLPack's kind {tensor.code} of {tensor.bits} bits); "
                             "convert it to float32 or float64", name)


class Given:
    """An array of a GPU, for as long as this lives."""

    def __init__(self, values, name):
        self.capsule = values.__dlpack__(stream=_DEFAULT_STREAM)  # owns the memory until it is collected
        self.tensor = _tensor_of(self.capsule)
        self.kind = _type_of(self.tensor, name)
        self.shape = tuple(self.tensor.shape[0:self.tensor.rank])
        self.ndim, self.device = self.tensor.rank, self.tensor.device
        self.address = (self.tensor.data or 0) + self.tensor.offset
        packed = tuple(math.prod(self.shape[place + 1:]) for place in range(self.ndim))
        self.steps = tuple(self.tensor.strides[0:self.ndim]) if self.tensor.strides else packed
        self.is_packed = all(step == wanted or size == 1 for step, wanted, size in zip(self.steps, packed, self.shape))

    def __len__(self):
        return self.shape[0]

    def has_positions(self):
        """Whether the library can take its rows as positions."""
        return self.kind in ("f4", "f8") and self.ndim == 2 and self.shape[1] == 3 and self.kind.isnative

    def to_host(self):
        """An array of NumPy with the same numbers."""
        import numpy

        if 0 in self.shape:
            return numpy.empty(self.shape, self.kind)
        # everything from the first element in memory to the last one
        first = sum((size - 1) * step for size, step in zip(self.shape, self.steps) if step < 0)
        last = sum((size - 1) * step for size, step in zip(self.shape, self.steps) if step > 0)
        memory = numpy.empty(last - first + 1, self.kind)
        check(lib.sonde_cuda_copy_to_host(self.device, self.address + first * self.kind.itemsize, ffi.from_buffer(memory), memory.nbytes))
        steps = [step * self.kind.itemsize for step in self.steps]
        return numpy.lib.stride_tricks.as_strided(memory[-first:], self.shape, steps, writeable=False)


def is_given(values):
    """Whether an array says that it is in the memory of an NVIDIA GPU."""
    device = getattr(values, "__dlpack_device__", None)
    return device is not None and int(device()[0]) in (CUDA, CUDA_MANAGED)
