"""Geometries and results in the forms of pyFAI.

    import pyFAI
    from sonde.bridges import pyfai

    integrator = pyFAI.load("calibrated.poni")
    shot = sonde.pattern(atoms, **pyfai.detector(integrator))        # on the pixels of that detector
    integrator.integrate1d(pyfai.image(shot), 1000, mask=pyfai.mask(shot), correctSolidAngle=False)
    pyfai.integrator(shot)                                           # the geometry of a result
    curve = sonde.debye(atoms, q=pyfai.axis(integrator, 1000))       # at the points of integrate1d(..., 1000)
    pyfai.curve(curve)                                               # an Integrate1dResult

Files of geometries need no bridge: sonde.pattern(atoms, poni="calibrated.poni") and write_poni= read and write them.
"""
import numpy

from ..bridges import need

_GEOMETRY = ("distance", "poni1", "poni2", "rot1", "rot2", "rot3", "wavelength", "orientation")


def detector(integrator, **more):
    """Keywords of sonde.pattern for the detector, the place, and the wavelength of an AzimuthalIntegrator (or Geometry).

    The detector must be flat, with equal pixels on one grid; its mask of gaps is that of pyFAI (`mask=` takes a file)."""
    device = integrator.detector
    if not (getattr(device, "IS_FLAT", True) and getattr(device, "uniform_pixel", True) and getattr(device, "IS_CONTIGUOUS", True)):
        raise ValueError("integrator: its detector is not flat with equal pixels")
    shape = device.shape or device.max_shape
    if shape is None:
        raise ValueError("integrator: its detector has no number of pixels (max_shape)")
    orientation = int(device.orientation or 0)
    # columns and rows are counted from the middle of the first pixel, lengths from the corner of the lower left one (orientation 3)
    column, row = integrator.poni2 / device.pixel2 - 0.5, integrator.poni1 / device.pixel1 - 0.5
    if orientation in (1, 4):
        column = shape[1] - 1 - column
    if orientation in (1, 2):
        row = shape[0] - 1 - row
    given = {"detector": f"{shape[1]},{shape[0]}", "pixel_size": 1e3 * device.pixel2, "pixel_height": 1e3 * device.pixel1,
             "distance": 1e3 * integrator.dist, "normal_incidence": f"{float(column)!r},{float(row)!r}",
             "detector_rotation": ",".join(repr(float(numpy.degrees(angle))) for angle in (integrator.rot1, integrator.rot2, integrator.rot3))}
    if orientation > 0:
        given["detector_orientation"] = orientation
    if integrator.wavelength:
        given["wavelength"] = 1e10 * integrator.wavelength
    return {**given, **more}


def integrator(result):
    """The AzimuthalIntegrator of a result of sonde.pattern on a detector."""
    integrators, detectors = need("pyFAI.integrator.azimuthal", "pyFAI"), need("pyFAI.detectors", "pyFAI")
    given = result.group("instrument/detector")
    place = {name: given.get("poni/" + name) for name in _GEOMETRY}
    if place["distance"] is None:
        raise ValueError("result: it is not of a detector")
    device = detectors.Detector(given["y_pixel_size"], given["x_pixel_size"], max_shape=result["I"].shape, orientation=int(place["orientation"]))
    return integrators.AzimuthalIntegrator(place["distance"], *(place[name] for name in _GEOMETRY[1:6]), detector=device,
                                           wavelength=place["wavelength"])


def image(result, name=None):
    """The picture as pyFAI takes it: counts if the result has them, else I; or the variable `name`. Masked pixels are NaN, or -1."""
    return result[name or ("counts" if "counts" in result else "I")].values


def mask(result):
    """The mask of a result, 1 where a pixel is masked; None if there is none."""
    return (result["pixel_mask"].values != 0).astype(numpy.int8) if "pixel_mask" in result else None


def axis(integrator, points, **options):
    """The q of integrate1d(..., points, **options), as the argument q of sonde.debye: first, last, and number of points, in 1/Angstrom.
    They depend on its `method`."""
    options = {"correctSolidAngle": False, **options, "unit": "q_A^-1"}
    radial = integrator.integrate1d(numpy.ones(integrator.detector.shape), points, **options).radial
    return float(radial[0]), float(radial[-1]), len(radial)


def curve(result, name=None):
    """A curve of q, by default the main one, with its errors as sigma, as an Integrate1dResult."""
    containers, units = need("pyFAI.containers", "pyFAI"), need("pyFAI.units", "pyFAI")
    name = name or result.attrs.get("signal")
    values = result[name]
    if values.dims != ("q",):
        raise ValueError(f"name: {name} is not a curve of q, but of {values.dims}")
    error = result.get(values.attrs.get("error", ""))
    made = containers.Integrate1dResult(result["q"].values, values.values, None if error is None else numpy.broadcast_to(error.values, values.shape))
    made._set_unit(units.to_unit("q_A^-1"))
    return made


def polar(result, name="I"):
    """A picture of circles, q and phi, as an Integrate2dResult, as integrate2d() makes it of a detector."""
    containers, units = need("pyFAI.containers", "pyFAI"), need("pyFAI.units", "pyFAI")
    values = result[name]
    if values.dims != ("q", "phi"):
        raise ValueError(f"name: {name} is not a picture of q and phi, but of {values.dims}")
    made = containers.Integrate2dResult(values.values.T, result["q"].values, result["phi"].values)
    made._set_radial_unit(units.to_unit("q_A^-1"))
    made._set_azimuthal_unit(units.to_unit("chi_deg"))
    return made
