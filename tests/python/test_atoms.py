"""Atoms of arrays, of other packages, and of files."""
import os
import pickle
import subprocess
import sys

import numpy
import pytest

import sonde


def test_symbols_and_positions(cluster):
    atoms = sonde.Atoms(*cluster, cell=(20, 20, 20), pbc=(True, True, False), charges=numpy.arange(60.0), occupancies=numpy.full(60, 0.5))
    assert len(atoms) == 60 and atoms.species == ["Co", "O"] and list(atoms.symbols) == cluster[0]
    assert (atoms.positions == cluster[1]).all() and not atoms.positions.flags.writeable
    assert (atoms.charges == numpy.arange(60)).all() and (atoms.occupancies == 0.5).all()
    assert (atoms.cell == numpy.diag([20, 20, 20])).all() and atoms.pbc == (True, True, False)
    again = pickle.loads(pickle.dumps(atoms))
    assert (again.positions == atoms.positions).all() and list(again.symbols) == list(atoms.symbols)
    assert (again.charges == atoms.charges).all() and again.pbc == atoms.pbc


def test_labels_of_all_lengths(cluster):
    for symbols in (["Co2+", "O"] * 30, ["H", "C"] * 30, ["58Ni", "D"] * 30):
        for form in (symbols, numpy.array(symbols), numpy.array(symbols, dtype=object), numpy.array(symbols).astype("S"), tuple(symbols)):
            assert list(sonde.Atoms(form, cluster[1]).symbols) == symbols


def test_what_is_not_of_atoms():
    for symbols, positions, more, name in ((["C"], [[1j, 0, 0]], {}, "positions"), ([["C"]], [[0, 0, 0]], {}, "symbols"),
                                           (["C"], [[0, 0, 0]], {"cell": (1, 1, 1), "pbc": (True, False)}, "pbc")):
        with pytest.raises(sonde.InputError, match=f"^{name}: ") as found:
            sonde.Atoms(symbols, positions, **more)
        assert found.value.argument == name


def test_other_positions(cluster):
    widths = numpy.linspace(0.001, 0.06, 60)
    atoms = sonde.Atoms(*cluster, cell=(20, 21, 22), charges=numpy.arange(60.0), displacements=widths)
    moved = atoms.with_positions(cluster[1] + 1)
    assert (moved._displacements() == widths).all()
    assert (moved.positions == cluster[1] + 1).all() and list(moved.symbols) == cluster[0]
    assert (moved.charges == atoms.charges).all() and (moved.cell == atoms.cell).all() and moved.pbc == atoms.pbc
    with pytest.raises(ValueError, match="positions"):
        atoms.with_positions(cluster[1][1:])


def test_order_of_labels_does_not_matter_to_results(cluster):
    symbols, positions = numpy.array(cluster[0]), cluster[1]
    mixed = numpy.random.default_rng(0).permutation(60)
    one = sonde.debye((symbols, positions), q=(1, 9, 6), method="histogram", device="cpu")
    two = sonde.debye((list(symbols[mixed]), positions[mixed]), q=(1, 9, 6), method="histogram", device="cpu")
    assert one.I.values.tobytes() == two.I.values.tobytes()


@pytest.mark.parametrize("given, argument", [
    ((["C"], numpy.zeros((2, 3))), "symbols"),
    ((["C"], numpy.zeros(3)), "positions"),
    ((["C"], [["a", "b", "c"]]), "positions"),
])
def test_wrong_shapes_name_the_argument(given, argument):
    with pytest.raises(ValueError, match=argument) as caught:
        sonde.debye(given)
    assert caught.value.argument == argument


def test_wrong_values_are_refused():
    with pytest.raises(ValueError, match="atom 2"):
        sonde.Atoms(["C", "C"], [[0, 0, 0], [0, numpy.nan, 0]])
    with pytest.raises(ValueError, match="sample"):
        sonde.debye(3.5)
    with pytest.raises(ValueError, match="label"):
        sonde.Atoms(["a b"], [[0, 0, 0]])
    with pytest.raises(FileNotFoundError):
        sonde.debye("missing.xyz")


