"""Results: units, errors, pictures, files, copies, memory."""
import base64
import copy
import multiprocessing
import pathlib
import pickle
import subprocess
import sys

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
    # those of S and F are those of I/N in their units: a change of I/N by its error changes them by theirs
    parts = result.I_per_atom - result.mean_square_amplitude
    for name, function in (("S", lambda i: 1 + i / result.square_mean_amplitude), ("F", lambda i: result.q * i / result.square_mean_amplitude)):
        numpy.testing.assert_allclose(function(parts), result[name], rtol=1e-10, atol=1e-12)
        scale = 1e6  # far above rounding
        changed = (function(parts + scale * result.I_per_atom_errors) - function(parts)) / scale
        numpy.testing.assert_allclose(result.error_of(name), changed, rtol=1e-6)
        assert result.error_of(name).attrs["units"] == result[name].attrs["units"]
    numpy.testing.assert_allclose(result.error_of("I"), 60 * result.I_per_atom_errors)
    assert result.error_of("mean_square_amplitude") is None


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


MEMORY = """
import sonde
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
atoms = ["Na"] * 10, [[0.1 * k, 0, 20 if k % 2 else -20] for k in range(10)]
sonde.coulomb(atoms, charges={"Na": 1}, spacing=4, padding=20, method="direct", device="cpu")
before = resident()
result = sonde.coulomb(atoms, charges={"Na": 1}, spacing=0.25, padding=20, method="direct", device="cpu")
values = result.potential.values
print(values.nbytes, resident() - before)
"""


def test_memory_holds_a_large_array_once():
    shown = subprocess.run([sys.executable, "-c", MEMORY], check=True, stdout=subprocess.PIPE, text=True).stdout
    size, growth = map(int, shown.split())
    assert size > 60e6 and size < growth < 1.3 * size


def test_pickles_are_whole(tmp_path):
    result = small()
    again = pickle.loads(pickle.dumps(result))
    assert_same(again, result)
    again.to_nexus(tmp_path / "a.h5")
    result.to_nexus(tmp_path / "b.h5")
    # HDF5 notes the second in which an object was written, so that bytes can differ
    ours, theirs = sonde.read(tmp_path / "a.h5"), sonde.read(tmp_path / "b.h5")
    assert_same(ours, theirs)
    assert ours.attrs == theirs.attrs and (tmp_path / "a.h5").stat().st_size == (tmp_path / "b.h5").stat().st_size


def test_derived_datasets_write_no_nexus_file(tmp_path):
    result = small()
    with pytest.raises(ValueError, match="derived"):
        result.isel(q=0).to_nexus(tmp_path / "a.h5")
    part = result.isel(q=slice(2))
    assert isinstance(part, sonde.Result) and part.error_of("I_per_atom").shape == (2,)
    with pytest.raises(ValueError, match="derived"):
        part.group("sample")
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
    side = sonde.coulomb(cluster, charges={"Co": 2, "O": -1}, plane="y=3", spacing=1, device="cpu")
    drawn = side.plot()  # x and z, whose plane it is
    assert drawn.collections[0].get_array().size == side.potential.size > 100 and drawn.get_ylabel().startswith("z")
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
    with pytest.raises(sonde.InputError, match="exists already.*overwrite=True"):
        sonde.report(result, output=tmp_path / "two.html")
    sonde.report(result, output=tmp_path / "two.html", overwrite=True)


def test_a_report_has_samples(tmp_path):
    atoms = sonde.build(cell="fcc", species="Au", a=4.08, sphere=6)
    page = pathlib.Path(sonde.report(atoms, (["C", "O"], [[0, 0, 0], [1, 1, 1]]), output=tmp_path / "atoms.html")).read_text(encoding="utf-8")
    assert f'"kind":"atoms","count":{len(atoms)},' in page and '"kind":"atoms","count":2,' in page
    for wrong in (None, [1, 2, 3], 5, [atoms]):
        with pytest.raises(sonde.InputError, match="neither a result, nor a sample, nor the name of a file"):
            sonde.report(wrong, output=tmp_path / "wrong.html")


