"""Arguments of unusual kinds: what is accepted gives the numbers of the usual kind, what is not is refused by its name."""
import enum
import math
import os
import signal
import time

import numpy
import pytest

import sonde
from sonde import fdtd
from sonde._atoms import atoms_of

Q = (1, 9, 6)


class Element(str, enum.Enum):
    COBALT = "Co"
    OXYGEN = "O"


def test_labels_of_any_sequence(cluster):
    symbols, positions = cluster
    expected = sonde.debye(cluster, q=Q, device="cpu").I.values.tobytes()
    kinds = [iter(symbols), (symbol for symbol in symbols), [Element(symbol) for symbol in symbols], numpy.array(symbols, object)]
    for kind in kinds:
        assert sonde.debye((kind, positions), q=Q, device="cpu").I.values.tobytes() == expected


def test_numbers_of_any_kind(cluster):
    expected = sonde.debye(cluster, q=Q, device="cpu", threads=1).I.values.tobytes()
    for q in (numpy.linspace(1, 9, 6), numpy.linspace(1, 9, 6, dtype=numpy.float32), (numpy.float64(1), numpy.array(9.0), numpy.int32(6))):
        assert sonde.debye(cluster, q=q, device="cpu", threads=numpy.int64(1), frame=numpy.int32(0)).I.values.tobytes() == expected
    assert sonde.debye(cluster, q=numpy.array(2.0), device="cpu").sizes["q"] == 1
    assert sonde.debye(cluster, q=Q, device="cpu", counts=numpy.array(False)).I.values.tobytes() == expected


MASKED = numpy.ma.masked_array(numpy.ones(60), mask=[False] * 59 + [True])


@pytest.mark.parametrize(("argument", "value"), [
    ("q", ["a", "b"]), ("q", numpy.ones((2, 3))), ("q", [None, 1, 2, 3]), ("q", [0.1, float("nan"), float("nan"), 7]),
    ("q", numpy.ma.masked_array([1.0, 2, 3], mask=[0, 1, 0])), ("counts", numpy.array([True, False])), ("qdamp", numpy.array("abc")),
    ("qdamp", numpy.array(1j)), ("threads", float("inf")), ("threads", 2.7), ("memory", float("inf")), ("frame", 2**70), ("frame", None),
    ("frame", "1"), ("frame", 1.5), ("device", 0), ("kernel_cache", 3)])
def test_values_are_refused_by_name(cluster, argument, value):
    with pytest.raises(sonde.InputError) as caught:
        sonde.debye(cluster, **{"device": "cpu", argument: value})
    assert caught.value.argument == argument and str(caught.value).startswith(argument + ": ")


@pytest.mark.parametrize(("argument", "given"), [
    ("symbols", {"symbols": None}), ("symbols", {"symbols": ["Co\0"] * 60}), ("symbols", {"symbols": ["Co "] * 60}),
    ("positions", {"positions": numpy.ma.masked_array(numpy.zeros((60, 3)), mask=numpy.eye(60, 3))}),
    ("positions", {"positions": numpy.zeros((60, 3), "M8[s]")}), ("positions", {"positions": numpy.full((60, 3), 1e9)}),
    ("charges", {"charges": MASKED}), ("charges", {"charges": numpy.full(60, numpy.nan)}), ("occupancies", {"occupancies": numpy.full(60, 2.0)}),
    ("displacements", {"displacements": numpy.full(60, -2.0)}), ("pbc", {"cell": [9, 9, 9], "pbc": "TFT"}),
    ("pbc", {"cell": [9, 9, 9], "pbc": [None, True, True]})])
def test_atoms_are_refused_by_name(cluster, argument, given):
    with pytest.raises(sonde.InputError) as caught:
        sonde.Atoms(**{"symbols": cluster[0], "positions": cluster[1], **given})
    assert caught.value.argument == argument


def test_misspelled_arguments_have_proposals(cluster):
    for function, given, near in ((sonde.debye, {"radiaton": "xray"}, "radiation"), (sonde.build, {"cel": "fcc"}, "cell"),
                                  (sonde.match, {"qmxa": 3}, "qmax")):
        with pytest.raises(TypeError, match=f"did you mean '{near}'"):
            function(*([cluster] if function is sonde.debye else []), **given)


