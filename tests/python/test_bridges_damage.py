"""Defects of cascades for LAMMPS and OVITO. Without these packages, what the library itself knows of the same histories."""
import numpy
import pytest

import sonde
from sonde.bridges import lammps

JOBS = {
    "silicon": {"ion": "Si", "energy": "2keV", "target": "Si"},
    "two layers": {"ion": "As", "energy": "4keV", "target": "SiO2:5nm/Si"},
    "planar": {"ion": "Ar", "energy": "1keV", "target": "W", "surface": "planar", "flight": "monolayer"},
    "body": {"ion": "Xe", "energy": "5keV", "target": "vacuum:20nm", "bodies": "Au:sphere:60@100,0,0"},
}


def histories(number=20, **job):
    return sonde.ions(number=number, trajectories=number, device="cpu", **job)


def counts(found):
    return [int((found["kind"] == kind).sum()) for kind in lammps.KINDS]


@pytest.mark.parametrize("name", JOBS)
def test_defects_are_as_many_as_the_run_counted(name):
    result = histories(**JOBS[name])
    totals = result.group("totals")

    def counted(*names):
        return round(20 * sum(total for kind, total in zip(totals["name"], totals["total"]) if kind in names))

    expected = [counted("vacancies by ions", "vacancies by recoils"), counted("interstitials"), int(result["implanted"])]
    assert counts(lammps.defects(result)) == expected and expected[0] > 100


def test_defects_lie_where_the_profile_has_them():
    result = histories(depth=200, bins=20, **JOBS["silicon"])
    found = lammps.defects(result)
    depths = found["position"].values[found["kind"].values == "vacancy", 0]
    edges = numpy.linspace(0, 200, 21)
    assert numpy.array_equal(numpy.histogram(depths, edges)[0], numpy.round(result["vacancies"].values * 20 * 10).astype(int))
    assert set(found["symbol"].values) == {"Si"} and set(found["ion"].values) == set(range(20))


def test_defects_of_a_file_of_the_program(run, tmp_path):
    path = run("ions", "--ion", "Si", "--energy", "2keV", "--target", "Si", "-n", 20, "--trajectories", 20)
    assert lammps.defects(path).identical(lammps.defects(sonde.read(path)))
    expected = lammps.defects(histories(**JOBS["silicon"]))
    assert numpy.array_equal(lammps.defects(path)["position"], expected["position"])


def test_defects_that_cannot_be_known_are_refused():
    job = JOBS["silicon"]
    for given, message in (({}, "trajectories=N"), ({"trajectories": 5, "cascades": "quick"}, "quick"),
                           ({"trajectories": 5, "surface": "planar", "lattice": {"Si": 3}}, "planar"), ({"trajectories": 5, "energy": "200eV", "exits": 0}, "exits")):
        with pytest.raises(ValueError, match=f"^result: .*{message}"):
            lammps.defects(sonde.ions(number=50, seed=1, device="cpu", **{**job, **given}))
    with pytest.raises(ValueError, match="^result: "):
        lammps.defects(sonde.debye((["Si"], [[0, 0, 0]]), device="cpu"))


def test_dump_of_defects_is_read_back(tmp_path):
    found = lammps.defects(histories(5, **JOBS["silicon"]))
    lammps.write(found, tmp_path / "all.dump")
    atoms = sonde.Atoms.read(tmp_path / "all.dump")  # relative to the corner of the box
    corner = found["position"].values.min(axis=0)
    assert numpy.allclose(atoms.positions, found["position"].values - (0 if atoms.positions.min() < -1e-9 else corner), atol=1e-9)
    lammps.write(found, tmp_path / "each.dump", box=[(0, 300), (-150, 150), (-150, 150)], frames=True)
    assert [len(sonde.Atoms.read(tmp_path / "each.dump", frame=ion + 1)) for ion in range(5)] == [int((found["ion"] == ion).sum()) for ion in range(5)]
    with pytest.raises(FileExistsError):
        lammps.write(found, tmp_path / "all.dump")
    with pytest.raises(ValueError, match="^found: "):
        lammps.write(found.isel(defect=slice(0)), tmp_path / "none.dump")


def cascade():
    """A crystal of iron, and one cascade in the middle of it."""
    crystal = sonde.build(cell="bcc", species="Fe", a=2.866, supercell=(30, 30, 30))
    found = lammps.defects(sonde.ions(ion="Fe", energy="2keV", target="Fe", number=1, trajectories=1, start_depth="2nm", seed=3, device="cpu"))
    return crystal, found, lammps.insert(crystal, found, origin=(0, 43, 43))


def test_damaged_crystal(tmp_path):
    crystal, found, damaged = cascade()
    vacancies, interstitials, implanted = counts(found)
    assert vacancies > 10 and len(damaged) == len(crystal) - vacancies + interstitials + implanted
    same = {place.tobytes() for place in numpy.array(crystal.positions)}
    moved = sum(place.tobytes() not in same for place in numpy.array(damaged.positions))
    assert moved == interstitials + implanted
    damaged.write(tmp_path / "damaged.lmp")
    assert numpy.allclose(sonde.Atoms.read(tmp_path / "damaged.lmp").positions, damaged.positions, atol=1e-9)
    # outside of the crystal nothing changes
    assert len(lammps.insert(crystal, found, origin=(1000, 0, 0))) == len(crystal)


def test_ovito_counts_the_same_defects(tmp_path):
    pytest.importorskip("ovito")
    from ovito.io import import_file
    from ovito.modifiers import WignerSeitzAnalysisModifier
    from ovito.pipeline import Pipeline, StaticSource

    from sonde.bridges import ovito

    crystal, found, damaged = cascade()
    vacancies, interstitials, implanted = counts(found)
    pipeline = Pipeline(source=StaticSource(data=ovito.data(damaged)))
    analysis = WignerSeitzAnalysisModifier()
    analysis.reference = StaticSource(data=ovito.data(crystal))
    pipeline.modifiers.append(analysis)
    data = pipeline.compute()
    assert (data.attributes["WignerSeitz.vacancy_count"], data.attributes["WignerSeitz.interstitial_count"]) == (vacancies, interstitials + implanted)
    again = ovito.atoms(Pipeline(source=StaticSource(data=ovito.data(crystal))).compute())
    assert numpy.array_equal(again.positions, crystal.positions) and numpy.array_equal(again.cell, crystal.cell) and again.pbc == crystal.pbc
    lammps.write(found, tmp_path / "found.dump")
    particles = import_file(str(tmp_path / "found.dump")).compute().particles
    assert numpy.allclose(numpy.sort(particles.positions[...], axis=0), numpy.sort(found["position"].values, axis=0), rtol=1e-12)
    assert numpy.array_equal(numpy.bincount(particles.particle_types[...])[1:], counts(found))
    assert numpy.array_equal(numpy.bincount(ovito.data(found).particles["Defect"][...])[1:], counts(found))


def test_ovito_table_of_a_curve(cluster):
    pytest.importorskip("ovito")
    from ovito.pipeline import Pipeline, StaticSource

    from sonde.bridges import ovito

    pipeline = Pipeline(source=StaticSource(data=ovito.data(sonde.Atoms(*cluster))))
    pipeline.modifiers.append(ovito.debye(q=(0.5, 12, 47), radiation="neutron", device="cpu"))
    expected = sonde.debye(cluster, q=(0.5, 12, 47), radiation="neutron", device="cpu")
    table = pipeline.compute().tables["debye"].xy()
    assert numpy.array_equal(table[:, 0], expected["q"]) and numpy.allclose(table[:, 1], expected["S"], rtol=1e-12)

