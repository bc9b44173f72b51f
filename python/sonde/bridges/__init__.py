"""Bridges to other packages, each a module of its own, which needs its package only when it is used.

    from sonde.bridges import ase, mdanalysis, pdfgui, nxcansas, festim, pyfai, lammps, ovito, volumes
"""
import importlib


def need(module, package=None):
    """A module of another package, or one line about what is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = package or module.partition(".")[0]
        raise ImportError(f"this bridge needs {package}: pip install {package} ({error})") from None