def test_names_of_files(tmp_path, cluster):
    atoms = sonde.Atoms(*cluster)
    for name in ("plain", "with blanks, and ü", "not \udcff UTF-8"):
        structure, result = tmp_path / f"{name}.xyz", tmp_path / f"{name}.h5"
        atoms.write(os.fsencode(structure))
        assert len(sonde.Atoms.read(os.fsencode(structure))) == 60
        sonde.debye(structure, q=Q, device="cpu", output=result)
        sonde.read(os.fsencode(result)).to_nexus(os.fsencode(tmp_path / f"{name} again.h5"))
        assert (tmp_path / f"{name} again.h5").exists()
    for read in (sonde.Atoms.read, sonde.read):
        with pytest.raises(FileNotFoundError):
            read(tmp_path / "absent.h5")


def test_exceptions_of_signals_stop_a_run(tmp_path):
    generator = numpy.random.default_rng(1)
    large = "Au", generator.uniform(0, 100, (60000, 3))

    def ring(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError):
            sonde.debye(large, q=(1, 20, 200), method="exact", device="cpu", output=tmp_path / "late.h5")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    began = time.monotonic()
    sonde.debye(("Au", large[1][:10]), q=Q, device="cpu")
    assert not (tmp_path / "late.h5").exists()
    assert time.monotonic() - began < 60  # it does not wait for the one before, which takes minutes


# Other packages --------------------------------------------------------------------------------------------------


class Species:
    """As of pymatgen: a member of an enumeration, or one with a charge."""

    def __init__(self, symbol, state=None):
        if state is None:
            self.value, self.symbol, self.oxi_state = symbol, symbol.replace("D", "H"), None
        else:
            self.element, self.symbol, self.oxi_state = Species(symbol), symbol, state


class Site:
    def __init__(self, species, coords, **properties):
        self.species, self.coords, self.properties = species, coords, properties


class IStructure(list):
    formula, lattice = "X 1", None


IStructure.__module__ = "pymatgen.core.structure"


def test_species_of_pymatgen():
    def atoms(*sites):
        return atoms_of(IStructure(Site({species: 1.0}, [3.0 * number, 0, 0]) for number, species in enumerate(sites)))

    deuterium = atoms(Species("D"), Species("O"))
    assert deuterium.species == ["D", "O"] and deuterium.charges is None
    ions = atoms(Species("Fe", 2), Species("O", -2), Species("Na", 1), Species("Cl", -1), Species("Sn", 10), Species("Fe", 2.5), Species("Fe", 0))
    assert list(ions.symbols) == ["Fe2+", "O2-", "Na+", "Cl-", "Sn10+", "Fe", "Fe"]
    assert list(ions.charges) == [2, -2, 1, -1, 10, 2.5, 0]
    shared = atoms_of(IStructure([Site({Species("Fe"): 0.5, Species("Au"): 0.25}, [0, 0, 0]), Site({Species("O"): 1.0}, [2, 0, 0])]))
    assert list(shared.symbols) == ["Fe", "Au", "O"] and list(shared.occupancies) == [0.5, 0.25, 1]


def test_sites_and_cells_of_ase():
    ase = pytest.importorskip("ase")
    shared = ase.Atoms("AuAuO", positions=[[0, 0, 0], [4, 0, 0], [2, 2, 2]], cell=[8, 4, 4], pbc=True)
    shared.info["occupancy"] = {"0": {"Fe": 0.5, "Au": 0.5}, "2": {"O": 0.25}}
    shared.set_array("spacegroup_kinds", numpy.array([0, 0, 2]))
    found = atoms_of(shared)
    assert list(found.symbols) == ["Fe", "Au", "Fe", "Au", "O"] and list(found.occupancies) == [0.5, 0.5, 0.5, 0.5, 0.25]
    slab = ase.Atoms("Au2", positions=[[0, 0, 0], [0, 0, 2]], cell=[3, 3, 0], pbc=(True, True, False))
    assert atoms_of(slab).pbc == (True, True, False)
    slab.pbc = True
    with pytest.raises(sonde.InputError, match="pbc"):
        atoms_of(slab)
    full = sonde.Atoms(["Na", "Cl"], [[0, 0, 0], [2.8, 0, 0]], cell=[5, 5, 5], charges=[1, -1], occupancies=[1, 0.5])
    again = atoms_of(full.to_ase())
    assert list(again.charges) == [1, -1] and list(again.occupancies) == [1, 0.5]


# Jobs of fdtd -----------------------------------------------------------------------------------------------------


