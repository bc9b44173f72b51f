"""Atoms of other packages as atoms of the library."""
import os
import typing

from . import _errors
from ._library import check, ffi, lib, message, text
from ._values import is_masked, whole

if typing.TYPE_CHECKING:
    import numpy


def _release(pointer, free=lib.sonde_atoms_free, new=ffi.new):
    free(new("sonde_atoms **", pointer))


def as_array(values, name, dtype=None):
    """An array of NumPy: in place where that is possible; arrays on a GPU are copied to the host."""
    return _converted(values, name, dtype)[0]


def _converted(values, name, dtype=None):
    """The same, and whether the array is a new one, which nobody else has and can change."""
    import numpy

    dtype = numpy.dtype(dtype or numpy.float64)
    if not isinstance(values, numpy.ndarray):
        values = _on_host(values, name)
    if is_masked(values):
        raise _errors.InputError(f"{name}: some values of the array are masked", name)
    try:
        found = numpy.asarray(values)
        kind = found.dtype.kind
        if kind in "cmM":
            raise TypeError("complex numbers" if kind == "c" else "times")
        array = numpy.ascontiguousarray(found, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise _errors.InputError(f"{name}: not an array of numbers: {error}", name) from None
    if not array.flags.aligned:
        array = array.copy()
    # an array that an object gives may be the object's own
    return array, type(values) in (list, tuple) or (array is not found and not numpy.may_share_memory(array, found))


def _on_host(values, name):
    """What NumPy can read: arrays of NVIDIA GPUs are copied by the library, those of other devices by their owners."""
    import numpy

    values = _without_graph(values)
    device = getattr(values, "__dlpack_device__", None)
    if device is None:
        return values.get() if hasattr(values, "__cuda_array_interface__") and hasattr(values, "get") else values  # PyCUDA
    from . import _cuda

    if _cuda.is_given(values):
        return _cuda.Given(values, name).to_host()
    if hasattr(values, "cpu"):
        return values.cpu().numpy()
    if int(device()[0]) in (_cuda.CPU, _cuda.CUDA_HOST):
        return numpy.from_dlpack(values)
    return values.get() if hasattr(values, "get") else numpy.asarray(values)


def _without_graph(values):
    """Tensors of PyTorch may belong to a graph of derivatives."""
    return values.detach() if hasattr(values, "detach") else values


def _positions_of(values):
    """An array of NumPy, and whether it is a new one; or one of a GPU that the library can take as it is, which it copies there."""
    import numpy

    if not isinstance(values, (numpy.ndarray, list, tuple)):
        from . import _cuda

        values = _without_graph(values)
        if _cuda.is_given(values):
            given = _cuda.Given(values, "positions")
            return (given, False) if given.has_positions() else (as_array(given.to_host(), "positions"), True)
    return _converted(values, "positions")


class Atoms:
    """Atoms with positions in Angstrom, and what is known of them.

    Parameters
    ----------
    symbols : sequence of str, or one str for all
        Elements, ions ("Co2+"), or isotopes ("58Ni", "D").
    positions : array of shape (n, 3)
        NumPy, or any array with DLPack.
    cell : array of shape (3, 3), or 3 numbers
        Rows a, b, c.
    pbc : bool or 3 bool
        Whether the sample is periodic along a, b, c.
    charges : array of shape (n,) or (sets, n), in e
    occupancies : array of shape (n,)
    displacements : array of shape (n,) or (n, 6)
        Mean square displacements U_iso, or xx, yy, zz, yz, xz, xy, in Angstrom^2; NaN: not known. Engines use them with
        displacement="sample".
    copy : bool
        False: a C-contiguous array of float64 is used in place. It must not be changed as long as there are these atoms,
        which keep it alive. Positions of other kinds are converted, and arrays on a GPU copied, in any case.
    """

    def __init__(self, symbols, positions, *, cell=None, pbc=None, charges=None, occupancies=None, displacements=None,
                 source=None, copy=True):
        import numpy

        places, is_new = _positions_of(positions)
        if places.ndim != 2 or places.shape[1] != 3:
            raise _errors.InputError(f"positions: the shape is {places.shape}, not (n, 3)", "positions")
        count = len(places)
        if isinstance(symbols, str):
            labels, species = [symbols], numpy.zeros(count, numpy.int32)
        else:
            labels, species = _species(symbols)
        if len(species) != count:
            raise _errors.InputError(f"symbols: {len(species)} of them for {count} positions", "symbols")
        self._make(labels, species, places, copy=copy and not is_new)
        if cell is not None:
            self._set_cell(cell, pbc)
        elif pbc is not None and numpy.any(pbc):
            raise _errors.InputError("pbc: a periodic sample needs a cell", "pbc")
        if charges is not None:
            self._set_charges(charges)
        if occupancies is not None:
            self._set_occupancies(occupancies)
        if displacements is not None:
            each = 6 if numpy.ndim(displacements) > 1 else 1
            if numpy.ndim(displacements) > 2:
                raise _errors.InputError(f"displacements: the shape is {numpy.shape(displacements)}, not ({count},) or ({count}, 6): tensors "
                                         "are xx, yy, zz, yz, xz, xy", "displacements")
            values = self._each(displacements, "displacements", (count,) if each == 1 else (count, 6))
            with _errors.about("displacements"):
                check(lib.sonde_atoms_set_displacements(self.pointer, values, each))
        if source is not None:
            check(lib.sonde_atoms_set_source(self.pointer, source.encode()))

    def _make(self, labels, species, places, copy):
        made = ffi.new("sonde_atoms **")
        check(lib.sonde_atoms_create(made))
        self.pointer = ffi.gc(made[0], _release, len(places) * 26)
        names = [ffi.new("char[]", _label(label)) for label in labels]
        given = self.pointer, len(places), ffi.new("char *[]", names), len(names), ffi.from_buffer("int32_t *", species)
        try:
            if hasattr(places, "address"):
                check(lib.sonde_atoms_add_from_cuda_array(*given, places.device, places.address, 8 * places.kind.itemsize, *places.steps))
            elif copy:
                check(lib.sonde_atoms_add_many(*given, ffi.from_buffer("double *", places)))
            else:
                self._borrowed = places  # by the library, until it frees the atoms
                check(lib.sonde_atoms_add_borrowed(*given, ffi.from_buffer("double *", places)))
        except _errors.InputError as error:
            if error.argument is not None:
                raise
            argument = "symbols" if "atom label" in str(error) else "positions"
            raise _errors.InputError(f"{argument}: {error}", argument) from None

    @classmethod
    def _from_pointer(cls, pointer):
        atoms = cls.__new__(cls)
        atoms.pointer = ffi.gc(pointer, _release)
        return atoms

    @classmethod
    def read(cls, path, frame=0):
        """The atoms of a file: .xyz, .extxyz, .pdb, .pqr, .cif, .vasp, data files and dumps of LAMMPS (.lmp, .data, .dump, .lammpstrj), each
        also .gz, or .h5. `frame` counts from 1; 0 requires that the file has a single one."""
        name = os.fspath(path)
        if not os.path.exists(name):
            raise FileNotFoundError(2, "No such file or directory", name)
        made = ffi.new("sonde_atoms **")
        with _errors.about("path"):
            check(lib.sonde_atoms_read(ffi.NULL, os.fsencode(name), whole("frame", frame), made))
        return cls._from_pointer(made[0])

    def _each(self, values, name, shape):
        array = as_array(values, name)
        if array.shape != shape:
            raise _errors.InputError(f"{name}: the shape is {array.shape}, not {shape}", name)
        self._kept = array  # for as long as the call takes
        return ffi.from_buffer("double *", array)

    def _set_cell(self, cell, pbc):
        import numpy

        edges = as_array(cell, "cell")
        if edges.shape == (3,):
            edges = numpy.diag(edges)
        if edges.shape != (3, 3):
            raise _errors.InputError(f"cell: the shape is {edges.shape}, not (3, 3)", "cell")
        given = numpy.asarray(True if pbc is None else pbc)
        if given.shape not in ((), (1,), (3,)) or given.dtype.kind not in "biuf" or not numpy.isin(given, (0, 1)).all():
            raise _errors.InputError(f"pbc: {pbc!r} is not one bool or three", "pbc")
        flags = [int(flag) for flag in numpy.broadcast_to(given, 3)]
        edges = numpy.ascontiguousarray(edges)
        with _errors.about("cell"):
            check(lib.sonde_atoms_set_cell(self.pointer, ffi.from_buffer("double *", edges), flags))

    def _set_charges(self, charges):
        array = as_array(charges, "charges")
        sets = array[None] if array.ndim == 1 else array
        if sets.ndim != 2 or sets.shape[1] != len(self):
            raise _errors.InputError(f"charges: the shape is {array.shape}, not ({len(self)},) or (sets, {len(self)})", "charges")
        for place, values in enumerate(sets):
            function = lib.sonde_atoms_add_charges if place else lib.sonde_atoms_set_charges
            with _errors.about("charges"):
                check(function(self.pointer, ffi.from_buffer("double *", values)))

    def _set_occupancies(self, occupancies):
        values = self._each(occupancies, "occupancies", (len(self),))
        with _errors.about("occupancies"):
            check(lib.sonde_atoms_set_occupancies(self.pointer, values))

    def __len__(self) -> int:
        return lib.sonde_atoms_count(self.pointer)

    @property
    def positions(self) -> "numpy.ndarray":
        """An array of shape (n, 3) in Angstrom, in place and read-only; positions on a GPU are copied to the host."""
        pointer = lib.sonde_atoms_positions(self.pointer)
        if pointer == ffi.NULL and len(self):
            # impossible coordinates, or the GPU has failed
            raise _errors.error_of(_errors.INVALID if message().startswith("positions: ") else _errors.RESOURCE, message())
        return _view(self, pointer, (len(self), 3), "<f8") if len(self) else _empty((0, 3))

    @property
    def on_gpu(self) -> bool:
        """Whether the positions are in the memory of a GPU alone so far."""
        return bool(lib.sonde_atoms_on_gpu(self.pointer))

    @property
    def species(self) -> "list[str]":
        """The different labels."""
        count = lib.sonde_atoms_species_count(self.pointer)
        return [text(lib.sonde_atoms_species_label(self.pointer, place)) for place in range(count)]

    @property
    def symbols(self) -> "numpy.ndarray":
        """The label of each atom, as an array."""
        import numpy

        index = _view(self, lib.sonde_atoms_species(self.pointer), (len(self),), "<u2") if len(self) else _empty(0, int)
        return numpy.array(self.species, dtype=str)[index]

    @property
    def charges(self) -> "numpy.ndarray | None":
        """Charges in e, of shape (n,) or (sets, n); None if there are none."""
        sets = lib.sonde_atoms_charge_sets(self.pointer)
        if sets == 0:
            return None
        shape = (len(self),) if sets == 1 else (sets, len(self))
        return _view(self, lib.sonde_atoms_charges(self.pointer), shape, "<f8")

    @property
    def occupancies(self) -> "numpy.ndarray | None":
        """Occupancies of all atoms; None if all are 1."""
        return _view(self, lib.sonde_atoms_occupancies(self.pointer), (len(self),), "<f8")

    @property
    def cell(self) -> "numpy.ndarray | None":
        """Rows a, b, c in Angstrom; None if there is no cell."""
        return _view(self, lib.sonde_atoms_cell(self.pointer), (3, 3), "<f8")

    @property
    def pbc(self) -> "tuple[bool, ...]":
        """Whether the sample is periodic along a, b, c."""
        return tuple(lib.sonde_atoms_periodic(self.pointer, edge) > 0 for edge in range(3))

    def with_positions(self, positions, *, copy=True):
        """The same labels, cell, charges, occupancies, and displacements at other positions: another frame of a trajectory. `copy` as for
        sonde.Atoms."""
        import numpy

        places, is_new = _positions_of(positions)
        if places.shape != (len(self), 3):
            raise _errors.InputError(f"positions: the shape is {places.shape}, not ({len(self)}, 3)", "positions")
        made = Atoms.__new__(Atoms)
        index = _view(self, lib.sonde_atoms_species(self.pointer), (len(self),), "<u2") if len(self) else _empty(0)
        made._make(self.species, numpy.ascontiguousarray(index, dtype=numpy.int32), places, copy=copy and not is_new)
        if self.cell is not None:
            made._set_cell(self.cell, self.pbc)
        if self.charges is not None:
            made._set_charges(self.charges)
        if self.occupancies is not None:
            made._set_occupancies(self.occupancies)
        displacements = self._displacements()
        if displacements is not None:
            each = 1 if displacements.ndim == 1 else displacements.shape[1]
            check(lib.sonde_atoms_set_displacements(made.pointer, made._each(displacements, "displacements", displacements.shape), each))
        return made

    def write(self, path, *, overwrite=False):
        """Writes a file: .xyz, .extxyz, .pdb, .cif, .lmp, .vasp, each also .gz, or .h5. Charges are only in .h5."""
        with _errors.about("path", os.fsdecode(path)):
            check(lib.sonde_atoms_write(ffi.NULL, self.pointer, os.fsencode(path), overwrite))

    def to_ase(self):
        """An Atoms of ASE, whose elements are those of the labels, with charges (of one set) and occupancies."""
        import re

        from ase import Atoms as AseAtoms

        elements = [re.sub(r"^[0-9]*([A-Z][a-z]?).*$", r"\1", label) for label in self.species]
        elements = ["H" if element in "DT" else element for element in elements]
        index = _view(self, lib.sonde_atoms_species(self.pointer), (len(self),), "<u2")
        charges = self.charges
        made = AseAtoms([elements[place] for place in index], positions=self.positions, cell=self.cell, pbc=self.pbc,
                        charges=charges if charges is not None and charges.ndim == 1 else None)
        if self.occupancies is not None:
            made.set_array("occupancies", self.occupancies)
        return made

    def __repr__(self):
        counts = (f"{text(lib.sonde_atoms_species_label(self.pointer, place))}: "
                  f"{lib.sonde_atoms_species_atoms(self.pointer, place)}" for place in range(len(self.species)))
        return f"<sonde.Atoms: {len(self)} atoms, {', '.join(counts)}>"

    def __reduce__(self):
        import numpy

        cell = self.cell
        displacements = self._displacements()
        keep = {"cell": None if cell is None else numpy.array(cell), "pbc": self.pbc if cell is not None else None,
                "charges": None if self.charges is None else numpy.array(self.charges),
                "occupancies": None if self.occupancies is None else numpy.array(self.occupancies),
                "displacements": None if displacements is None else numpy.array(displacements)}
        return _rebuild, (list(self.symbols), numpy.array(self.positions), keep)

    def _displacements(self):
        each = ffi.new("int *")
        pointer = lib.sonde_atoms_displacements(self.pointer, each)
        return _view(self, pointer, (len(self),) if each[0] == 1 else (len(self), each[0]), "<f8")


def _rebuild(symbols, positions, keep):
    return Atoms(symbols, positions, **keep)


class Memory:
    """Memory of the library as an array: keeps its owner alive."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner, address, shape, kind):
        self.owner = owner
        self.__array_interface__ = {"shape": shape, "typestr": kind, "data": (address, True), "version": 3}


def _view(owner, pointer, shape, kind):
    import numpy

    if pointer == ffi.NULL:
        return None
    return numpy.asarray(Memory(owner, int(ffi.cast("uintptr_t", pointer)), shape, kind))


def _empty(shape, kind=float):
    import numpy

    return numpy.zeros(shape, kind)


# The last list of symbols, with what was made of it: in a loop over frames it is the same.
_last = None, None, None
_MOST_KEPT = 100000


def _species(symbols):
    """The different labels, and for each atom the number of its label, from 0."""
    import numpy

    global _last
    if isinstance(symbols, numpy.ndarray):
        return _species_of_array(symbols)
    if not hasattr(symbols, "__len__"):
        try:
            symbols = list(symbols)
        except TypeError:
            raise _errors.InputError(f"symbols: {symbols!r} is not a sequence of labels, nor one label for all atoms", "symbols") from None
    known, labels, index = _last
    if known is not None and type(symbols) is type(known) and symbols == known:
        return labels, index
    _check_labels(symbols)
    numbers = {symbol: number for number, symbol in enumerate(dict.fromkeys(symbols))}
    labels, index = list(map(_text_of, numbers)), numpy.fromiter(map(numbers.__getitem__, symbols), numpy.int32, len(symbols))
    if type(symbols) in (list, tuple) and len(symbols) <= _MOST_KEPT and all(type(symbol) is str for symbol in numbers):
        _last = symbols[:], labels, index
    return labels, index


def _text_of(symbol):
    """Members of enumerations that are texts have a text of their own."""
    return str.__str__(symbol) if isinstance(symbol, str) else str(symbol)


def _label(text):
    """A label for the library, where a text ends at its first byte of 0."""
    if "\0" in text:
        raise _errors.InputError(f"symbols: {text!r} is not a valid atom label", "symbols")
    return text.encode("utf-8", "surrogateescape")


def _check_labels(symbols):
    """Lists and arrays among the labels are errors; looking at each type once is quick."""
    kinds = set(map(type, symbols))
    if any(kind in (list, tuple, dict) or hasattr(kind, "ndim") for kind in kinds):
        for symbol in symbols:
            if isinstance(symbol, (list, tuple, dict)) or getattr(symbol, "ndim", 0) > 0:
                raise _errors.InputError(f"symbols: {symbol!r} is not the label of an atom", "symbols")


def _species_of_array(symbols):
    import numpy

    if symbols.dtype.kind == "U" and symbols.ndim == 1 and 0 < symbols.itemsize <= 8:
        # a number for each text of two characters: hashes of numbers are quicker than sorting texts
        import pandas

        padded = numpy.ascontiguousarray(symbols, dtype="<U2")
        index, numbers = pandas.factorize(padded.view("<u8"))
        return [str(label) for label in numbers.view("<U2")], index.astype(numpy.int32)
    if symbols.dtype.kind in "US":
        found, index = numpy.unique(symbols.astype(str), return_inverse=True)
        return [str(label) for label in found], index.astype(numpy.int32).reshape(-1)
    return _species(list(symbols))


# Other packages, known by the names of their classes, so that none is imported here -----------------------------
# Their atoms are those of one call, which borrows the positions.


def _is(value, module, *names):
    return any(kind.__module__.partition(".")[0] == module and kind.__name__ in names for kind in type(value).__mro__)


def _from_ase(atoms):
    import numpy

    from ase.data import chemical_symbols

    numbers = numpy.flatnonzero(numpy.bincount(atoms.numbers))
    place_of = numpy.zeros(len(chemical_symbols), numpy.int32)
    place_of[numbers] = numpy.arange(len(numbers))

    source = "ase.Atoms " + atoms.get_chemical_formula()
    shared = _shared_sites_of_ase(atoms)
    if shared is not None:
        which, symbols, occupancies = shared
        charges = atoms.arrays.get("initial_charges")
        return Atoms(symbols, atoms.positions[which], occupancies=occupancies, source=source, copy=False, **_cell_of_ase(atoms),
                     charges=charges if charges is None else charges[which])
    made = Atoms.__new__(Atoms)
    places = as_array(atoms.positions, "positions")
    made._make([chemical_symbols[number] for number in numbers], place_of[atoms.numbers], places, copy=False)
    cell = _cell_of_ase(atoms)
    if cell:
        made._set_cell(**cell)
    charges = atoms.arrays.get("initial_charges")
    if charges is not None:
        made._set_charges(charges)
    occupancies = atoms.arrays.get("occupancies")
    if occupancies is not None:
        made._set_occupancies(occupancies)
    check(lib.sonde_atoms_set_source(made.pointer, source.encode()))
    return made


def _cell_of_ase(atoms):
    """Edges along which the atoms are not periodic may be 0."""
    import numpy

    missing = ~atoms.cell.array.any(axis=1)
    if numpy.any(atoms.pbc & missing):
        raise _errors.InputError("pbc: a sample needs an edge of the cell along each direction in which it is periodic", "pbc")
    return {"cell": atoms.cell.complete().array, "pbc": atoms.pbc} if not missing.all() else {}


def _shared_sites_of_ase(atoms):
    """Sites with occupancies, as ase.io reads them from CIF files: for each atom the number of its site, its label, and its occupancy."""
    given, kinds = atoms.info.get("occupancy"), atoms.arrays.get("spacegroup_kinds")
    if not given or kinds is None:
        return None
    parts = {int(kind): dict(of) for kind, of in given.items()}
    found = [(number, symbol, part) for number, kind in enumerate(kinds)
             for symbol, part in parts.get(int(kind), {atoms.symbols[number]: 1.0}).items()]
    if all(part == 1 for _, _, part in found) and len(found) == len(atoms):
        return None
    which, symbols, occupancies = zip(*found)
    return list(which), list(symbols), list(occupancies)


def _from_pymatgen(structure):
    """Sites with several species become one atom for each, with its occupancy."""
    symbols, places, occupancies, charges, states = [], [], [], [], []
    for site in structure:
        for species, part in site.species.items():
            symbols.append(_label_of_pymatgen(species))
            places.append(site.coords)
            occupancies.append(part)
            states.append(getattr(species, "oxi_state", None))
        charges.append(site.properties.get("charge"))
    lattice = getattr(structure, "lattice", None)
    if len(charges) != len(symbols) or any(charge is None for charge in charges):
        charges = states
    full = all(charge is not None for charge in charges)
    return Atoms(symbols, places, cell=None if lattice is None else lattice.matrix,
                 pbc=None if lattice is None else getattr(lattice, "pbc", True), charges=charges if full else None,
                 occupancies=occupancies if any(part != 1 for part in occupancies) else None,
                 source="pymatgen " + structure.formula.replace(" ", ""))


def _label_of_pymatgen(species):
    """The element, which may be deuterium, and its charge, if that is a whole number."""
    element = getattr(species, "element", None) or species
    symbol, state = getattr(element, "value", None) or getattr(species, "symbol", str(species)), getattr(species, "oxi_state", None)
    if not state or state != int(state):
        return symbol
    return symbol + (str(abs(int(state))) if abs(state) != 1 else "") + ("+" if state > 0 else "-")


def _from_mdanalysis(given):
    """The present frame; a box is periodic along all three edges."""
    group = given.atoms
    try:
        symbols = [_element(symbol) for symbol in group.elements]
    except Exception:
        raise _errors.InputError("sample: this universe has no elements; add them by guess_TopologyAttrs(to_guess=['elements']) "
                                 "or add_TopologyAttr('elements', ...)", "sample") from None
    try:
        box = group.dimensions
    except AttributeError:
        raise _errors.InputError("sample: this universe has no trajectory, and therefore no positions", "sample") from None
    cell = None if box is None or not all(box[:3] > 0) else group.universe.trajectory.ts.triclinic_dimensions
    charges = getattr(group, "charges", None)
    return Atoms(symbols, group.positions, cell=cell, charges=charges, copy=False, source=f"MDAnalysis, frame {group.universe.trajectory.frame}")


def _element(symbol):
    return symbol if len(symbol) < 2 else symbol[0].upper() + symbol[1:].lower()


def atoms_of(sample):
    """The atoms of any of these, for one call, since their positions are borrowed; None if it is the name of a file."""
    if isinstance(sample, Atoms):
        return sample
    if isinstance(sample, (str, os.PathLike)):
        return None
    if _is(sample, "ase", "Atoms"):
        return _from_ase(sample)
    if _is(sample, "pymatgen", "SiteCollection", "IStructure", "IMolecule"):
        return _from_pymatgen(sample)
    if _is(sample, "MDAnalysis", "Universe", "AtomGroup", "GroupBase"):
        return _from_mdanalysis(sample)
    if isinstance(sample, (tuple, list)) and len(sample) == 2:
        return Atoms(sample[0], sample[1], copy=False)
    raise _errors.InputError(f"sample: {type(sample).__name__} is not a kind of sample: give (symbols, positions), a sonde.Atoms, an Atoms of "
                             "ASE, a Structure of pymatgen, a Universe or AtomGroup of MDAnalysis, or the name of a file", "sample")