class Foreign:
    """An array of another library, on the host, known by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **more):
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack(cluster):
    symbols, positions = cluster
    assert (sonde.Atoms(symbols, Foreign(positions)).positions == positions).all()


def test_arrays_of_other_devices_come_through_their_owner(cluster):
    class OnGpu(Foreign):
        def __dlpack_device__(self):
            return (10, 0)  # ROCm

        def get(self):
            return self.array

    assert (sonde.Atoms(cluster[0], OnGpu(cluster[1])).positions == cluster[1]).all()


def test_arrays_on_a_gpu_of_nvidia(sources):
    """With a replacement for the driver, or, where the tests run on such a GPU, with the real one."""
    environment, device = dict(os.environ), []
    if os.environ.get("SONDE_TEST_DEVICE", "").startswith("cuda:"):
        device = [os.environ["SONDE_TEST_DEVICE"].partition(":")[2]]
    elif os.path.exists(os.path.join(os.environ.get("SONDE_FAKES", ""), "cuda", "libcuda.so.1")):
        environment["LD_LIBRARY_PATH"] = os.path.join(os.environ["SONDE_FAKES"], "cuda")
        environment["SONDE_NVRTC"] = os.path.join(os.environ["SONDE_FAKES"], "nvrtc")
    else:
        pytest.skip("there is neither such a GPU, nor a replacement for its driver")
    done = subprocess.run([sys.executable, sources / "tests/python/cuda_arrays.py", *device], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "cuda arrays: right\n", done.stderr


@pytest.mark.parametrize("method, fault, after", [("histogram", "oom", 2), ("histogram", "oom", 16), ("histogram", "oom", 28),
                                                  ("histogram", "oom", 40), ("histogram", "lost", 4), ("histogram", "lost", 28),
                                                  ("exact", "oom", 12), ("exact", "oom", 20), ("exact", "lost", 8), ("exact", "lost", 20)])
def test_a_gpu_with_positions_fails(sources, method, fault, after):
    fakes = os.environ.get("SONDE_FAKES", "")
    if not os.path.exists(os.path.join(fakes, "cuda", "libcuda.so.1")):
        pytest.skip("there is no replacement for the driver")
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(fakes, "cuda"), SONDE_NVRTC=os.path.join(fakes, "nvrtc"), FAKE_CUDA=fault,
                       FAKE_CUDA_AFTER=str(after), SONDE_KERNEL_CACHE="off", PYTHONWARNINGS="ignore")
    done = subprocess.run([sys.executable, sources / "tests/python/cuda_faults.py", method], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # without memory the host does its work; what only a lost GPU has is lost
    assert done.stdout.startswith("right" if fault == "oom" else "failed: a copy of 120000 bytes"), done.stdout


def test_torch(cluster):
    torch = pytest.importorskip("torch")
    positions = torch.tensor(cluster[1], requires_grad=True)
    assert (sonde.Atoms(cluster[0], positions).positions == cluster[1]).all()


def test_ase(cluster):
    ase = pytest.importorskip("ase")
    atoms = ase.Atoms(cluster[0], positions=cluster[1], cell=[20, 21, 22], pbc=True)
    ours = sonde.debye(atoms, boundary="open", q=(1, 9, 6), device="cpu")
    assert ours.I.values.tobytes() == sonde.debye(cluster, q=(1, 9, 6), device="cpu").I.values.tobytes()
    assert sonde.Atoms(*cluster).to_ase().get_chemical_formula() == atoms.get_chemical_formula()


def test_mdanalysis(cluster):
    analysis = pytest.importorskip("MDAnalysis")
    universe = analysis.Universe.empty(60, trajectory=True)
    universe.add_TopologyAttr("elements", cluster[0])
    universe.atoms.positions = cluster[1]
    ours = sonde.debye(universe.select_atoms("index 0:59"), q=(1, 9, 6), device="cpu")
    single = cluster[1].astype(numpy.float32).astype(float)
    assert ours.I.values.tobytes() == sonde.debye((cluster[0], single), q=(1, 9, 6), device="cpu").I.values.tobytes()


def test_pymatgen():
    core = pytest.importorskip("pymatgen.core")
    structure = core.Structure.from_spacegroup("Fm-3m", core.Lattice.cubic(5.64), ["Na", "Cl"], [[0, 0, 0], [0.5, 0.5, 0.5]])
    ours = sonde.debye(structure, boundary="open", q=(1, 9, 6), device="cpu")
    assert ours.attrs["sample_atoms"] == 8
