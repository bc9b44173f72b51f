"""Bridges to other packages; those of packages that are not installed are skipped."""
import subprocess
import sys

import numpy
import pytest
import xarray

import sonde
from sonde.bridges import festim, need, nxcansas, pdfgui, volumes

GRIDS = {"q": (0.5, 12, 47), "r": (0, 10, 51), "device": "cpu"}


def test_a_package_that_is_missing_is_named():
    with pytest.raises(ImportError, match="^this bridge needs no_such_package: pip install no_such_package") as caught:
        need("no_such_package.part")
    assert "\n" not in str(caught.value)
    script = "import sys; sys.modules['MDAnalysis'] = None\nfrom sonde.bridges import mdanalysis"
    done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1 and "this bridge needs MDAnalysis: pip install MDAnalysis" in done.stderr.splitlines()[-1]


def test_bridges_are_imported_without_their_packages():
    script = "import sys\nfor other in ('h5py', 'pyvista', 'napari', 'festim', 'pyFAI', 'ovito', 'lammps'): sys.modules[other] = None\n" \
             "from sonde.bridges import festim, lammps, nxcansas, ovito, pdfgui, pyfai, volumes"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_pdfgui(tmp_path, cluster, sources):
    result = sonde.debye(cluster, radiation="neutron", qdamp=0.03, **GRIDS)
    pdfgui.write(result, tmp_path / "a.gr")
    again = pdfgui.read(tmp_path / "a.gr")
    assert numpy.array_equal(again.G, result.G) and numpy.array_equal(again.r, result.r)
    assert again.attrs["qmax"] == 12 and again.attrs["qdamp"] == 0.03 and again.attrs["radiation"] == "neutron"
    # the file that the library writes has the same numbers, and is read as well
    result.write(tmp_path / "b.gr")
    assert numpy.array_equal(pdfgui.read(tmp_path / "b.gr").G, result.G)
    with pytest.raises(FileExistsError):
        pdfgui.write(result, tmp_path / "a.gr")
    # a measured file, by another reader
    path = sources / "examples/platinum_match/Ni.gr"
    measured = pdfgui.read(path)
    rows = [line.split() for line in path.read_text().splitlines()[path.read_text().splitlines().index("#S 1") + 2:]]
    assert numpy.array_equal(measured.G, [float(row[1]) for row in rows]) and measured.attrs["qmax"] == 25 and measured.attrs["mode"] == "xray"
    # errors as a fourth column
    curve = xarray.Dataset({"G": ("r", [1.0, 2.0], {"error": "e"}), "e": ("r", [0.1, 0.2])}, {"r": [0.5, 1.0]})
    pdfgui.write(curve, tmp_path / "c.gr", qmax=20)
    assert list(pdfgui.read(tmp_path / "c.gr").dG.values) == [0.1, 0.2]
    (tmp_path / "d.gr").write_text("0 1\n1 2\nx y\n")
    with pytest.raises(ValueError, match="d.gr:3"):
        pdfgui.read(tmp_path / "d.gr")