def test_datasets_of_a_loop_are_those_of_single_runs(cluster):
    """What results of one kind have in common is kept from one to the next, and does not show."""
    symbols, positions = cluster

    def runs():
        yield sonde.debye((symbols, positions), q=(1, 9, 8), r=(0, 9, 10), device="cpu")
        yield sonde.debye((symbols, 1.1 * positions), q=(1, 9, 8), r=(0, 9, 10), device="cpu")
        yield sonde.debye((symbols, positions), q=(1, 8, 8), r=(0, 9, 10), device="cpu")  # the same shapes, another axis
        yield sonde.debye((["Ni"] * 20 + ["O"] * 40, positions), q=(1, 9, 8), r=(0, 9, 10), device="cpu")  # other pairs
        yield sonde.debye((symbols, positions), q=(1, 9, 8), r=(0, 9, 10), method="exact", radiation="neutron", device="cpu")
        for quantity in ("potential", "both", "both"):
            yield sonde.coulomb(cluster, charges={"Co": 2, "O": -1}, spacing=2, padding=2, quantity=quantity, device="cpu")
        yield sonde.stopping(ion="He", target="Si", energies="10keV:1MeV:5")
        yield sonde.stopping(ion="H", target="Si", energies="10keV:1MeV:5")

    volatile = ("seconds", "date", "peak_memory")
    alone = []
    for result in runs():
        _results._LAYOUTS.clear()
        handle = result._whole
        alone.append(_results.make(handle))
        kept = _results.make(handle)
        assert len(_results._LAYOUTS) == 1
        assert_same(kept, alone[-1])
        assert kept.identical(alone[-1]) and kept.attrs == alone[-1].attrs and type(kept) is type(alone[-1])
        assert list(kept.coords) == list(alone[-1].coords) and kept.sizes == alone[-1].sizes
        for name, index in alone[-1].indexes.items():
            assert index.equals(kept.indexes[name]) and index.dtype == kept.indexes[name].dtype
    for result, expected in zip(runs(), alone):  # one after the other
        assert_same(result, expected)
        assert {key: value for key, value in result.attrs.items() if key not in volatile} == \
            {key: value for key, value in expected.attrs.items() if key not in volatile}
    first, second = (next(runs()) for _ in range(2))
    first.q.attrs["units"] = "changed"
    assert second.q.attrs["units"] == "1/angstrom" and next(runs()).q.attrs["units"] == "1/angstrom"
    assert numpy.array_equal(first.sel(q=slice(1, 5)).S, second.S[:4])
    assert_same(pickle.loads(pickle.dumps(second)), second)


def test_datasets_of_a_loop_take_less_time(cluster):
    """The first dataset of a kind takes about 1 ms, the others 0.2 ms."""
    import time

    handle = sonde.debye(cluster, q=(1, 9, 100), device="cpu")._whole

    def least(before):
        taken = []
        for _ in range(20):
            before()
            began = time.perf_counter()
            _results.make(handle)
            taken.append(time.perf_counter() - began)
        return min(taken)

    assert least(lambda: None) < 0.5 * least(_results._LAYOUTS.clear)


def test_fits_are_read(tmp_path):
    """Results of `sonde match`: the numbers of its summary."""
    for name in ("C60", "C70"):
        sonde.program("build", "--fullerene", name, "-o", tmp_path / f"{name}.xyz")
        sonde.program("debye", tmp_path / f"{name}.xyz", "--q", "0.5:15:400", "--device", "cpu", "-o", tmp_path / f"{name}.h5")
    q, first, second = (sonde.read(tmp_path / f"{name}.h5")[key].values for name, key in (("C60", "q"), ("C60", "I_per_atom"), ("C70", "I_per_atom")))
    for number, part in enumerate((3.0, 1.0)):
        noise = numpy.random.default_rng(number).normal(size=len(q))
        rows = numpy.column_stack([q, part * first + 2.0 * second + 5.0 + 0.1 * noise, 0.1 + 0.0 * q])
        numpy.savetxt(tmp_path / f"film{number}.xy", rows)
    files = [tmp_path / "film0.xy", tmp_path / "film1.xy", tmp_path / "C60.h5", tmp_path / "C70.h5"]
    said = sonde.match(*files, refine="strain", output=tmp_path / "fit.h5", background=0)
    fit = sonde.read(tmp_path / "fit.h5")
    assert fit.attrs["engine"] == "match" and fit.attrs["radiation"] == "x-ray"
    assert [item["weight"] for item in said["weights"]] == fit.weight.values.tolist()
    assert [item["interval"] for item in said["refined"]] == numpy.column_stack([fit.value_low, fit.value_high]).tolist()
    numpy.testing.assert_allclose(fit.contributions.sum("candidate") + fit.background, fit.fitted, rtol=1e-12)
    best = fit.series_weight.sel(series_candidate=str(tmp_path / "C60.h5"))
    assert (abs(best - [3.0, 1.0]) < 5 * fit.series_weight_error.sel(series_candidate=str(tmp_path / "C60.h5"))).all()
    assert fit.series_value.dims == ("file", "series_parameter") and fit.sizes["file"] == 2
    text = "curves: [S]\ndebye: {q: 1:9:50}\nstructures: [{name: ball, build: {fullerene: C60}}]\n"
    (tmp_path / "library.yaml").write_text(text)
    sonde.library(tmp_path / "library.yaml", tmp_path / "library.h5")
    sonde.program("build", "--fullerene", "C60", "-o", tmp_path / "sample.h5")
    for name, what in (("library", "sonde.match"), ("sample", "sonde.Atoms.read")):
        with pytest.raises(ValueError, match=f"^path: .*a {name} is not a result; {what}"):
            sonde.read(tmp_path / f"{name}.h5")


