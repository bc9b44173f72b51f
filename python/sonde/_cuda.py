"""Arrays of other packages in the memory of NVIDIA GPUs, by DLPack.

The copy to the host is made by the library through the driver, so that neither the package that made the array nor any
other one has to be able to do it. What engines do with positions begins on the host: the order of atoms in space,
and the plan of the run."""
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


def to_host(values, name):
    """An array of NumPy with the numbers of an array of a GPU."""
    import numpy

    capsule = values.__dlpack__(stream=_DEFAULT_STREAM)  # owns the memory until it is collected
    tensor = _tensor_of(capsule)
    kind = _type_of(tensor, name)
    shape = tuple(tensor.shape[0:tensor.rank])
    if 0 in shape:
        return numpy.empty(shape, kind)
    steps = tuple(tensor.strides[0:tensor.rank]) if tensor.strides else None
    if steps is None:
        steps = tuple(math.prod(shape[place + 1:]) for place in range(tensor.rank))
    # everything from the first element in memory to the last one
    first = sum((size - 1) * step for size, step in zip(shape, steps) if step < 0)
    last = sum((size - 1) * step for size, step in zip(shape, steps) if step > 0)
    memory = numpy.empty(last - first + 1, kind)
    address = (tensor.data or 0) + tensor.offset + first * kind.itemsize
    check(lib.sonde_cuda_copy_to_host(tensor.device, address, ffi.from_buffer(memory), memory.nbytes))
    return numpy.lib.stride_tricks.as_strided(memory[-first:], shape, [step * kind.itemsize for step in steps], writeable=False)
