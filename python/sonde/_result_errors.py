"""Errors of the variables of a result: those of the library, and those that follow from them."""
import numpy
import xarray

# suffixes of the names of errors, the best first
SUFFIXES = ("_standard_error", "_errors", "_error", "-error", "_bound")


def without_suffix(name):
    """The name of what this is the error of, or the name itself."""
    return next((name[:-len(suffix)] for suffix in SUFFIXES if name.endswith(suffix)), name)


_PARTS = ("_real", "_imag")


def _error_in(variables, name):
    """The name of the variable with the errors of another one; the parts of a complex one have them in common."""
    plain = name[:-len(_PARTS[0])] if name.endswith(_PARTS) else name
    return next((of + suffix for of in dict.fromkeys((name, plain)) for suffix in SUFFIXES if of + suffix in variables), None)


def relate(variables):
    """Names the errors of variables that are variables themselves."""
    for name, variable in variables.items():
        error = _error_in(variables, name)
        if error is not None:
            variable.attrs["error"] = error


def relate_axes(coordinates, variables, origins):
    """The same of coordinates, which have shorter names; `origins` has those with the names of monitors, the first one first."""
    for wanted, names in origins.items():
        error = next(filter(None, (_error_in(variables, name) for name in names)), None)
        if error is not None:
            coordinates[wanted].attrs["error"] = error


def _add_relative(names, variables, attributes, more):
    """Those that are a fraction of each value, the largest one."""
    for name in names:
        error = attributes.get(name + "_error")
        if name in variables and error is not None:
            variable = variables[name]
            variables[name + "_errors"] = xarray.Variable(variable.dims, numpy.asarray(variable.values) * error, {
                "units": variable.attrs["units"], "long_name": f"estimated numerical error of {name}{more}"})
            variable.attrs["error"] = name + "_errors"


def add(engine, variables, attributes):
    """Adds those that are one number for a whole array."""
    if engine == "stopping":
        _add_relative(("range", "range_straggling", "lateral_straggling", "path"), variables, attributes, "")
        _add_relative(("electronic", "nuclear", "straggling"), variables, attributes, ", not of its model")
        if "difference" in variables and "difference_error" in attributes:
            variables["difference_error"] = xarray.Variable((), attributes["difference_error"], {
                "units": variables["difference"].attrs["units"], "long_name": "largest estimated numerical error of difference"})
            variables["difference"].attrs["error"] = "difference_error"
    if engine == "coulomb":
        for name, error in (("potential", "largest_error"), ("field", "largest_field_error")):
            if name in variables and error in attributes:
                variables[name + "_error"] = xarray.Variable((), attributes[error], {
                    "units": variables[name].attrs["units"], "long_name": "largest estimated error of the " + name})
                variables[name].attrs["error"] = name + "_error"
    if engine == "pattern":
        for name in ("I", "F"):
            if name in variables:
                variables[name].attrs.setdefault("relative_error", attributes.get("largest_error"))
    if engine == "fdtd":
        for variable in variables.values():
            for name in ("grid_error", "truncation_error", "rounding_error", "companion_error"):
                if name in attributes:
                    variable.attrs[name] = attributes[name]


def derived(result, name):
    """An error that follows from others, which is not a variable of its own."""
    values, engine = result[name], result.attrs.get("engine")
    error = None
    if without_suffix(name) != name:
        return None
    if engine == "fdtd" and values.ndim > 0 and values.dtype.kind in "fc" and "frequency" in "".join(values.dims) and not name.endswith("wavelength"):
        parts = [values.attrs[part] for part in ("grid_error", "truncation_error", "rounding_error") if part in values.attrs]
        finite = numpy.abs(values.values[numpy.isfinite(values.values)])
        if parts and finite.size:
            error = xarray.DataArray(sum(parts) * finite.max())
    if error is None:
        return None
    error.attrs = {"units": values.attrs.get("units", ""), "long_name": f"error estimate of {values.attrs.get('long_name') or name}"}
    return error.rename(name + "_error")