def test_refinements_are_read(tmp_path):
    """Parameters that were refined: those of the curve, within their errors, and the numbers of the summary."""
    atoms = sonde.build(cell="fcc", species="Au", a=4.08, sphere=8)
    sonde.debye(atoms, q=(0.5, 15, 150), displacement=0.01, output=tmp_path / "measured.xy", device="cpu")
    (tmp_path / "job.yaml").write_text("refine:\n  - {name: a, start: 4.06, lower: 4.0, upper: 4.2}\n"
                                       "build: {cell: fcc, species: Au, a: '${a}', sphere: 8}\n"
                                       "debye: {q: 0.5:15:150, displacement: '0.01'}\nmeasured: measured.xy\n")
    said = sonde.refine(tmp_path / "job.yaml", output=tmp_path / "fit.h5", structure=tmp_path / "found.xyz")
    fit = sonde.read(tmp_path / "fit.h5")
    assert fit.attrs["engine"] == "refine" and list(fit.parameter.values) == ["a"] and fit.value.attrs["error"] == "value_error"
    assert fit.value.values.tolist() == [said["parameters"][0]["value"]] and abs(float(fit.value[0]) - 4.08) < 1e-6
    assert len(sonde.Atoms.read(tmp_path / "found.xyz")) == len(atoms)


def test_axes_are_those_of_the_file():
    """Also where axes are of the same length, or three long."""
    atoms = sonde.Atoms(["Na", "Cl"], [[0, 0, 0], [2.8, 0, 0]], charges=[1, -1])

    def coulomb(sample=atoms, **options):
        return sonde.coulomb(sample, device="cpu", quantity="both", **options)

    for size in ((3, 3, 3), (3, 4, 5), (5, 3, 3), (3, 3, 1)):
        result = coulomb(origin=(4, 4, 4), size=size)
        assert result.potential.dims == ("z", "y", "x") and result.potential.shape == size[::-1]
        assert result.field.dims == ("z", "y", "x", "component") and result.origin.dims == ("component",)
        assert result.component.attrs == {"units": "", "long_name": "component"}
        assert result.steps.dims == ("step", "component")
        one = coulomb(origin=(4 + size[0] - 1, 4, 4), size=(1, 1, 1)).potential.item()
        assert result.potential.sel(x=4 + size[0] - 1, y=4, z=4).item() == pytest.approx(one, rel=1e-4)
    assert coulomb(line="4,4,4:10,4,4:3").potential.dims == ("z", "y", "x")
    sets = coulomb(sonde.Atoms(["Na", "Cl"], [[0, 0, 0], [2.8, 0, 0]], charges=[[1, -1], [2, -2]]), origin=(4, 4, 4), size=(3, 2, 2))
    assert sets.potential.dims == ("set", "z", "y", "x") and sets.field.dims == ("set", "z", "y", "x", "component")
    assert sonde.debye((["Co", "O"], [[0, 0, 0], [2.0, 0, 0]]), q=(1, 9, 3), device="cpu").pairs_of_atoms.dims == ("pair",)
    for bins in (3, 129):
        ions = sonde.ions(ion="He", energy="1keV", target="Si", number=5, bins=bins, device="cpu")
        assert ions.component.attrs == {"units": "", "long_name": "component"}
        assert ions.implanted_ions.dims == ("x",) and ions.origin.dims == ions.cell_width.dims == ("component",)
        assert ions.edges.dims == ("edges_0",) and ions.recoils.dims == ("kind", "energy")


