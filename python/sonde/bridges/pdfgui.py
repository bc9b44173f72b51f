"""Files of pair distributions G(r), as PDFgui, diffpy-CMI, and PDFgetX3 write and read them.

    from sonde.bridges import pdfgui

    measured = pdfgui.read("Ni.gr")          # a dataset with G, dG where the file has it, and the header as attributes
    pdfgui.write(analysis.results.dataset, "mean.gr", qmax=25)
"""
import os
import re

import numpy
import xarray

_PAIR = re.compile(r"^#?\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$")


def read(path):
    """The dataset of a file of two to four columns: r, G, and dG as the last of four, or as the third."""
    header, rows = {}, []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            words = line.split()
            try:
                row = [float(word) for word in words]
            except ValueError:
                if rows:
                    raise ValueError(f"{path}:{number}: not a row of numbers") from None
                found = _PAIR.match(line)
                if found:
                    header[found[1]] = _number(found[2])
                continue
            if row and (len(row) < 2 or rows and len(row) != len(rows[0])):
                raise ValueError(f"{path}:{number}: {len(row)} columns")
            rows += [row] if row else []
    if not rows:
        raise ValueError(f"{path}: there are no rows of r and G")
    columns = numpy.array(rows).T
    if not numpy.isfinite(columns).all():
        raise ValueError(f"{path}: some of the numbers are not finite")
    if numpy.any(numpy.diff(columns[0]) <= 0):
        raise ValueError(f"{path}: r does not increase")
    variables = {"G": ("r", columns[1], {"units": "1/angstrom^2", "long_name": "G(r)"})}
    if len(columns) > 2:
        variables["dG"] = "r", columns[3 if len(columns) > 3 else 2], {"units": "1/angstrom^2", "long_name": "error of G(r)"}
        variables["G"][2]["error"] = "dG"
    return xarray.Dataset(variables, {"r": ("r", columns[0], {"units": "angstrom", "long_name": "r"})}, header)


def _number(word):
    try:
        return float(word)
    except ValueError:
        return word


def write(data, path, *, name="G", qmax=None, qmin=None, qdamp=None, radiation=None, overwrite=False):
    """Writes the curve `name` of a result or a dataset, with its errors if there are any.

    qmax, qmin (1/Angstrom), qdamp, and radiation ("xray", "neutron") become rows of the header, from which PDFgui takes
    them; where they are not given, those of the result's options are written."""
    curve = data[name]
    if curve.dims != ("r",):
        raise ValueError(f"name: {name} is not a curve of r, but of {curve.dims}")
    options = dict(line.split(" = ", 1) for line in data.attrs.get("options", "").splitlines() if " = " in line)
    q = data.coords.get("q")
    given = {
        "radiation": radiation or options.get("radiation") or data.attrs.get("mode"),
        "qmin": qmin if qmin is not None else float(q[0]) if q is not None else data.attrs.get("qmin"),
        "qmax": qmax if qmax is not None else float(q[-1]) if q is not None else data.attrs.get("qmax"),
        "qdamp": qdamp if qdamp is not None else options.get("qdamp") or data.attrs.get("qdamp"),
    }
    lines = [f"{key} = {value}" for key, value in given.items() if value is not None]
    error = data.error_of(name) if hasattr(data, "error_of") else data.get(curve.attrs.get("error", ""))
    columns = [data["r"].values, curve.values]
    if error is not None:
        columns += [numpy.zeros(len(columns[0])), numpy.broadcast_to(error.values, columns[0].shape)]
    names = "r($\\AA$)  G($\\AA^{-2}$)" + ("  dr($\\AA$)  dG($\\AA^{-2}$)" if error is not None else "")
    lines += ["#### start data", "#S 1", f"#L {names}"]
    lines += [" ".join(repr(float(value)) for value in row) for row in zip(*columns)]
    with open(os.fspath(path), "w" if overwrite else "x", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
