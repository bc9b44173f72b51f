"""The geometry of a job of fdtd by matplotlib."""
from ._drawing import pyplot_of

_COLORS = ["#f4f1ea", "#8fb8de", "#e3b24c", "#9cc7a1", "#c9a0dc", "#d98c7a", "#7fc4c4", "#b3b36b", "#a0a0b8"]
_SOURCE, _MONITOR, _LAYER = "#c0392b", "#1f4e9a", "#888888"
_PREFIXES = ((1e-9, "nm"), (1e-6, "um"), (1e-3, "mm"), (1.0, "m"))


def _unit(length):
    for factor, name in reversed(_PREFIXES):
        if length >= factor:
            return factor, name
    return _PREFIXES[0]


def _rectangle(ax, low, high, color, style="-", label=None):
    from matplotlib.patches import Rectangle

    width, height = high[0] - low[0], high[1] - low[1]
    if width == 0 and height == 0:
        ax.plot([low[0]], [low[1]], "o", color=color, ms=4)
    elif width == 0 or height == 0:
        ax.plot([low[0], high[0]], [low[1], high[1]], style, color=color, lw=1.5)
    else:
        ax.add_patch(Rectangle(low, width, height, fill=False, ec=color, ls=style))
    if label:
        ax.annotate(label, (low[0], high[1]), color=color, fontsize=7, va="bottom")


def _section(ax, geometry, number, factor, unit):
    from matplotlib.colors import ListedColormap

    group = f"section_{number}/"
    axes = [int(axis) for axis in geometry[group + "axes"]]
    names = ["xyz"[axis] if axis >= 0 else "across" for axis in axes[:2]]
    right, up = geometry[group + names[0]] / factor, geometry[group + names[1]] / factor
    materials = geometry[group + "materials"]
    line = axes[1] < 0
    strip = 0.1 * (right[-1] - right[0]) if line else 0.0
    step = (right[1] - right[0]) / 2 if len(right) > 1 else 1.0
    step_up = (up[1] - up[0]) / 2 if len(up) > 1 else 1.0
    extent = [right[0] - step, right[-1] + step, *((-strip, strip) if line else (up[0] - step_up, up[-1] + step_up))]
    shown = materials % (len(_COLORS) - 1) + (materials > 0) * (materials % (len(_COLORS) - 1) == 0) * (len(_COLORS) - 1)
    ax.imshow(shown, origin="lower", extent=extent, cmap=ListedColormap(_COLORS), vmin=-0.5, vmax=len(_COLORS) - 0.5,
              interpolation="nearest", aspect="auto" if line else "equal")

    def place(values):
        return [values[axes[0]] / factor, 0.0 if line else values[axes[1]] / factor]

    def corners(low, high):
        low, high = place(low), place(high)
        return ([low[0], -strip], [high[0], strip]) if line else (low, high)

    _rectangle(ax, *corners(geometry["low"], geometry["high"]), _LAYER)
    _rectangle(ax, *corners(geometry["inner_low"], geometry["inner_high"]), _LAYER, "--")
    if "marks/labels" in geometry:
        for kind, (low, high, direction), label in zip(geometry["marks/monitor"], geometry["marks/places"], geometry["marks/labels"]):
            color = _MONITOR if kind else _SOURCE
            _rectangle(ax, *corners(low, high), color, label=str(label))
            arrow = place(direction)
            if any(arrow):
                middle = place((low + high) / 2)
                length = 0.12 * max(extent[1] - extent[0], 0.0 if line else extent[3] - extent[2])
                size = (arrow[0] ** 2 + arrow[1] ** 2) ** 0.5
                ax.annotate("", [middle[k] + length * arrow[k] / size for k in range(2)], middle,
                            arrowprops={"arrowstyle": "->", "color": color})
    ax.set_xlabel(f"{names[0]} [{unit}]")
    if line:
        ax.set_yticks([])
    else:
        ax.set_ylabel(f"{names[1]} [{unit}]")
    ax.margins(0.02)


def draw(geometry, ax=None):
    pyplot = pyplot_of("show()")
    from matplotlib.patches import Patch

    count = sum(path.endswith("/materials") for path in geometry)
    if ax is None:
        _, panels = pyplot.subplots(1, count, squeeze=False, figsize=(5 * count, 4.2), layout="constrained")
        panels = list(panels[0])
    else:
        panels = list(ax) if hasattr(ax, "__iter__") else [ax]
    factor, unit = _unit(max(geometry["high"] - geometry["low"]) / 2)
    for number, panel in enumerate(panels[:count], 1):
        _section(panel, geometry, number, factor, unit)
    names = geometry.get("materials", ())
    if len(names):
        patches = [Patch(color=_COLORS[1 + number % (len(_COLORS) - 1)], label=str(name)) for number, name in enumerate(names)]
        panels[0].legend(handles=patches, fontsize=7, loc="upper right")
    return panels if ax is None and count > 1 else panels[0]
