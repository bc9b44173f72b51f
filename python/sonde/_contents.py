"""The arrays and attributes of a result of the library, in place."""
import functools
import math

import numpy

from ._library import check, ffi, lib, text

KINDS = ("<f8", "<f4", "<c16", "<c8", "<i8", "<u2", "S")
TEXT = 6
_SCALARS = {0: ffi.typeof("double *"), 4: ffi.typeof("int64_t *")}


class Contents:
    """The arrays and attributes of a result by their paths in an HDF5 file."""

    def __init__(self, handle):
        self.handle = handle
        self.view = ffi.new("sonde_contents *")
        check(lib.sonde_result_contents_sized(handle, self.view, ffi.sizeof("sonde_contents")))

    @functools.cached_property
    def sets(self):
        view = self.view
        return {text(given.path): given for given in (view.datasets[0:view.dataset_count] if view.dataset_count else ())}

    @functools.cached_property
    def attributes(self):
        found, view = {}, self.view
        for given in view.attributes[0:view.attribute_count] if view.attribute_count else ():
            words = [text(word) for word in given.texts[0:given.count]] if given.count else []
            found.setdefault(text(given.path), {})[text(given.name)] = words
        return found

    def attribute(self, path, name, default=None):
        return self.attributes.get(path, {}).get(name, default)

    def value(self, path):
        return self.value_of(self.sets[path])

    def value_of(self, given):
        """A scalar or text as an object of Python, or an array."""
        element, rank = given.element, given.rank
        if rank == 0 and element in _SCALARS:
            return ffi.cast(_SCALARS[element], given.values)[0]
        shape = tuple(given.sizes[0:rank]) if rank else ()
        if element == TEXT:
            if rank == 0:
                return ffi.unpack(ffi.cast("char *", given.values), given.size).rstrip(b"\0").decode("utf-8", "replace")
            raw = numpy.frombuffer(ffi.buffer(given.values, given.size * shape[0]), f"S{given.size}")
            return numpy.array([item.partition(b"\0")[0].decode("utf-8", "replace") for item in raw], dtype=str)
        return self.array(given.values, shape, numpy.dtype(KINDS[element]), given.size * math.prod(shape))

    def keep(self, _):
        """Called when an array is freed, which until then keeps this object, and with it the result."""

    def array(self, pointer, shape, kind, size):
        """An array of `size` bytes of the library, which cannot be changed."""
        array = numpy.ndarray(shape, kind, ffi.buffer(ffi.gc(pointer, self.keep), size))
        array.setflags(False)
        return array

    def bytes(self):
        """The size of all arrays."""
        return sum(given.size * math.prod(given.sizes[0:given.rank] if given.rank else ()) for given in self.sets.values())
