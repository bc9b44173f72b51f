"""Volumes for napari and PyVista: potentials of sonde.coulomb, fields of sonde.fdtd, and other variables with the axes z, y, x
or x, y, z.

    from sonde.bridges import volumes

    viewer.add_image(**volumes.image(result))                # napari
    volumes.grid(result).contour(7).plot()                   # PyVista
    volumes.grid(light, "map_Ez_real", at=3)                 # of fdtd, at the fourth frequency or time
"""
import numpy

from .. import _errors
from ..bridges import need

AXES = ("z", "y", "x")


def _refuse(argument, words):
    return _errors.InputError(f"{argument}: {words}", argument)


def _name_of(data, name):
    """The variable of this name; by default the main one, or the first one of three axes."""
    if not hasattr(data, "data_vars"):
        raise _refuse("data", f"{type(data).__name__} is not a result, nor a dataset of xarray; of a DataArray its to_dataset(name=...) is one")
    name = name or data.attrs.get("signal") or next((key for key, values in data.data_vars.items() if _axes_of(values)), None)
    if name not in data.variables:
        raise _refuse("name", f"there is no variable {name!r}; there are {', '.join(map(str, data.data_vars))}")
    return name


def _axes_of(values):
    """The dimensions along z, y, x, which may begin with the name of a monitor; None if these are not all there."""
    prefix = values.attrs.get("monitor", "") + "_"
    found = [next((axis for axis in (letter, prefix + letter) if axis in values.dims), None) for letter in AXES]
    return None if None in found else found


def _chosen(values, axes, at, name):
    """The variable at one index of each axis before those of space."""
    at = dict(at) if hasattr(at, "items") else at
    for axis in values.dims[:min(values.dims.index(space) for space in axes)]:
        size = values.sizes[axis]
        index = at.pop(axis, None) if isinstance(at, dict) else at
        if index is None and size > 1:
            raise _refuse("at", f"{name} has {size} points along {axis}: give the index of one, from 0")
        try:
            values = values.isel({axis: 0 if index is None else int(index)})
        except (TypeError, ValueError, IndexError):
            raise _refuse("at", f"{index!r} is not an index from 0 to {size - 1} along {axis} of {name}") from None
    if isinstance(at, dict) and at:
        raise _refuse("at", f"{name} has no axis {next(iter(at))!r} before those of space")
    return values


def _spacing(places, axis):
    """The step of the points along an axis; None for a single one."""
    steps = numpy.diff(places)
    if not len(steps):
        return None
    step = float(steps.mean())
    if numpy.abs(steps - step).max() > 1e-6 * abs(step):
        raise _refuse("name", f"the points along {axis} are not equidistant")
    return step


def _volume(data, name, at):
    name = _name_of(data, name)
    values = data[name]
    axes = _axes_of(values)
    if axes is None:
        raise _refuse("name", f"{name} has the axes {values.dims}, not z, y, x or x, y, z")
    if values.dtype.kind not in "biuf":
        raise _refuse("name", f"{name} is {'complex' if values.dtype.kind == 'c' else 'not numeric'}: "
                      f"add its real part or its absolute value to the dataset, as by data.assign(strength=abs(data[{name!r}]))")
    values = _chosen(values, axes, at, name)
    if values.ndim > 4:
        raise _refuse("name", f"{name} has the axes {values.dims}: too many for a volume")
    values = values.transpose(*axes, ...)
    steps = [_spacing(data[axis].values, axis) for axis in axes]
    # points of a plane or line are as thick as those beside them
    spacing = [step if step is not None else next(filter(None, steps), 1.0) for step in steps]
    return name, values, spacing, [float(data[axis].values[0]) for axis in axes]


def image(data, name=None, *, at=None):
    """Keywords of napari's add_image(): the array itself, with the axes z, y, x, its spacing and origin. napari need not be installed.

    data : a result, or a dataset of xarray
    name : the variable; by default the main one
    at : index along the axis before those of space, such as the frequency or the time of a field; or a mapping of axes to these"""
    name, values, spacing, origin = _volume(data, name, at)
    if values.ndim == 4:
        raise _refuse("name", f"{name} has components; choose one by isel(component=0)")
    return {"data": values.values, "name": f"{name} [{values.attrs.get('units', '')}]", "scale": tuple(spacing), "translate": tuple(origin)}


def grid(data, name=None, *, at=None):
    """A pyvista.ImageData with the variable at its points; vectors have three components. Arguments are those of image()."""
    pyvista = need("pyvista")
    name, values, spacing, origin = _volume(data, name, at)
    made = pyvista.ImageData(dimensions=values.shape[2::-1], spacing=spacing[::-1], origin=origin[::-1])
    # points are numbered with x first, as the array with its slowest axis z is
    made.point_data[name] = values.values.reshape(values.size, order="C") if values.ndim == 3 else values.values.reshape(-1, values.shape[3])
    return made
