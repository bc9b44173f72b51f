"""Implant profiles as source terms of FESTIM, or of any program for diffusion in one dimension.

    from sonde.bridges import festim

    result = sonde.ions(ion="D", energy="500eV", target="W", number=100000)
    source = festim.source(result, flux=1e20)         # atoms per m^3 and s, by depth in m, with its error
    value = festim.function(result, flux=1e20)        # value(x): an array for an array of depths in m
    field.interpolate(lambda x: value(x[0]))          # a Function of FEniCS, the value of a source term
"""
import numpy
import xarray

ANGSTROM = 1e-10


def source(result, flux, name="implanted_ions"):
    """Atoms per m^3 and second in each bin of depth, for `flux` ions per m^2 and second through the surface.

    The sum over the bins times their width is the flux times the fraction of ions that stay. `name` is another profile per ion
    and length, such as "vacancies"."""
    if name not in result.variables:
        raise ValueError(f"name: the result has no profile {name!r}")
    profile = result[name]
    if profile.dims != ("x",):
        raise ValueError(f"name: {name} is not a profile of depth, but has the axes {profile.dims}")
    if not 0 <= float(flux) < float("inf"):
        raise ValueError(f"flux: {flux!r} is not a number of ions from 0 on")
    factor = float(flux) / ANGSTROM
    variables = {"source": ("x", factor * profile.values, {"units": "1/(m^3 s)", "long_name": f"source term from {name}"})}
    error = result.error_of(name)
    if error is not None:
        variables["source_error"] = "x", factor * error.values, {"units": "1/(m^3 s)", "long_name": "its standard error"}
        variables["source"][2]["error"] = "source_error"
    depth = "x", ANGSTROM * result["x"].values, {"units": "m", "long_name": "depth"}
    about = {key: result.attrs[key] for key in ("beam_description", "target", "version") if key in result.attrs}
    return xarray.Dataset(variables, {"x": depth}, {**about, "flux": float(flux)})


def function(result, flux, name="implanted_ions"):
    """The source term as a function of depths in m: linear between the middles of the bins, constant in the first half of the
    first one, and 0 outside of the bins."""
    given = source(result, flux, name)
    middles, values = given["x"].values, given["source"].values
    half = 0.5 * (middles[1] - middles[0] if len(middles) > 1 else ANGSTROM * float(result["cell_width"][0]))

    def value(depth):
        depth = numpy.asarray(depth, dtype=float)
        inside = (depth >= middles[0] - half) & (depth <= middles[-1] + half)
        return numpy.where(inside, numpy.interp(depth, middles, values), 0.0)

    return value


def write(result, path, flux, name="implanted_ions"):
    """A table with the columns depth_m, source, and source_error."""
    given = source(result, flux, name)
    columns = ["source", "source_error"] if "source_error" in given else ["source"]
    numpy.savetxt(path, numpy.column_stack([given["x"].values, *(given[column].values for column in columns)]), fmt="%.17g",
                  delimiter=",", header=",".join(["depth_m", *columns]), comments="")
