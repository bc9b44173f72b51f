"""Results of `sonde match` and `sonde refine` as datasets of xarray."""
import json
import os

import numpy
import xarray

from . import _errors
from ._library import call, context_for, ffi, lib, text

_KINDS = ("I", "S", "F", "G")
_CURVES = (("measured", "x"), ("sigma", "x"), ("fitted", "x"), ("background", "x"), ("residual", "x"))
_NUMBERS = ("chi_square", "rwp", "points", "fitted", "degrees_of_freedom", "condition", "passes", "improvement", "candidate_count",
            "sizes_left_out", "seconds")


def _array(pointer, *shape):
    """A copy: the result is freed."""
    count = int(numpy.prod(shape))
    values = numpy.frombuffer(ffi.buffer(pointer, count * 8), float) if count > 0 and pointer != ffi.NULL else numpy.full(count, numpy.nan)
    return values.reshape(shape).copy()


def _column(items, count, name):
    return numpy.array([getattr(items[k], name) for k in range(count)])


def _names(items, count):
    return numpy.array([text(items[k].candidate.name) for k in range(count)], dtype=str)


def _owner(parameter):
    return f"{text(parameter.name)} of {text(parameter.of)}" if text(parameter.of) else text(parameter.name)


def _add_curves(seen, found):
    for k in range(seen.curve_count):
        fit, end = seen.curves[k], "" if k == 0 else f"_{k + 1}"
        axis = ("r" if _KINDS[fit.kind - 1] == "G" else "q") + end
        found[axis] = ((axis,), _array(fit.x, fit.count), {"units": "angstrom" if axis[0] == "r" else "1/angstrom"})
        for name, _ in _CURVES:
            about = {"long_name": f"{name} {_KINDS[fit.kind - 1]}"}
            found[name + end] = ((axis,), _array(getattr(fit, name), fit.count), about)
        found["measured" + end][2]["error"] = "sigma" + end
        if seen.weight_count > 0:
            found["contributions" + end] = (("candidate", axis), _array(fit.contributions, seen.weight_count, fit.count),
                                            {"long_name": "weight times curve of each candidate"})


def _add_weights(seen, found):
    count, items = seen.weight_count, seen.weights
    found["candidate"] = (("candidate",), _names(items, count))
    for name, field in (("weight", "weight"), ("weight_error", "error"), ("weight_low", "low"), ("weight_high", "high"), ("fraction", "fraction"),
                        ("inflation", "inflation")):
        found[name] = (("candidate",), _column(items, count, field))
    found["weight"] += ({"error": "weight_error"},)
    count, items = seen.rank_count, seen.ranks
    found["single"] = (("single",), _names(items, count))
    for name, field in (("single_scale", "scale"), ("single_chi_square", "chi_square"), ("single_rwp", "rwp"), ("probability", "probability")):
        found[name] = (("single",), _column(items, count, field))


def _add_parameters(seen, found):
    count, items = seen.parameter_count, seen.parameters
    if count == 0:
        return
    found["parameter"] = (("parameter",), numpy.array([_owner(items[k]) for k in range(count)], dtype=str))
    found["parameter_unit"] = (("parameter",), numpy.array([text(items[k].unit) for k in range(count)], dtype=str))
    for name, field in (("value", "value"), ("value_error", "error"), ("lower_bound", "low"), ("upper_bound", "high")):
        found[name] = (("parameter",), _column(items, count, field))
    found["value"] += ({"error": "value_error"},)
    found["at_bound"] = (("parameter",), _column(items, count, "at_bound").astype(bool))
    found["value_low"] = (("parameter",), _array(seen.parameter_lows, count))
    found["value_high"] = (("parameter",), _array(seen.parameter_highs, count))
    size = count + seen.weight_count
    found["correlations"] = (("fitted_number", "fitted_number_2"), _array(seen.correlations, size, size))


