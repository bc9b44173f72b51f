"""Files that the library reads, from arrays."""
import os
import struct

from . import _errors
from ._atoms import as_array
from ._library import check, ffi, lib


def voxels(path, values, spacing, *, origin=None, overwrite=False):
    """Writes a map of voxels, for bodies of the shape `voxels` and the option `voxels` of ions.

    values : array with axes x, y, z: numbers of materials from 0 (integers), or relative permittivities
    spacing : edges of a voxel, one number or three, in the unit of the body's scale (of ions: Angstrom)
    origin : corner of the first voxel; None: the middle of the map is its origin
    """
    import numpy

    array = numpy.asanyarray(values)
    if array.ndim != 3:
        raise _errors.InputError(f"values: the shape is {array.shape}, not (x, y, z)", "values")
    whole = array.dtype.kind in "iub"
    if array.dtype.kind not in "iubf":
        raise _errors.InputError(f"values: voxels are integers (numbers of materials) or real permittivities, not {array.dtype}; absorbing bodies "
                                 "have a material", "values")
    array = as_array(array, "values", numpy.int64 if whole else numpy.float64)
    stored = numpy.ascontiguousarray(array.transpose(2, 1, 0))
    sizes = [int(size) for size in array.shape]
    edges = _three(spacing if numpy.ndim(spacing) else [spacing] * 3, "spacing")
    corner = ffi.NULL if origin is None else ffi.new("double[3]", _three(origin, "origin"))
    name = os.fsdecode(path)
    check(lib.sonde_voxels_write(os.fsencode(name), sizes, ffi.from_buffer("int64_t *", stored) if whole else ffi.NULL,
                                 ffi.NULL if whole else ffi.from_buffer("double *", stored), edges, corner, overwrite))
    return name


def _three(values, name):
    array = as_array(values, name)
    if array.shape != (3,):
        raise _errors.InputError(f"{name}: {values!r} is not three numbers", name)
    return [float(part) for part in array]


def stl(path, mesh):
    """A binary STL file of a mesh of trimesh, or of (vertices, triangles)."""
    import numpy

    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        mesh = (mesh.vertices, mesh.faces)
    try:
        vertices, triangles = numpy.asarray(mesh[0], numpy.float32), numpy.asarray(mesh[1], numpy.int64)
        corners = vertices[triangles]
    except (TypeError, ValueError, IndexError) as error:
        raise _errors.InputError(f"mesh: not a mesh of trimesh, nor (vertices, triangles): {error}", "mesh") from None
    if corners.ndim != 3 or corners.shape[1:] != (3, 3):
        raise _errors.InputError("mesh: vertices are (n, 3), and triangles (m, 3) numbers of them", "mesh")
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = numpy.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / numpy.where(length > 0, length, 1)
    rows = numpy.zeros(len(corners), [("numbers", "<f4", (4, 3)), ("more", "<u2")])
    rows["numbers"][:, 0], rows["numbers"][:, 1:] = normals, corners
    with open(path, "wb") as file:
        file.write(b"sonde".ljust(80) + struct.pack("<I", len(corners)) + rows.tobytes())
