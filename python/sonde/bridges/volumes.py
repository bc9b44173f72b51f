"""Volumes for napari and PyVista: potentials of sonde.coulomb, and other variables with the axes z, y, x.

    from sonde.bridges import volumes

    viewer.add_image(**volumes.image(result))                # napari
    volumes.grid(result).contour(7).plot()                   # PyVista
"""
import numpy

from ..bridges import need

AXES = ("z", "y", "x")


def _volume(data, name):
    name = name or data.attrs.get("signal")
    if name not in data.variables:
        raise ValueError(f"name: there is no variable {name!r}")
    values = data[name]
    if values.dims[:3] != AXES or values.ndim > 4:
        raise ValueError(f"name: {name} has the axes {values.dims}, not z, y, x")
    spacing, origin = [], []
    for axis in AXES:
        places = data[axis].values
        steps = numpy.diff(places)
        step = float(steps.mean()) if len(steps) else 1.0
        if len(steps) and numpy.abs(steps - step).max() > 1e-6 * abs(step):
            raise ValueError(f"name: the points along {axis} are not equidistant")
        spacing.append(step)
        origin.append(float(places[0]))
    return name, values, spacing, origin


def image(data, name=None):
    """Keywords of napari's add_image(): the array itself, its spacing and origin. napari need not be installed."""
    name, values, spacing, origin = _volume(data, name)
    if values.ndim == 4:
        raise ValueError(f"name: {name} has components; choose one by isel(component=0)")
    return {"data": values.values, "name": f"{name} [{values.attrs.get('units', '')}]", "scale": tuple(spacing), "translate": tuple(origin)}


def grid(data, name=None):
    """A pyvista.ImageData with the variable at its points; vectors have three components."""
    pyvista = need("pyvista")
    name, values, spacing, origin = _volume(data, name)
    made = pyvista.ImageData(dimensions=values.shape[2::-1], spacing=spacing[::-1], origin=origin[::-1])
    # points are numbered with x first, as the array with its slowest axis z is
    made.point_data[name] = values.values.reshape(values.size, order="C") if values.ndim == 3 else values.values.reshape(-1, values.shape[3])
    return made