def test_lists_of_jobs():
    job = fdtd.Job(size="2 um, 0, 0")
    for wrong in (5, None, "box", {"kind": "point"}):
        with pytest.raises(sonde.InputError) as caught:
            job.sources = wrong
        assert caught.value.argument == "sources"
    job.sources = ({"kind": "plane-wave", "wavelength": "600 nm"},)
    assert job.sources == [fdtd.Source(kind="plane-wave", wavelength="600 nm")]


def test_arrays_of_bodies_are_part_of_jobs():
    voxels = numpy.zeros((2, 2, 2), int)
    voxels[0] = 1

    def job(values, **more):
        return fdtd.Job(size="2 um, 0, 0", bodies=[fdtd.Body(voxels=values, spacing=5e-8, **more)])

    assert job(voxels) == job(voxels.copy()) and job(voxels) != job(1 - voxels) and job(voxels) != job(voxels, origin=(0, 0, 0))
    corners = numpy.array([[0, 0, 0], [1.0, 0, 0], [0, 1, 0], [0, 0, 1]]), numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    assert fdtd.Body(mesh=corners) == fdtd.Body(mesh=corners) != fdtd.Body(mesh=(2 * corners[0], corners[1]))
    with pytest.raises(sonde.InputError, match="give a path"):
        job(voxels).to_yaml()


def test_names_in_yaml():
    names = ["@x", "- x", 'quote"\\', "ü", " blank"]
    job = fdtd.Job(size="2 um, 0, 0", materials=[fdtd.Material(name=name, index=1.5) for name in names])
    assert [material["name"] for material in fdtd.Job.from_yaml(job.to_yaml()).materials] == names


@pytest.mark.parametrize("kind, argument, value", [
    (fdtd.Body, "shape", "shpere"), (fdtd.Body, "size", (1, 2)), (fdtd.Source, "kind", "plane"), (fdtd.Source, "frequency", "5 apples"),
    (fdtd.Monitor, "frequencies", "1 THz:x"), (fdtd.Material, "index", "a"), (fdtd.Material, "name", "a\nb"), (fdtd.Boundary, "face", "w"),
    (fdtd.Body, "radius", math.nan), (fdtd.Job, "cell", "-1 nm"), (fdtd.Job, "precision", "float8")])
def test_values_of_jobs_are_refused_where_they_are_given(kind, argument, value):
    """Not by the run."""
    with pytest.raises(sonde.InputError, match=f"^{argument}: ") as caught:
        kind(**{argument: value})
    assert caught.value.argument == argument
    made = kind()
    with pytest.raises(sonde.InputError, match=f"^{argument}: "):
        if kind is fdtd.Job:
            setattr(made, argument, value)
        else:
            made.update({argument: value})
    assert made == kind()


def test_voxels(tmp_path):
    path = tmp_path / "voxels.h5"
    for argument, values, more in (("values", numpy.full((2, 2, 2), 2.25 + 1j), {}), ("values", numpy.full((2, 2, 2), "glass"), {}),
                                   ("values", numpy.ma.masked_array(numpy.ones((2, 2, 2)), mask=numpy.eye(2)[None].repeat(2, 0)), {}),
                                   ("spacing", numpy.ones((2, 2, 2)), {"spacing": (1, 2)}), ("origin", numpy.ones((2, 2, 2)), {"origin": (1, 2)})):
        with pytest.raises(sonde.InputError) as caught:
            sonde.voxels(path, values, **{"spacing": 1.0, **more})
        assert caught.value.argument == argument
        assert not path.exists()
    sonde.voxels(path, numpy.ones((2, 2, 2), bool), (1, 2, 3), origin=(0, 0, 0))


def test_pipes_are_refused(tmp_path):
    """At once: opening one would wait for a process that writes to it."""
    for name, read in (("result.h5", sonde.read), ("job.yaml", lambda path: sonde.job(path, "stopping")), ("atoms.xyz", lambda path: sonde.debye(path))):
        path = tmp_path / name
        os.mkfifo(path)
        with pytest.raises(ValueError, match=f"{name}: is a pipe or device, not a file; save it to a file first$"):
            read(path)


def test_shapes_of_displacements_are_named():
    for shape in ((2, 3, 3), (3, 6), (3,)):
        with pytest.raises(sonde.InputError, match=r"displacements: the shape is \(.*, not \(2, ?6?\)") as caught:
            sonde.Atoms(["Na", "Cl"], [[0, 0, 0], [1, 1, 1]], displacements=numpy.zeros(shape))
        assert ("(2, 6)" in str(caught.value)) == (len(shape) > 1)
