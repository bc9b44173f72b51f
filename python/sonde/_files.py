"""Files that the library reads, from arrays."""
import filecmp
import hashlib
import os
import secrets
import struct

from . import _errors
from ._atoms import as_array
from ._library import check, ffi, lib


def check_voxels(values, name):
    """The array of a map; refuses what cannot be one."""
    import numpy

    array = numpy.asanyarray(values)
    if array.ndim != 3 or 0 in array.shape:
        raise _errors.InputError(f"{name}: the shape is {array.shape}, not (x, y, z)", name)
    if array.dtype.kind not in "iubf":
        raise _errors.InputError(f"{name}: voxels are integers (numbers of materials) or real permittivities, not {array.dtype}; absorbing bodies "
                                 "have a material", name)
    return array


def check_edges(spacing):
    """The edges of a voxel along x, y, z."""
    import numpy

    edges = three(spacing if numpy.ndim(spacing) else [spacing] * 3, "spacing")
    if not all(0 < edge < float("inf") for edge in edges):
        raise _errors.InputError(f"spacing: {spacing!r} is not above 0", "spacing")
    return edges


class _Map:
    """A map of voxels as the library takes it."""

    def __init__(self, values, spacing, origin, name):
        import numpy

        array = check_voxels(values, name)
        self.whole = array.dtype.kind in "iub"
        array = as_array(array, name, numpy.int64 if self.whole else numpy.float64)
        self.stored = numpy.ascontiguousarray(array.transpose(2, 1, 0))
        self.sizes = [int(size) for size in array.shape]
        self.edges = check_edges(spacing)
        self.corner = None if origin is None else three(origin, "origin")

    def write(self, path, overwrite):
        corner = ffi.NULL if self.corner is None else ffi.new("double[3]", self.corner)
        check(lib.sonde_voxels_write(os.fsencode(path), self.sizes, ffi.from_buffer("int64_t *", self.stored) if self.whole else ffi.NULL,
                                     ffi.NULL if self.whole else ffi.from_buffer("double *", self.stored), self.edges, corner, overwrite))

    def digest(self):
        digest = hashlib.sha256(repr((self.sizes, str(self.stored.dtype), self.edges, self.corner)).encode())
        digest.update(self.stored)
        return digest.hexdigest()


def voxels(path, values, spacing, *, origin=None, overwrite=False):
    """Writes a map of voxels, for bodies of the shape `voxels` and the option `voxels` of ions.

    values : array with axes x, y, z: numbers of materials from 0 (integers), or relative permittivities
    spacing : edges of a voxel, one number or three, in the unit of the body's scale (of ions: Angstrom)
    origin : corner of the first voxel; None: the middle of the map is its origin
    """
    made, name = _Map(values, spacing, origin, "values"), os.fsdecode(path)
    made.write(name, overwrite)
    return name


def three(values, name):
    """Three numbers."""
    array = as_array(values, name)
    if array.shape != (3,):
        raise _errors.InputError(f"{name}: {values!r} is not three numbers", name)
    return [float(part) for part in array]


def corners_of(mesh):
    """The corners of the triangles of a mesh of trimesh, or of (vertices, triangles)."""
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
    return corners


def _stl(corners):
    """The bytes of a binary STL file."""
    import numpy

    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = numpy.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / numpy.where(length > 0, length, 1)
    rows = numpy.zeros(len(corners), [("numbers", "<f4", (4, 3)), ("more", "<u2")])
    rows["numbers"][:, 0], rows["numbers"][:, 1:] = normals, corners
    return b"sonde".ljust(80) + struct.pack("<I", len(corners)) + rows.tobytes()


# Files that are named by their content: jobs in one folder share those of the same content, and never replace another one


def _put(folder, name, write):
    path = os.path.join(folder, name)
    temporary = f"{path}.{os.getpid()}-{secrets.token_hex(4)}"
    try:
        write(temporary)
        if not os.path.lexists(path):
            os.replace(temporary, path)
        elif not os.path.isfile(path) or not filecmp.cmp(temporary, path, shallow=False):
            raise _errors.InputError(f"path: {path}: exists already, with another content; remove it, or choose another folder", "path")
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
    return name


def put_voxels(folder, values, spacing, origin):
    """Writes the map of a body into a folder; returns the name of the file."""
    made = _Map(values, spacing, origin, "voxels")
    return _put(folder, f"voxels-{made.digest()[:12]}.h5", lambda path: made.write(path, False))


def put_mesh(folder, mesh):
    """Writes the mesh of a body into a folder; returns the name of the file."""
    content = _stl(corners_of(mesh))

    def write(path):
        with open(path, "xb") as file:
            file.write(content)

    return _put(folder, f"mesh-{hashlib.sha256(content).hexdigest()[:12]}.stl", write)
