"""Pictures of results by matplotlib."""
from . import _errors


def _label(variable, name):
    words = variable.attrs.get("long_name") or name
    unit = variable.attrs.get("units", "")
    return words if not unit or unit == "1" or words.endswith(")") and unit.lower() in words.lower() else f"{words} [{unit}]"


def _name_of(result, name):
    if name is None:
        name = result.attrs.get("signal")
    if name is None or name not in result.variables:
        curves = [key for key, variable in result.data_vars.items() if variable.ndim >= 1 and not key.endswith(("_errors", "_error", "-error"))]
        if name is not None or not curves:
            raise _errors.InputError(f"name: there is no variable {name!r}; there are {', '.join(result.data_vars)}", "name")
        name = curves[0]
    return name


def pyplot_of(what):
    """matplotlib.pyplot, or one line about what is missing."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(f"{what} needs matplotlib: pip install sonde[all], or pip install matplotlib ({error})") from None
    return pyplot


def draw(result, name=None, ax=None, *, at=None, xscale=None, yscale=None, **more):
    pyplot = pyplot_of("plot()")
    name = _name_of(result, name)
    values = result[name]
    if values.dtype.kind == "c":
        values = abs(values)
    if ax is None:
        _, ax = pyplot.subplots()
    # a plane or a line of a volume is drawn along the axes that it has
    thin = [axis for axis in values.dims if values.sizes[axis] == 1]
    while values.ndim > 2 or (values.ndim == 2 and thin):
        axis = thin.pop(0) if thin else values.dims[0]
        values = values.isel({axis: values.sizes[axis] // 2 if at is None or values.sizes[axis] == 1 else at})
    if values.ndim == 2 and values.dtype.kind != "U" and _is_family(result, values):
        _draw_family(values, ax, more)
    elif values.ndim == 2:
        _draw_map(values, ax, more)
    elif values.ndim == 1:
        _draw_curve(result, name, values, ax, more)
    else:
        raise _errors.InputError(f"name: {name!r} is a single number", "name")
    ax.set_title(result.attrs.get("title", ""))
    if xscale is not None:
        ax.set_xscale(xscale)
    if yscale is not None:
        ax.set_yscale(yscale)
    return ax


def _place(values, axis):
    return values.coords[axis] if axis in values.coords else None


def _is_family(result, values):
    """Curves for each of a few names."""
    first = _place(values, values.dims[0])
    return first is not None and first.dtype.kind in "UO"


def _draw_family(values, ax, more):
    axis = values.dims[1]
    place = _place(values, axis)
    for number, label in enumerate(values.coords[values.dims[0]].values):
        ax.plot(place if place is not None else range(values.shape[1]), values.values[number], label=str(label), **more)
    ax.legend()
    ax.set_xlabel(_label(place, axis) if place is not None else axis)
    ax.set_ylabel(_label(values, values.name))


def _draw_map(values, ax, more):
    up, right = values.dims
    arguments = []
    if _place(values, right) is not None and _place(values, up) is not None:
        arguments = [values.coords[right].values, values.coords[up].values]
    drawn = ax.pcolormesh(*arguments, values.values, shading="auto", **more)
    ax.figure.colorbar(drawn, ax=ax, label=_label(values, values.name))
    for axis, setter in ((right, ax.set_xlabel), (up, ax.set_ylabel)):
        setter(_label(values.coords[axis], axis) if _place(values, axis) is not None else axis)
    units = {values.coords[axis].attrs.get("units") for axis in values.dims if axis in values.coords}
    if len(units) == 1 and units & {"angstrom", "m", "mm", "1/angstrom"}:
        ax.set_aspect("equal")


def _draw_curve(result, name, values, ax, more):
    axis = values.dims[0]
    place = _place(values, axis)
    x = place.values if place is not None else range(len(values))
    line, = ax.plot(x, values.values, **more)
    error = result.error_of(name) if hasattr(result, "error_of") and name in result.variables else None
    if error is not None and error.dims in (values.dims, ()):
        ax.fill_between(x, values.values - error.values, values.values + error.values, color=line.get_color(), alpha=0.3, linewidth=0)
    ax.set_xlabel(_label(place, axis) if place is not None else axis)
    ax.set_ylabel(_label(values, name))