def _add_series(seen, found):
    curves, candidates, parameters = seen.series_count, seen.series_candidate_count, seen.series_parameter_count
    if curves == 0:
        return
    found["file"] = (("file",), numpy.array([text(seen.series_paths[k]) for k in range(curves)], dtype=str))
    names = [text(seen.series_candidates[k].name) for k in range(candidates)]
    found["series_candidate"] = (("series_candidate",), numpy.array(names, dtype=str))
    found["series_weight"] = (("file", "series_candidate"), _array(seen.series_weights, curves, candidates), {"error": "series_weight_error"})
    found["series_weight_error"] = (("file", "series_candidate"), _array(seen.series_errors, curves, candidates))
    if seen.series_lows:
        for name, values in (("low", seen.series_lows), ("high", seen.series_highs)):
            found[f"series_weight_{name}"] = (("file", "series_candidate"), _array(values, curves, candidates))
    for d in range(seen.series_further_count):
        paths = [text(seen.series_further_paths[d * curves + k]) for k in range(curves)]
        found[f"file_{d + 2}"] = (("file",), numpy.array(paths, dtype=str))
    found["series_chi_square"] = (("file",), _array(seen.series_chi_square, curves))
    found["series_rwp"] = (("file",), _array(seen.series_rwp, curves))
    if parameters > 0:
        owners = [_owner(seen.series_parameters[k]) for k in range(parameters)]
        found["series_parameter"] = (("series_parameter",), numpy.array(owners, dtype=str))
        found["series_value"] = (("file", "series_parameter"), _array(seen.series_values, curves, parameters), {"error": "series_value_error"})
        found["series_value_error"] = (("file", "series_parameter"), _array(seen.series_value_errors, curves, parameters))
        if seen.series_value_lows:
            for name, values in (("low", seen.series_value_lows), ("high", seen.series_value_highs)):
                found[f"series_value_{name}"] = (("file", "series_parameter"), _array(values, curves, parameters))


def read(name):
    """A result of `sonde match` from its HDF5 file, as a dataset."""
    made = ffi.new("sonde_match_result **")
    with context_for() as context:
        call(context, lambda: lib.sonde_match_result_read(context.pointer, os.fsencode(name), made))
    try:
        seen, found = made[0], {}
        _add_curves(seen, found)
        _add_weights(seen, found)
        _add_parameters(seen, found)
        _add_series(seen, found)
        about = {name: getattr(seen, name) for name in _NUMBERS}
        about.update(engine="match", measured=text(seen.curves[0].path), kind=_KINDS[seen.curves[0].kind - 1],
                     radiation=text(seen.curves[0].radiation))
        return xarray.Dataset(found, attrs=about)
    finally:
        lib.sonde_match_result_free(made)


def _refined(about):
    """A result of `sonde refine` by its summary: parameters with errors, and the quality of the fit as attributes."""
    found = {"parameter": (("parameter",), numpy.array([item["name"] for item in about["parameters"]], dtype=str))}
    for name, key, words in (("value", "value", "refined value"), ("value_error", "error", "standard error")):
        numbers = [numpy.nan if item.get(key) is None else item[key] for item in about["parameters"]]
        found[name] = (("parameter",), numpy.array(numbers, float), {"long_name": words})
    found["value"][2]["error"] = "value_error"
    simple = {key: value for key, value in about.items() if isinstance(value, (str, int, float)) and key not in ("command", "file", "what")}
    return xarray.Dataset(found, attrs={"engine": "refine", **simple})


def read_other(name, first):
    """What is neither a result of an engine nor of a fit of mixtures: a refinement, or an error that says what the file is."""
    from ._program import program

    try:
        about = json.loads(program("info", name, "--json").splitlines()[-1])
    except (_errors.InputError, ValueError):
        raise first from None
    if "parameters" in about and "Rwp" in about:
        return _refined(about)
    ways = {"sample": "sonde.Atoms.read() reads it", "library": "sonde.match() takes it"}
    what = about.get("what", "")
    raise _errors.InputError(f"path: {name}: a {what or 'file'} is not a result; {ways.get(what, 'sonde info describes it')}", "path") from None
