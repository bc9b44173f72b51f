"""Every number is that of the program, to the last bit."""
import ast
import re
import subprocess

import numpy
import pytest
from conftest import SOURCES, assert_same

import sonde
from sonde import _program


def test_debye(run, cluster, cluster_file, device):
    expected = sonde.read(run("debye", cluster_file, "--q", "0.5:12:40", "--radiation", "neutron", "--counts"))
    ours = sonde.debye(cluster, q=(0.5, 12, 40), radiation="neutron", counts=True, device=device)
    assert_same(ours, expected)
    assert_same(sonde.debye(cluster_file, q=numpy.linspace(0.5, 12, 40), radiation="neutron", counts=True, device=device), expected)
    # independent of the package: the table that the program prints
    table = subprocess.run([_program.path(), "debye", cluster_file, "--q", "0.5:12:40", "--radiation", "neutron", "--device", device],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = numpy.array([line.split() for line in table.splitlines() if not line.startswith("#")], float)
    numpy.testing.assert_allclose(rows[:, 0], ours.q.values, rtol=1e-9)
    numpy.testing.assert_allclose(rows[:, 1], ours.I.values, rtol=1e-9)


def test_pattern(run, cluster, cluster_file, device):
    expected = sonde.read(run("pattern", cluster_file, "--q", "0.5:7:9", "--phi", "8", "--wavelength", "0.5", "--amplitude"))
    ours = sonde.pattern(cluster, q=(0.5, 7, 9), phi=8, wavelength=0.5, amplitude=True, device=device)
    assert_same(ours, expected)
    assert ours.F.dtype == numpy.complex128 and ours.I.dims == ("q", "phi")
    numpy.testing.assert_allclose(numpy.abs(ours.F.values) ** 2, ours.I.values, rtol=1e-12)


def test_coulomb(run, cluster, cluster_file, device):
    arguments = ["--charges", "Co=2,O=-1", "--spacing", "1.5", "--padding", "2", "--quantity", "both"]
    expected = sonde.read(run("coulomb", cluster_file, *arguments))
    ours = sonde.coulomb(cluster, charges={"Co": 2, "O": -1}, spacing=1.5, padding=2, quantity="both", device=device)
    assert_same(ours, expected)
    assert ours.field.dims == ("z", "y", "x", "component") and ours.potential.attrs["error"] == "potential_error"


def test_coulomb_of_charges_of_atoms(cluster, device):
    symbols, positions = cluster
    charges = numpy.where(numpy.array(symbols) == "Co", 2.0, -1.0)
    atoms = sonde.Atoms(symbols, positions, charges=charges)
    ours = sonde.coulomb(atoms, spacing=2, padding=1, device=device)
    other = sonde.coulomb(cluster, charges={"Co": 2, "O": -1}, spacing=2, padding=1, device=device)
    assert (ours.potential.values == other.potential.values).all()
    # Coulomb's law, at one corner
    at = numpy.array([ours.x[0], ours.y[0], ours.z[0]])
    expected = 14.399645478 * (charges / numpy.linalg.norm(positions - at, axis=1)).sum()
    assert abs(ours.potential.values[0, 0, 0] - expected) < 1e-4


def test_ions(run, device):
    expected = sonde.read(run("ions", "--ion", "He", "--energy", "2keV", "--target", "Si", "-n", "60", "--seed", "5"))
    ours = sonde.ions(ion="He", energy="2keV", target="Si", number=60, seed=5, device=device)
    assert_same(ours, expected)
    assert ours.implanted_ions.attrs["error"] == "implanted_ions_errors" and ours.range.attrs["error"] == "range_errors"
    assert ours.ions + 0 == 60


def test_ions_in_bodies(run, tmp_path, device):
    (tmp_path / "job.yaml").write_text("ions: {ion: He, energy: 2keV, target: 'C:50nm', number: 40, seed: 3, bodies: [{material: Au, shape: sphere, "
                                       "radius: 50, center: [100, 0, 0]}]}\n")
    expected = sonde.read(run("ions", tmp_path / "job.yaml"))
    ours = sonde.ions(ion="He", energy="2keV", target="C:50nm", number=40, seed=3, device=device,
                      bodies=[{"material": "Au", "shape": "sphere", "radius": 50, "center": (100, 0, 0)}])
    for other in (ours, sonde.job(tmp_path / "job.yaml", "ions", device=device)):
        assert_same(other, expected)
    named = sonde.ions(ion="He", energy="2keV", target="C:50nm", number=40, seed=3, device=device, materials=[{"name": "gold", "composition": "Au"}],
                       bodies=[{"material": "gold", "shape": "sphere", "radius": 50, "center": (100, 0, 0)}])
    assert named.implanted_ions.values.tobytes() == ours.implanted_ions.values.tobytes()
    with pytest.raises(ValueError, match="radus"):
        sonde.ions(ion="He", target="C", bodies=[{"radus": 5}])
    with pytest.raises(ValueError, match="no block 'debye'"):
        sonde.job(tmp_path / "job.yaml", "debye")


def test_energies_of_stopping_are_a_list():
    """The example of docs/python.md."""
    text = (SOURCES / "docs/python.md").read_text()
    energies = ast.literal_eval(re.search(r"`energies=(\([^)]*\))` of `stopping` are three energies in keV", text)[1])
    numpy.testing.assert_allclose(sonde.stopping(ion="He", target="Si", energies=energies).energy, 1e3 * numpy.array(energies))


def test_units_of_stopping_are_those_of_tables(tmp_path):
    """As the help says: arrays are always in eV/Angstrom."""
    plain, other = (sonde.stopping(ion="He", target="Si", energies="1MeV,2MeV", units=units) for units in ("eV/A", "keV/um"))
    assert other.electronic.attrs["units"] == "eV/angstrom"
    numpy.testing.assert_array_equal(other.electronic, plain.electronic)
    assert "eV/Angstrom in any case" in " ".join(sonde.stopping.__doc__.split())
    other.write(tmp_path / "s.csv")
    rows = [line.split(",") for line in (tmp_path / "s.csv").read_text().splitlines() if not line.startswith("#")]
    numpy.testing.assert_allclose([float(row[1]) for row in rows[1:]], 10 * plain.electronic.values, rtol=1e-5)


def test_stopping(tmp_path):
    subprocess.run([_program.path(), "stopping", "--ion", "He", "--target", "SiO2", "--quiet", "-o", tmp_path / "s.h5"], check=True)
    ours = sonde.stopping(ion="He", target="SiO2")
    assert_same(ours, sonde.read(tmp_path / "s.h5"))
    assert (ours.range_errors.values == ours.range.values * ours.attrs["range_error"]).all()


def test_build(tmp_path):
    subprocess.run([_program.path(), "build", "--cell", "rocksalt", "--species", "Na,Cl", "--a", "5.64", "--sphere", "9", "--quiet",
                    "-o", tmp_path / "s.h5"], check=True)
    atoms = sonde.build(cell="rocksalt", species=["Na", "Cl"], a=5.64, sphere=9)
    atoms.write(tmp_path / "ours.xyz")
    subprocess.run([_program.path(), "build", "--cell", "rocksalt", "--species", "Na,Cl", "--a", "5.64", "--sphere", "9", "--quiet",
                    "-o", tmp_path / "theirs.xyz"], check=True)
    ours, theirs = ((tmp_path / name).read_text().splitlines() for name in ("ours.xyz", "theirs.xyz"))
    assert ours[0] == theirs[0] == str(len(atoms)) and ours[2:] == theirs[2:]


def test_fdtd(run, sources, device):
    job = sources / "examples/fresnel_slab/job.yaml"
    expected = sonde.read(run("fdtd", job))
    ours = sonde.fdtd(job, device=device)
    assert_same(ours, expected)
    part = ours.monitor("transmitted")
    assert (part.transmission.values == ours.transmitted_transmission.values).all()
    # a plate of n = 2, 1 um: Airy's formula
    delta = 2 * numpy.pi * 2 * 1e-6 * part.frequency.values / 299792458.0
    r = (1 - 2) / (1 + 2)
    airy = (1 - r**2) ** 2 / ((1 - r**2) ** 2 + 4 * r**2 * numpy.sin(delta) ** 2)
    assert numpy.abs(part.transmission.values - airy).max() < 0.01


def test_nexus_files_are_those_of_the_program(run, cluster_file, tmp_path, device):
    path = run("debye", cluster_file, "--q", "1:9:12")
    sonde.debye(cluster_file, q=(1, 9, 12), device=device).to_nexus(tmp_path / "ours.h5")
    texts = [subprocess.run([_program.path(), "info", "--json", name], check=True, stdout=subprocess.PIPE, text=True).stdout
             for name in (path, tmp_path / "ours.h5")]
    assert '"points": 12' in texts[0] and '"points": 12' in texts[1]
    assert_same(sonde.read(path), sonde.read(tmp_path / "ours.h5"))


def test_trajectory(tmp_path, cluster, device):
    symbols, positions = cluster
    generator = numpy.random.default_rng(3)
    with open(tmp_path / "frames.xyz", "w") as file:
        for _ in range(4):
            moved = positions + generator.normal(0, 0.1, positions.shape)
            file.write(f"{len(symbols)}\n\n" + "".join(f"{symbol} {x!r} {y!r} {z!r}\n" for symbol, (x, y, z) in zip(symbols, moved.tolist())))
    mean = sonde.debye(tmp_path / "frames.xyz", frames=slice(0, 4), q=(1, 8, 5), device=device)
    each = [sonde.debye(tmp_path / "frames.xyz", frame=frame, q=(1, 8, 5), device=device).I_per_atom.values for frame in range(1, 5)]
    numpy.testing.assert_allclose(mean.I_per_atom.values, numpy.mean(each, axis=0), rtol=1e-12)
    error = mean.error_of("I_per_atom")
    assert error is not None
    assert "I_per_atom_standard_error" in mean
    numpy.testing.assert_allclose(mean.I_per_atom_standard_error.values, numpy.std(each, axis=0, ddof=1) / 2, rtol=1e-9)


def test_match(tmp_path, cluster, device):
    for number, scale in enumerate((1.0, 1.1)):
        sonde.debye((cluster[0], scale * cluster[1]), q=(1, 8, 60), device=device).to_nexus(tmp_path / f"c{number}.h5")
    first, second = (sonde.read(tmp_path / f"c{number}.h5").I_per_atom.values for number in range(2))
    q = numpy.linspace(1, 8, 60)
    numpy.savetxt(tmp_path / "measured.xy", numpy.column_stack([q, 0.25 * first + 0.75 * second]))
    found = sonde.match(tmp_path / "measured.xy", tmp_path / "c0.h5", tmp_path / "c1.h5", curve="I")
    weights = {part["candidate"]: part["weight"] for part in found["weights"]}
    assert abs(weights[1] - 0.25) < 1e-6 and abs(weights[2] - 0.75) < 1e-6


@pytest.mark.parametrize("engine", ["debye", "pattern"])
def test_plan(engine, cluster):
    options = {"wavelength": 0.5, "q": (1, 5, 9), "phi": 4} if engine == "pattern" else {}
    plan = sonde.plan(engine, cluster, device="cpu", **options)
    assert plan["command"] == engine and plan["seconds"] > 0
