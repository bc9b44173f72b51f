"""Results: units, errors, pictures, files, copies, memory."""
import base64
import multiprocessing
import pathlib
import pickle

import numpy
import pytest
import xarray
from conftest import assert_same

import sonde
from sonde import _library, _results


def small(scale=1.0):
    return sonde.debye((["Co", "O"], scale * numpy.array([[0, 0, 0], [2.0, 0, 0]])), q=(1, 9, 8), device="cpu")


def test_variables_have_units_names_and_errors(cluster):
    result = sonde.debye(cluster, q=(1, 9, 8), device="cpu")
    assert isinstance(result, xarray.Dataset)
    assert result.S.attrs["long_name"] == "S(q)" and result.q.attrs["units"] == "1/angstrom"
    assert result.error_of("I_per_atom").dims == ("q",) and (result.error_of("I_per_atom") >= 0).all()
    assert result.options["radiation"] == "xray" and result.attrs["version"] == sonde.__version__
    assert result.I_ab.dims == ("pair", "q") and list(result.pair.values) == ["Co-Co", "Co-O", "O-O"]
    numpy.testing.assert_allclose(result.I_ab.sum("pair"), result.I_per_atom, rtol=1e-12)


def test_large_arrays_are_those_of_the_library(cluster):
    """No copy: the address is that in the library, and the memory lives as long as any array of it."""
    result = sonde.coulomb(cluster, charges={"Co": 2, "O": -1}, spacing=0.5, padding=2, device="cpu")
    contents = _results.Contents(result._whole)
    given = contents.sets["/coulomb/potential/potential"]
    assert given.in_place == 1
    address = int(_library.ffi.cast("uintptr_t", given.values))
    assert result.potential.values.__array_interface__["data"] == (address, True)
    kept, total = result.potential.values, float(result.potential.values.sum())
    del result, contents, given
    for _ in range(5):
        sonde.coulomb(cluster, charges={"Co": 1, "O": 0}, spacing=0.5, padding=2, device="cpu")
    assert kept.sum() == total


def test_pickles_are_whole(tmp_path):
    result = small()
    again = pickle.loads(pickle.dumps(result))
    assert_same(again, result)
    again.to_nexus(tmp_path / "a.h5")
    result.to_nexus(tmp_path / "b.h5")
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


def test_derived_datasets_write_no_nexus_file(tmp_path):
    result = small()
    with pytest.raises(ValueError, match="derived"):
        result.isel(q=0).to_nexus(tmp_path / "a.h5")
    changed = result.copy()
    changed["S"] = changed.S + 1
    with pytest.raises(ValueError, match="changed"):
        changed.to_nexus(tmp_path / "a.h5")
    with pytest.raises(ValueError, match="a.h5"):
        result.to_nexus(tmp_path / "a.h5")
        result.to_nexus(tmp_path / "a.h5")
    with pytest.raises(ValueError, match="path"):
        result.to_nexus(tmp_path / "a.txt")
    result.to_nexus(tmp_path / "a.h5", overwrite=True)
    with pytest.raises(FileNotFoundError):
        sonde.read(tmp_path / "none.h5")
    damaged = bytearray((tmp_path / "a.h5").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "b.h5").write_bytes(damaged)
    with pytest.raises(ValueError, match="b.h5"):
        sonde.read(tmp_path / "b.h5")


def test_processes():
    """Samples and results go to other processes and back."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.map(small, [1.0, 1.5])
    for scale, result in zip((1.0, 1.5), there):
        assert_same(result, small(scale))


def test_a_fork_is_told():
    small()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        with pytest.raises(RuntimeError, match="spawn"):
            pool.apply(small)


def test_dask():
    dask = pytest.importorskip("dask")
    results = dask.compute(*[dask.delayed(small)(scale) for scale in (1.0, 1.5)], scheduler="threads")
    for scale, result in zip((1.0, 1.5), results):
        assert_same(result, small(scale))


def test_pictures(cluster):
    pytest.importorskip("matplotlib")
    from matplotlib import pyplot

    result = sonde.debye(cluster, q=(1, 9, 8), device="cpu")
    axes = result.plot(yscale="log")
    line = axes.get_lines()[0]
    assert (line.get_xdata() == result.q.values).all() and (line.get_ydata() == result.I_per_atom.values).all()
    assert len(axes.collections) == 1 and axes.get_xlabel() and axes.get_yscale() == "log"
    assert len(result.plot("I_ab").get_lines()) == 3
    potential = sonde.coulomb(cluster, charges={"Co": 2, "O": -1}, spacing=2, padding=2, device="cpu")
    assert potential.plot().collections[0].get_array().size == potential.sizes["x"] * potential.sizes["y"]
    with pytest.raises(ValueError, match="no variable 'Z'"):
        result.plot("Z")
    pyplot.close("all")


def test_notebook_page():
    pytest.importorskip("matplotlib")
    page = small()._repr_html_()
    assert "data:image/png;base64," in page and "Powder pattern" in page and "I_per_atom" in page and sonde.__version__ in page


def test_a_report_has_the_numbers(tmp_path):
    result, other = small(), small(1.1)
    page = pathlib.Path(sonde.report(result, other, output=tmp_path / "two.html")).read_text(encoding="utf-8")
    for numbers in (result.q, result.I_per_atom, other.S):
        assert base64.b64encode(numbers.values.astype("<f8").tobytes()).decode() in page
    assert page.rstrip().endswith("</html>")
    with pytest.raises(sonde.InputError, match="exists already"):
        sonde.report(result, output=tmp_path / "two.html")
