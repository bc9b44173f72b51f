"""Positions that the library takes from an array in place, and those that it copies."""
import gc
import pickle
import subprocess
import sys
import threading
import time
import weakref

import numpy
import pytest

import sonde
from sonde._atoms import atoms_of

Q = (1, 9, 6)


def address(array):
    return array.__array_interface__["data"][0]


def is_in_place(atoms, array):
    return address(atoms.positions) == address(array)


def bits(sample, **options):
    return sonde.debye(sample, q=Q, device="cpu", **options).I.values.tobytes()


def test_atoms_have_a_copy_unless_told_otherwise(cluster):
    symbols, positions = cluster[0], cluster[1].copy()
    copied, borrowed = sonde.Atoms(symbols, positions), sonde.Atoms(symbols, positions, copy=False)
    assert not is_in_place(copied, positions) and is_in_place(borrowed, positions)
    assert not borrowed.positions.flags.writeable and positions.flags.writeable
    before = bits(copied)
    assert bits(borrowed) == before
    positions += 1
    assert (copied.positions == cluster[1]).all() and bits(copied) == before
    moved = copied.with_positions(positions, copy=False)
    assert is_in_place(moved, positions) and not is_in_place(copied.with_positions(positions), positions)


@pytest.mark.parametrize("method", ["exact", "histogram"])
def test_runs_do_not_change_the_array(cluster, method):
    symbols, positions = cluster[0], cluster[1].copy()
    positions.flags.writeable = False
    for more in ({}, {"cell": (12, 12, 12)}, {"occupancies": numpy.linspace(0, 1, 60)}, {"charges": numpy.resize([1.0, -1.0], 60)}):
        borrowed, copied = (sonde.Atoms(symbols, positions, copy=copy, **more) for copy in (False, True))
        options = {"cutoff": 6} if "cell" in more and method == "histogram" else {"boundary": "open"}
        assert bits(borrowed, method=method, **options) == bits(copied, method=method, **options)
        assert is_in_place(borrowed, positions)
    assert positions.tobytes() == cluster[1].tobytes()


def test_samples_of_one_call_are_borrowed(cluster):
    symbols, positions = cluster
    assert is_in_place(atoms_of((symbols, positions)), positions)


def test_samples_of_ase_are_borrowed(cluster):
    symbols, positions = cluster
    ase = pytest.importorskip("ase")
    given = ase.Atoms(symbols, positions, cell=(20, 20, 20))
    assert is_in_place(atoms_of(given), given.positions)
    assert bits(given, boundary="open") == bits((symbols, positions))


@pytest.mark.parametrize("change", [
    lambda positions: positions.astype(numpy.float32), lambda positions: positions.tolist(), lambda positions: [*positions],
    lambda positions: numpy.asfortranarray(positions), lambda positions: numpy.repeat(positions, 2, axis=0)[::2],
    lambda positions: positions.astype(">f8"), lambda positions: positions[::-1]])
def test_converted_positions_are_copied_once(cluster, change):
    given = change(cluster[1])
    atoms = sonde.Atoms(cluster[0], given)
    assert is_in_place(atoms, atoms._borrowed)
    if isinstance(given, numpy.ndarray):
        assert not numpy.may_share_memory(atoms._borrowed, given)
    assert (atoms.positions == numpy.asarray(given, dtype=float)).all()