def test_nxcansas(tmp_path, cluster):
    h5py = pytest.importorskip("h5py")
    result = sonde.debye(cluster, **GRIDS)
    nxcansas.write(result, tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:  # what the definition requires
        entry = file[file.attrs["default"]]
        assert entry.attrs["canSAS_class"] == "SASentry" and entry.attrs["version"] == "1.1" and entry["definition"][()] == b"NXcanSAS"
        assert {"title", "run"} <= set(entry)
        data = entry[entry.attrs["default"]]
        assert data.attrs["canSAS_class"] == "SASdata" and data.attrs["signal"] == "I" and list(data.attrs["Q_indices"]) == [0]
        assert data["Q"].attrs["units"] == "1/angstrom" and data["I"].attrs["units"] == "arbitrary"
        assert data["I"].attrs["uncertainties"] == "Idev" and data["Idev"].shape == data["I"].shape
    again = nxcansas.read(tmp_path / "a.h5")
    assert numpy.array_equal(again.I, result.I_per_atom) and numpy.array_equal(again.q, result.q)
    assert numpy.array_equal(again.I_error, result.error_of("I_per_atom"))
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        file["sasentry01/sasdata01/Q"].attrs["units"] = "1/nm"
    assert numpy.allclose(nxcansas.read(tmp_path / "a.h5").q, result.q / 10, rtol=1e-15)
    absolute = sonde.debye(cluster, concentration="mg/ml:5", **GRIDS)
    nxcansas.write(absolute, tmp_path / "b.h5")
    assert nxcansas.read(tmp_path / "b.h5").I.attrs["units"] == "1/cm"
    assert numpy.array_equal(nxcansas.read(tmp_path / "b.h5").I, absolute.I_absolute)


def test_sasview_reads_nxcansas(tmp_path, cluster):
    loader = pytest.importorskip("sasdata.dataloader.loader")
    result = sonde.debye(cluster, **GRIDS)
    nxcansas.write(result, tmp_path / "a.h5")
    data = loader.Loader().load(str(tmp_path / "a.h5"))[0]
    for theirs, ours in ((data.x, result.q), (data.y, result.I_per_atom), (data.dy, result.error_of("I_per_atom"))):
        assert numpy.allclose(theirs, ours, rtol=1e-12, atol=0)  # it multiplies by factors of units


def test_festim(tmp_path):
    result = sonde.ions(ion="He", energy="2keV", target="W", number=300, depth=600, bins=60, device="cpu")
    given = festim.source(result, flux=1e20)
    width = float(given.x[1] - given.x[0])
    assert abs(width - 10e-10) < 1e-18
    stayed = float(result.implanted_ions.sum()) * 10  # per ion
    assert 0.1 < stayed <= 1
    assert abs(float(given.source.sum()) * width / (1e20 * stayed) - 1) < 1e-12
    assert (given.source_error >= 0).all() and float(given.source_error.max()) > 0
    value = festim.function(result, flux=1e20)
    assert numpy.allclose(value(given.x.values), given.source.values, rtol=1e-15) and value(-1e-9) == 0 and value(1e-6) == 0
    fine = numpy.linspace(0, 600e-10, 60001)
    assert abs(numpy.sum(value(fine)) * (fine[1] - fine[0]) / (1e20 * stayed) - 1) < 2e-2
    festim.write(result, tmp_path / "source.csv", flux=1e20)
    assert numpy.array_equal(numpy.loadtxt(tmp_path / "source.csv", delimiter=",", skiprows=1)[:, 1], given.source)
    with pytest.raises(ValueError, match="^name: "):
        festim.source(result, 1e20, "ranges")


def potential(cluster, **more):
    return sonde.coulomb(cluster, charges={"Co": 2, "O": -1}, spacing=(1, 1.5, 2), padding=2, device="cpu", **more)


def test_napari_places_points_where_they_are(cluster):
    result = potential(cluster)
    layer = volumes.image(result)
    assert layer["data"].shape == result.potential.shape
    place = numpy.array([3, 2, 1])
    assert numpy.allclose(place * layer["scale"] + layer["translate"], [result[axis][at] for axis, at in zip("zyx", place)])
    with pytest.raises(ValueError, match="^name: "):
        volumes.image(result, "origin")


def light():
    monitors = [sonde.fdtd.Monitor(name=name, kind="fields", size=size, frequencies="500THz:600THz:3", components="Ez")
                for name, size in (("map", (6e-8, 5e-8, 4e-8)), ("plane", (3e-8, 4e-8, 0)))]
    return sonde.fdtd(sonde.fdtd.Job(size="60 nm, 50 nm, 40 nm", cell=5e-9, time="3 fs", monitors=monitors, sources=[
        sonde.fdtd.Source(kind="dipole", frequency="600 THz", center=(2e-8, 0, 0))]), device="cpu")


@pytest.mark.filterwarnings("ignore::sonde.SondeWarning")
def test_volumes_of_fields():
    """Axes x, y, z, of several monitors, with frequencies before them."""
    result = light()
    with pytest.raises(sonde.InputError, match="^at: map_Ez_real has 3 points along frequency"):
        volumes.image(result, "map_Ez_real")
    for name in ("map_Ez_real", "plane_Ez_imag"):
        values, layer = result[name], volumes.image(result, name, at=2)
        assert layer["data"].shape == values.shape[:0:-1] and numpy.array_equal(layer["data"], values.values[2].transpose(2, 1, 0))
        place = numpy.array(layer["data"].shape) - 1
        assert numpy.allclose(place * layer["scale"] + layer["translate"], [values[axis].values[at] for axis, at in zip(values.dims[:0:-1], place)])
        assert max(layer["scale"]) < 1e-8  # also of a plane
        assert numpy.array_equal(volumes.image(result, name, at={values.dims[0]: 1})["data"], values.values[1].transpose(2, 1, 0))
    assert volumes.image(result, "map_permittivity")["data"].shape == (9, 11, 13)
    part = result.monitor("map")
    assert numpy.array_equal(volumes.image(part, "Ez_real", at=0)["data"], volumes.image(result.isel(frequency=0), "map_Ez_real")["data"])
    assert numpy.array_equal(volumes.image(part, at=0)["data"], volumes.image(part, part.attrs["signal"], at=0)["data"])


@pytest.mark.filterwarnings("ignore::sonde.SondeWarning")
def test_volumes_that_are_none(cluster):
    result, other = light(), potential(cluster)
    for data, name, at, argument in ((result["map_Ez_real"], None, 0, "data"), (5, None, None, "data"), (result, "map_Ez_real", 3, "at"),
                                     (result, "map_Ez_real", "first", "at"), (result, "map_Ez_real", {"time": 0}, "at"),
                                     (result, "map_wavelength", None, "name"), (result, "nothing", None, "name"), (other, "potential", {"x": 0}, "at"),
                                     (other.assign(waves=1j * other.potential), "waves", None, "name")):
        with pytest.raises(sonde.InputError, match=f"^{argument}: ") as caught:
            volumes.image(data, name, at=at)
        assert caught.value.argument == argument


@pytest.mark.filterwarnings("ignore::sonde.SondeWarning")
def test_pyvista_places_points_of_fields():
    pytest.importorskip("pyvista")
    result = light()
    made = volumes.grid(result, "map_Ez_real", at=1)
    assert made.dimensions == (13, 11, 9)
    for at in ((3, 2, 1), (12, 10, 8)):
        corner = numpy.array(made.origin) + numpy.array(at) * made.spacing
        assert numpy.allclose(corner, [float(result[axis][number]) for axis, number in zip("xyz", at)])
        assert made.point_data["map_Ez_real"][at[0] + 13 * (at[1] + 11 * at[2])] == result.map_Ez_real.values[(1, *at)]


def test_pyvista_places_points_where_they_are(cluster):
    pytest.importorskip("pyvista")
    result = potential(cluster, quantity="both")
    made = volumes.grid(result)
    number = made.find_closest_point([float(result.x[4]), float(result.y[3]), float(result.z[2])])
    assert made.point_data["potential"][number] == result.potential.values[2, 3, 4]
    assert numpy.array_equal(volumes.grid(result, "field").point_data["field"][number], result.field.values[2, 3, 4])


def test_ase(cluster):
    ase = pytest.importorskip("ase")
    from sonde.bridges.ase import Debye

    symbols, positions = cluster
    atoms = ase.Atoms(symbols, positions)
    curve = Debye(atoms, **GRIDS)
    first = curve.S
    assert numpy.array_equal(first, sonde.debye(cluster, **GRIDS).S) and not curve.calculation_required()
    assert curve.result is curve.result and numpy.array_equal(curve.q, curve.result.q)
    atoms.positions[0] += 0.3
    assert curve.calculation_required() and not numpy.array_equal(curve.S, first)
    atoms.positions[0] = positions[0]
    assert numpy.array_equal(curve.S, first)
    with pytest.raises(AttributeError, match="I_per_atom"):
        curve.nothing


def test_mdanalysis(tmp_path, cluster):
    mda = pytest.importorskip("MDAnalysis")
    from sonde.bridges.mdanalysis import Debye

    symbols, positions = cluster
    frames = (positions + numpy.random.default_rng(3).normal(0, 0.1, (5, *positions.shape))).astype(numpy.float32)
    universe = mda.Universe.empty(len(symbols), trajectory=True)
    universe.add_TopologyAttr("elements", symbols)
    universe.load_new(frames)
    results = Debye(universe.atoms, **GRIDS).run().results
    # the mean that the program makes of a file, by its own sums and errors
    path = tmp_path / "frames.xyz"
    path.write_text("".join(f"{len(symbols)}\n\n" + "".join(f"{symbol} {x!r} {y!r} {z!r}\n" for symbol, (x, y, z) in zip(symbols, frame.tolist()))
                            for frame in frames))
    expected = sonde.debye(path, frames=slice(None), **GRIDS)
    assert results.dataset.attrs["frames"] == 5
    assert numpy.allclose(results.I_per_atom, expected.I_per_atom, rtol=1e-10)
    assert numpy.allclose(results.I_per_atom_standard_error, expected["I_per_atom_standard_error"], rtol=1e-7)
    assert numpy.allclose(results.G, expected.G, rtol=0, atol=1e-10)
    assert numpy.isnan(Debye(universe.atoms, **GRIDS).run(stop=1).results.S_standard_error).all()