def test_units_are_those_of_pint():
    table = sonde.stopping(ion="He", target="Si", energies="10keV:1MeV:5")
    assert [table[name].attrs["units"] for name in ("range", "electronic", "straggling")] == ["angstrom", "eV/angstrom", "eV^2/angstrom"]
    atoms = sonde.Atoms(["Na", "Cl"], [[0, 0, 0], [0, 0, 2.0]], charges=[1, -1])
    charges = sonde.coulomb(atoms, origin=(4, 4, 4), size=(2, 2, 2), units="e/A", quantity="both", device="cpu")
    units = {charges[name].attrs["units"] for name in ("field", "field_error", "potential")}
    assert units == {"e/angstrom^2", "e/angstrom"}
    pint = pytest.importorskip("pint")
    for variable in (*table.variables.values(), *charges.variables.values()):
        pint.Unit(variable.attrs["units"])


def test_the_whole_summary_of_ions_is_there():
    for number in (50, 60):  # the second one has the layout of the first
        result = sonde.ions(ion="He", energy="5keV", target="Si", number=number, device="cpu")
        summary = result.group("summary")
        for name, value in summary.items():
            name = "total_" + name if name.startswith("vacancies") else name
            assert result[name].dims == () and result[name].item() == value
        assert result.vacancies.dims == ("x",) and result.total_vacancies.attrs["long_name"] == "vacancies per ion"
        assert result.error_of("total_vacancies").item() == summary["vacancies_errors"] > 0
        # the profile is per Angstrom of depth
        step = result.x.values[1] - result.x.values[0]
        assert result.total_vacancies.item() == pytest.approx(step * result.vacancies.values.sum(), rel=1e-9)


def test_axes_of_lines_and_oblique_grids_are_true(tmp_path):
    atoms = sonde.Atoms(["Na", "Cl"], [[0, 0, 0], [0, 0, 2.0]], charges=[1, -1])
    for _ in range(2):  # the second one has the layout of the first
        line = sonde.coulomb(atoms, line="1,2,-5:1,2,5:11", quantity="both", device="cpu")
        assert line.potential.dims == ("c", "b", "a") and line.field.dims == ("c", "b", "a", "component")
        assert line.a.values.tolist() == list(range(11)) and line.a.attrs["long_name"] == "along the line"
        assert line.z.dims == ("a",) and line.z.values.tolist() == list(range(-5, 6)) and line.z.attrs["units"] == "angstrom"
        assert set(line.x.values) == {1} and set(line.y.values) == {2}
        assert {"x", "y", "z"} <= set(line.coords)
    other = sonde.coulomb(atoms, line="1,2,-5:1,2,0:11", quantity="both", device="cpu")
    assert other.z.values.tolist() == [-5 + 0.5 * k for k in range(11)]
    line.write(tmp_path / "line.h5")
    assert_same(sonde.read(tmp_path / "line.h5"), line)
    steps = numpy.array([[0, 1, 0], [2, 1, 0], [0, 0, -3.0]])
    grid = sonde.coulomb(atoms, origin=(1, 2, 3), size=(2, 3, 4), step_a=steps[0], step_b=steps[1], step_c=steps[2], device="cpu")
    assert grid.potential.dims == ("c", "b", "a") and grid.potential.shape == (4, 3, 2)
    for axis, step in zip("abc", steps):
        numpy.testing.assert_allclose(grid[axis], numpy.arange(grid.sizes[axis]) * numpy.linalg.norm(step), rtol=1e-15)
        assert grid[axis].attrs == {"units": "angstrom", "long_name": f"along step {axis}"}
    place = grid.origin.values + 1 * steps[0] + 2 * steps[1] + 3 * steps[2]
    one = sonde.coulomb(atoms, origin=place, size=(1, 1, 1), device="cpu").potential.item()
    assert grid.potential.isel(a=1, b=2, c=3).item() == pytest.approx(one, rel=1e-5)
    grid.write(tmp_path / "grid.h5")
    assert_same(sonde.read(tmp_path / "grid.h5"), grid)