class Holder:
    """An object that gives its own array, as that of other libraries may."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_arrays_that_others_have_are_copied(cluster):
    positions = cluster[1].copy()
    for given in (positions, positions.view(numpy.recarray), positions.view(numpy.matrix), Holder(positions), memoryview(positions)):
        assert not is_in_place(sonde.Atoms(cluster[0], given), positions), type(given)
        assert is_in_place(sonde.Atoms(cluster[0], given, copy=False), positions), type(given)


def test_numbers_across_the_boundaries_of_words_are_copied(cluster):
    memory = numpy.zeros(cluster[1].nbytes + 1, numpy.uint8)
    positions = memory[1:].view(numpy.float64).reshape(60, 3)
    positions[...] = cluster[1]
    assert not positions.flags.aligned
    atoms = sonde.Atoms(cluster[0], positions, copy=False)
    assert not is_in_place(atoms, positions) and bits(atoms) == bits(cluster)


def test_the_array_lives_as_long_as_the_atoms(cluster):
    positions = cluster[1].copy()
    watched = weakref.ref(positions)
    atoms = sonde.Atoms(cluster[0], positions, copy=False)
    del positions
    gc.collect()
    view = atoms.positions
    del atoms
    gc.collect()
    assert watched() is not None and (view == cluster[1]).all()
    del view
    gc.collect()
    assert watched() is None


def test_wrong_positions_are_refused(cluster):
    positions = cluster[1].copy()
    positions[7, 1] = numpy.nan
    for given in ((cluster[0], positions), (cluster[0], positions.tolist())):
        with pytest.raises(sonde.InputError, match="^positions: atom 8: coordinate nan") as found:
            sonde.Atoms(*given, copy=False)
        assert found.value.argument == "positions"
    with pytest.raises(sonde.InputError, match="positions"):
        sonde.debye((cluster[0], positions), q=Q, device="cpu")
    assert len(sonde.Atoms([], numpy.zeros((0, 3)), copy=False)) == 0


def test_threads_share_an_array(cluster):
    expected, found = bits(cluster), []
    threads = [threading.Thread(target=lambda: found.extend(bits(cluster) for _ in range(5))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 15


MEMORY = """
import sys
import numpy, sonde
def peak():
    # that of getrusage() begins with the memory of the parent
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
def pattern(sample):
    return sonde.pattern(sample, wavelength=0.5, q=(1, 5, 2), phi=2, method="direct", device="cpu", threads=1)
generator = numpy.random.default_rng(1)
positions = numpy.empty((10**6, 3))
for block in positions.reshape(100, -1):
    block[:] = generator.uniform(0, 300, len(block))
pattern(("Co", positions[:1000].copy()))
sonde.Atoms("Co", positions[:1000])
before = peak()
kept = eval(sys.argv[1])
print(positions.nbytes, peak() - before)
"""


def growth(expression):
    """Of the memory, in units of the array of positions."""
    shown = subprocess.run([sys.executable, "-c", MEMORY, expression], check=True, stdout=subprocess.PIPE, text=True).stdout
    size, more = map(int, shown.split())
    return more / size


def test_memory_holds_large_positions_once():
    # 24 bytes of an atom; numbers of species take 4 of them for a moment, and 2 afterward
    assert growth("sonde.Atoms('Co', positions, copy=False)") < 0.5
    assert growth("sonde.plan('debye', ('Co', positions), device='cpu')") < 0.6
    assert 0.7 < growth("sonde.Atoms('Co', positions)") < 1.5
    assert 0.7 < growth("sonde.Atoms('Co', positions[::-1])") < 1.5
    assert growth("pattern(sonde.Atoms('Co', positions))") - growth("pattern(('Co', positions))") > 0.7


def test_nothing_is_kept_after_a_call():
    """Neither by the thread that makes the calls of the main thread: the owner of the memory may free it."""
    memory = bytearray(numpy.random.default_rng(1).uniform(0, 30, (2000, 3)).tobytes())
    places = numpy.frombuffer(memory).reshape(-1, 3)
    sonde.debye(("Au", places), q=(0.1, 10, 300), method="histogram", device="cpu")
    del places
    gc.collect()
    for _ in range(200):  # until the thread has taken its turn
        try:
            memory.clear()
            break
        except BufferError:
            time.sleep(0.01)
    assert not memory


def test_empty_atoms():
    atoms = sonde.Atoms([], numpy.zeros((0, 3)), copy=False)
    assert atoms.positions.shape == (0, 3) and atoms.symbols.shape == (0,)
    assert len(pickle.loads(pickle.dumps(atoms))) == 0
    assert len(atoms.with_positions(numpy.zeros((0, 3)))) == 0
