"""The build of the package for pip (PEP 517): CMake builds the library, and wheel.py packs it."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import wheel as packing  # noqa: E402


def _run(*command):
    subprocess.run(command, check=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """config_settings: cmake-flags, e.g. -DSONDE_HDF5_SOURCE=DIR"""
    flags = (config_settings or {}).get("cmake-flags", "").split()
    with tempfile.TemporaryDirectory(prefix="sonde-build-") as folder:
        generator = ["-G", "Ninja"] if not os.environ.get("CMAKE_GENERATOR") else []
        _run("cmake", "-S", str(packing.ROOT), "-B", folder, *generator, f"-DSONDE_PYTHON={sys.executable}", "-DSONDE_MPI=OFF", *flags)
        _run("cmake", "--build", folder, "--target", "wheel", "-j", str(os.cpu_count() or 1))
        made = next(pathlib.Path(folder, "wheel").glob("sonde-*.whl"))
        target = pathlib.Path(wheel_directory, made.name)
        target.write_bytes(made.read_bytes())
        return made.name


def build_sdist(sdist_directory, config_settings=None):
    return packing.sdist(sdist_directory, packing.version_of_sources())