def test_points_have_their_axis(tmp_path):
    points = tmp_path / "points.txt"
    points.write_text("4 4 4\n5 5 5\n6 6 6\n")
    result = sonde.coulomb(sonde.Atoms("Na", [[0, 0, 0]], charges=[1]), points=points, quantity="both", device="cpu")
    assert result.points.dims == result.field.dims == ("point", "component") and result.potential.dims == ("point",)


def test_axes_of_a_loop_are_not_shared():
    small()
    expected = small().q.values.tolist()
    for _ in range(3):
        q = small().q.values
        with pytest.raises(ValueError, match="read-only"):
            q *= 10
        assert small().q.values.tolist() == expected


def test_changed_results_are_not_written(tmp_path):
    result = small()

    def changes():
        yield "q", result.assign_coords(q=result.q * 10)
        for name, change in (("q", lambda made: made.coords.update({"q": made.q * 10})), ("I", lambda made: setattr(made.I, "data", made.I.values + 1)),
                             ("title", lambda made: made.attrs.update(title="mine")), ("S", lambda made: made.S.attrs.update(units="cm"))):
            made = result.copy(deep=True)
            change(made)
            yield name, made
        made = pickle.loads(pickle.dumps(result))
        made.I[0] = 0
        yield "I", made

    for number, (name, made) in enumerate(changes()):
        with pytest.raises(sonde.InputError, match=f"changed: its .*{name}"):
            made.to_nexus(tmp_path / f"{number}.h5")
    for number, made in enumerate((result, result.copy(), copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result)))):
        made.to_nexus(tmp_path / f"whole-{number}.h5")
        assert_same(sonde.read(tmp_path / f"whole-{number}.h5"), result)


def test_pickled_ions_are_whole(tmp_path):
    given = sonde.ions(ion="He", energy="1keV", target="Si", number=5, trajectories=2, device="cpu")
    again = pickle.loads(pickle.dumps(given))
    again.to_nexus(tmp_path / "again.h5")
    assert {name: values.tobytes() for name, values in again.group("trajectories").items()} == \
        {name: values.tobytes() for name, values in given.group("trajectories").items()}


def test_monitors_whose_names_begin_alike():
    kinds = [sonde.fdtd.Monitor(kind="flux", name=name, wavelengths=f"600 nm:800 nm:{points}") for name, points in (("ball", 5), ("ball_2", 3))]
    job = sonde.fdtd.Job(size="2 um, 0, 0", cell="20 nm", time="5 fs", monitors=kinds,
                         sources=[sonde.fdtd.Source(kind="plane-wave", wavelength="700 nm")])
    result = job.run(device="cpu")
    assert list(result.monitor("ball").data_vars) == list(result.monitor("ball_2").data_vars) == ["wavelength", "power"]
    assert result.monitor("ball").sizes["frequency"] == 5 and result.monitor("ball_2").sizes["frequency"] == 3


def test_error_of_g_is_a_bound():
    """At most what errors of F of one sign, as those of sin(q r) at each point, can add."""
    result = sonde.debye((["Co", "O"], [[0, 0, 0], [2.0, 0, 0]]), q=(1, 9, 161), r=(1, 5, 41), device="cpu")
    bound, f_error = result.error_of("G"), result.error_of("F")
    sines = numpy.abs(numpy.sin(result.r * result.q))
    assert bound.dims == ("r",) and (2 / numpy.pi * (sines * f_error).integrate("q") <= bound).all() and (bound > 0).all()
    assert bound.attrs["units"] == result.G.attrs["units"]


def test_distances_of_pairs_have_the_axis_of_the_pairs():
    result = sonde.debye((["Co", "O"], [[0, 0, 0], [2.0, 0, 0]]), q=(1, 9, 161), r=(1, 5, 3), counts=True, device="cpu")
    assert result.R.dims == result.n.dims == ("r",) and result.R_ab.dims == result.n_ab.dims == ("pair", "r")
    assert float(result.n_ab.sel(pair="Co-O", r=5)) == 1
