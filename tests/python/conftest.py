"""What tests share: the program of the wheel, and small samples."""
import os
import pathlib
import subprocess

import numpy
import pytest

import sonde
from sonde import _program

SOURCES = pathlib.Path(os.environ.get("SONDE_SOURCES", pathlib.Path(__file__).resolve().parents[2]))
DEVICE = os.environ.get("SONDE_TEST_DEVICE", "cpu")
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture(scope="session")
def sources():
    return SOURCES


@pytest.fixture(scope="session")
def device():
    return DEVICE


@pytest.fixture
def run(tmp_path):
    """Runs the program in a folder of the test, and returns the result that it wrote, read by the package."""

    def program(*arguments, output="out.h5"):
        command = [_program.path(), *(str(part) for part in arguments), "--device", DEVICE, "--quiet", "--force", "-o", str(tmp_path / output)]
        subprocess.run(command, check=True, cwd=tmp_path)
        return tmp_path / output

    return program


@pytest.fixture(scope="session")
def cluster():
    """60 atoms at random, of two elements."""
    generator = numpy.random.default_rng(7)
    return ["Co"] * 20 + ["O"] * 40, generator.uniform(0, 12, (60, 3))


@pytest.fixture
def cluster_file(tmp_path, cluster):
    path = tmp_path / "cluster.xyz"
    symbols, positions = cluster
    rows = [f"{symbol} {x!r} {y!r} {z!r}" for symbol, (x, y, z) in zip(symbols, positions.tolist())]
    path.write_text("\n".join([str(len(rows)), "", *rows]) + "\n")
    return path


def assert_same(left, right):
    """The same variables, bit by bit, and the same units and names."""
    assert isinstance(left, sonde.Result) and isinstance(right, sonde.Result)
    assert list(left.variables) == list(right.variables)
    for name in left.variables:
        a, b = left[name].values, right[name].values
        assert a.dtype == b.dtype and a.shape == b.shape, name
        assert left[name].dims == right[name].dims and left[name].attrs == right[name].attrs, name
        assert a.tobytes() == b.tobytes(), name
