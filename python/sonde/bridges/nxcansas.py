"""Curves I(q) in the form NXcanSAS, which SasView and other programs for small angles read.

    from sonde.bridges import nxcansas

    nxcansas.write(result, "curve.h5")       # SasView opens it as data
    nxcansas.read("measured.h5")             # a dataset with I and its error
"""
import os

import numpy
import xarray

from ..bridges import need

_UNITS = {"1/angstrom": "1/angstrom", "1/cm": "1/cm"}


def write(data, path, *, name=None, title=None, overwrite=False):
    """Writes a curve of q: I_absolute (1/cm) if the result has it, else I_per_atom; or the variable `name`.

    The errors are those of the variable. NXcanSAS knows 1/cm and "arbitrary" as units of I; others are kept in the note of the
    curve. Definition: https://manual.nexusformat.org/classes/applications/NXcanSAS.html"""
    h5py = need("h5py")
    name = name or ("I_absolute" if "I_absolute" in data else "I_per_atom")
    curve = data[name]
    if curve.dims != ("q",):
        raise ValueError(f"name: {name} is not a curve of q, but of {curve.dims}")
    error = data.error_of(name) if hasattr(data, "error_of") else data.get(curve.attrs.get("error", ""))
    unit = curve.attrs.get("units", "")
    with h5py.File(os.fspath(path), "w" if overwrite else "x") as file:
        file.attrs["default"] = "sasentry01"
        entry = file.create_group("sasentry01")
        entry.attrs.update({"NX_class": "NXentry", "canSAS_class": "SASentry", "version": "1.1", "default": "sasdata01"})
        entry["definition"] = "NXcanSAS"
        entry["title"] = title or data.attrs.get("sample_source") or data.attrs.get("title", name)
        entry["run"] = "1"
        group = entry.create_group("sasdata01")
        group.attrs.update({"NX_class": "NXdata", "canSAS_class": "SASdata", "signal": "I", "I_axes": "Q", "Q_indices": numpy.array([0])})
        group["Q"] = data["q"].values
        group["Q"].attrs["units"] = "1/angstrom"
        group["I"] = curve.values
        group["I"].attrs["units"] = _UNITS.get(unit, "arbitrary")
        group["I"].attrs["long_name"] = f"{curve.attrs.get('long_name', name)} [{unit}]"
        if error is not None:
            group["Idev"] = numpy.broadcast_to(error.values, curve.shape)
            group["Idev"].attrs["units"] = group["I"].attrs["units"]
            group["I"].attrs["uncertainties"] = "Idev"
        note = entry.create_group("sasprocess01")
        note.attrs.update({"NX_class": "NXprocess", "canSAS_class": "SASprocess"})
        note["name"] = f"sonde {data.attrs.get('version', '')}".strip()
        note["description"] = data.attrs.get("definitions", "")


def read(path, entry=None):
    """The dataset of a one-dimensional curve: I, I_error where the file has it, and q in 1/Angstrom."""
    h5py = need("h5py")

    def text(value):
        return value.decode() if isinstance(value, bytes) else str(value)

    with h5py.File(os.fspath(path), "r") as file:
        chosen = file[entry] if entry else next((file[key] for key in file if _class(file[key]) == "SASentry"), None)
        if chosen is None:
            raise ValueError(f"{path}: there is no SASentry")
        group = next((chosen[key] for key in chosen if _class(chosen[key]) == "SASdata"), None)
        if group is None or "I" not in group or "Q" not in group or group["I"].ndim != 1 or group["I"].shape != group["Q"].shape:
            raise ValueError(f"{path}: {chosen.name} has no curve I(Q)")
        factors = {"1/angstrom": 1.0, "1/A": 1.0, "A^-1": 1.0, "1/nm": 0.1, "nm^-1": 0.1, "1/m": 1e-10}
        unit = text(group["Q"].attrs.get("units", "1/angstrom"))
        if unit not in factors:
            raise ValueError(f"{path}: the unit of Q is {unit!r}, not one of {', '.join(factors)}")
        variables = {"I": ("q", group["I"][()], {"units": text(group["I"].attrs.get("units", "arbitrary")), "long_name": "I(q)"})}
        deviation = text(group["I"].attrs.get("uncertainties", "Idev"))
        if deviation in group:
            variables["I_error"] = "q", group[deviation][()], {"units": variables["I"][2]["units"], "long_name": "error of I(q)"}
            variables["I"][2]["error"] = "I_error"
        axis = "q", factors[unit] * group["Q"][()], {"units": "1/angstrom", "long_name": "q"}
        title = text(chosen["title"][()]) if "title" in chosen else ""
        return xarray.Dataset(variables, {"q": axis}, {"title": title})


def _class(item):
    found = item.attrs.get("canSAS_class", "")
    return found.decode() if isinstance(found, bytes) else str(found)
