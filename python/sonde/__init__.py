"""What a probe sees of matter: powder patterns, diffraction, potentials, ions, light.

    import sonde
    result = sonde.debye("sample.xyz", radiation="neutron")     # an xarray.Dataset
    result.S, result.plot(), result.to_nexus("sample.h5")

Functions: debye, pattern, coulomb, ions, stopping, fdtd (and fdtd.Job), build, match, refine, library, report, read, devices, plan.
Numbers are those of the program `sonde`, which `python -m sonde` runs, to the last bit.
"""
import importlib

from ._tables import ENGINES

_PLACES = {
    "Atoms": "_atoms",
    "Result": "_results",
    "Device": "_devices",
    "devices": "_devices",
    "read": "_run",
    "plan": "_run",
    "job": "_run",
    "voxels": "_files",
    "match": "_engines",
    "refine": "_program",
    "library": "_program",
    "report": "_program",
    "program": "_program",
    "SondeError": "_errors",
    "InputError": "_errors",
    "DeviceError": "_errors",
    "SondeWarning": "_errors",
}
__all__ = sorted([*_PLACES, *ENGINES, "build", "__version__"])


def __getattr__(name):
    """Modules are loaded when they are needed: `import sonde` opens neither the library nor NumPy."""
    if name == "fdtd":
        return importlib.import_module(".fdtd", __name__)
    if name == "__version__":
        from ._library import version

        value = version()
    elif name in _PLACES:
        value = getattr(importlib.import_module("." + _PLACES[name], __name__), name)
    elif name in ("build", *ENGINES):
        value = getattr(importlib.import_module("._engines", __name__), name)
    else:
        raise AttributeError(f"module 'sonde' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return __all__
