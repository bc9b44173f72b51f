"""A result in a notebook: picture, origin, and the arrays."""
import base64
import html
import io

_ORIGIN = ("title", "version", "date", "command", "sample_name", "sample_composition", "sample_atoms", "device", "seconds",
           "largest_error", "largest_bound", "relative_error", "range_error", "grid_error", "notes")


def _picture(result):
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    figure = Figure(figsize=(5.5, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    try:
        result.plot(ax=figure.subplots())
    except Exception:  # a picture is not worth the loss of the rest
        return ""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=100)
    return f'<img alt="{html.escape(str(result.attrs.get("title", "")))}" src="data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}">'


def page(result, arrays):
    rows = "".join(f"<tr><td>{html.escape(name)}</td><td style='text-align:left'>{html.escape(str(result.attrs[name]))}</td></tr>"
                   for name in _ORIGIN if result.attrs.get(name) not in (None, ""))
    return (f"<div><div>{_picture(result)}</div><details><summary>{html.escape(result.attrs.get('engine', ''))}: origin</summary>"
            f"<table>{rows}</table></details>{arrays}</div>")
