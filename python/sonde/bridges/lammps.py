"""Cascades of sonde.ions as defects for LAMMPS and OVITO: where atoms are missing, and where they came to rest.

    from sonde.bridges import lammps

    result = sonde.ions(ion="Fe", energy="5keV", target="Fe", number=20, trajectories=20)
    found = lammps.defects(result)                          # a dataset: kind, symbol, position, ion
    lammps.write(found, "cascades.dump")                    # OVITO and LAMMPS's read_dump open it
    damaged = lammps.insert(crystal, found.where(found.ion == 0, drop=True))
    damaged.write("damaged.lmp")                            # a data file, in which molecular dynamics anneals the damage
    sonde.debye(damaged)

Structures come from files of LAMMPS by sonde.Atoms.read("md.lammpstrj", frame=1), and trajectories are samples by their names:
sonde.debye("md.lammpstrj", frames="all"). LAMMPS itself need not be installed.
"""
import os

import numpy
import xarray

import sonde

KINDS = ("vacancy", "interstitial", "implanted")
_NEAR = 1e-4  # Angstrom: an atom that leaves is listed this near to the end of its path


def _paths(result):
    """Of each path: ion, whether it is that of the ion, kind of atom, and the first and the last vertex."""
    lists = result.group("trajectories") if result.attrs.get("engine") == "ions" else {}
    if "ion" not in lists:
        raise ValueError("result: it has no trajectories; run sonde.ions(..., trajectories=N) with N above 0")
    ion, atom = lists["ion"], lists["atom"]
    first = numpy.flatnonzero(numpy.r_[True, (ion[1:] != ion[:-1]) | (atom[1:] != atom[:-1])])
    return lists, first, numpy.r_[first[1:], len(ion)] - 1


def _check(result, kinds):
    options = result.options
    if options.get("cascades") == "quick":
        raise ValueError("result: cascades='quick' follows no recoils, of which defects consist")
    if kinds["atomic_number"][0] <= 0:
        raise ValueError("result: its ions are of several species")
    if options.get("surface") == "planar" and numpy.any(kinds["lattice"][1:] > 0):
        raise ValueError("result: with surface='planar' and lattice energies above 0, atoms that return to their sites cannot be told from "
                         "displaced ones")


def _left(result, lists, last):
    """Of each path, whether its atom left the target: it is in the list of exits."""
    exits, left = result.group("exits"), numpy.zeros(len(last), dtype=bool)
    count = int(exits.get("count", 0))
    if int(exits.get("left_out", 0)) > 0:
        raise ValueError("result: not all atoms that left are listed; run it with a larger `exits`")
    paths = {}
    for number, vertex in enumerate(last):
        paths.setdefault((int(lists["ion"][vertex]), int(lists["kind"][vertex])), []).append(number)
    places = numpy.reshape(exits["position"], (-1, 3)) if count > 0 else ()
    for ion, kind, place in zip(exits.get("ion", ()), exits.get("kind", ()), places):
        numbers = numpy.array(paths.get((int(ion), int(kind)), []), dtype=int)
        numbers = numbers[~left[numbers]]
        if len(numbers) > 0:  # else of a history without trajectories
            distances = numpy.linalg.norm(lists["position"][last[numbers]] - place, axis=1)
            if distances.min() < _NEAR:
                left[numbers[distances.argmin()]] = True
    return left


def _replaced(lists, kinds, first, last, displaced):
    """Of each path, whether its atom took the site of one that it displaced; and whether its own site was taken in this way."""
    element = kinds["atomic_number"][lists["kind"]]
    sites = {}
    for number in numpy.flatnonzero(displaced):
        vertex = first[number]
        sites.setdefault((int(lists["ion"][vertex]), int(element[vertex]), lists["position"][vertex].tobytes()), []).append(number)
    took, taken = numpy.zeros(len(first), dtype=bool), numpy.zeros(len(first), dtype=bool)
    for number, vertex in enumerate(last):
        for other in sites.get((int(lists["ion"][vertex]), int(element[vertex]), lists["position"][vertex].tobytes()), ()):
            if other != number and not taken[other]:
                took[number] = taken[other] = True
                break
    return took, taken


def _symbol(label):
    """"Si in layer 1" and "ion Si" are silicon."""
    words = str(label).split()
    return words[1] if words[0] == "ion" and len(words) > 1 else words[0]


def defects(result):
    """The defects of the histories whose trajectories were stored, as a dataset with the dimension `defect`: `kind` (vacancy,
    interstitial, or implanted, where an ion rests), `symbol`, `position` in Angstrom, and `ion`, the number of the history from 0.

    A displaced atom leaves a vacancy, unless the atom that hit it is of its element and too slow to leave: then that one takes the
    site. Displaced atoms that end elsewhere in the target are interstitials. Nothing recombines: see `insert`, and molecular dynamics.
    `result` is a result of sonde.ions or the name of its file."""
    if isinstance(result, (str, os.PathLike)):
        result = sonde.read(result)
    lists, first, last = _paths(result)
    kinds = result.group("kinds")
    _check(result, kinds)
    kind = lists["kind"][first]
    of_ion = lists["atom"][first] == 0
    # an atom with less than this started as one that returns to its site
    enough = kinds["displacement"][kind] - kinds["lattice"][kind]
    displaced = ~of_ion & (lists["energy"][first] >= enough - 1e-6)
    took, taken = _replaced(lists, kinds, first, last, displaced)
    left = _left(result, lists, last)
    found = [("vacancy", first, displaced & ~taken), ("interstitial", last, displaced & ~took & ~left), ("implanted", last, of_ion & ~left)]
    symbols = numpy.array([_symbol(label) for label in kinds["label"]])
    return _dataset([(name, symbols[kind[which]], lists["position"][vertices[which]], lists["ion"][first[which]]) for name, vertices, which in found],
                    {"ions": len(numpy.unique(lists["ion"])), "target": result.attrs.get("target", ""), "version": result.attrs.get("version", "")})


def _dataset(parts, about):
    kind = numpy.concatenate([numpy.full(len(part[1]), part[0]) for part in parts])
    symbol, position, ion = (numpy.concatenate([part[number] for part in parts]) for number in (1, 2, 3))
    order = numpy.argsort(ion, kind="stable")
    return xarray.Dataset({
        "kind": ("defect", kind[order], {"long_name": "kind of defect"}),
        "symbol": ("defect", symbol[order], {"long_name": "element"}),
        "position": (("defect", "component"), position[order], {"units": "angstrom", "long_name": "position"}),
        "ion": ("defect", ion[order].astype(numpy.int64), {"long_name": "history, from 0"})}, {"component": ["x", "y", "z"]}, about)


def write(found, path, *, box=None, frames=False, overwrite=False):
    """Writes defects as a dump of LAMMPS with the columns id, type (1 vacancy, 2 interstitial, 3 implanted), element, x, y, z, ion.

    `box` are the ends (low, high) along x, y, z in Angstrom, by default those of the defects; with `frames`, each history is a frame."""
    positions = found["position"].values
    if len(positions) == 0:
        raise ValueError("found: there are no defects")
    ends = numpy.array([positions.min(axis=0), positions.max(axis=0)]).T if box is None else numpy.asarray(box, dtype=float).reshape(3, 2)
    kind, symbol, ion = found["kind"].values, found["symbol"].values, found["ion"].values.astype(int)
    with open(os.fspath(path), "w" if overwrite else "x", encoding="utf-8") as file:
        for step in range(ion.max() + 1) if frames else [0]:
            chosen = numpy.flatnonzero(ion == step) if frames else numpy.arange(len(ion))
            file.write(f"ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{len(chosen)}\nITEM: BOX BOUNDS ff ff ff\n")
            file.writelines(f"{low!r} {high!r}\n" for low, high in ends.tolist())
            file.write("ITEM: ATOMS id type element x y z ion\n")
            for number, at in enumerate(chosen, 1):
                x, y, z = positions[at].tolist()
                file.write(f"{number} {KINDS.index(kind[at]) + 1} {symbol[at]} {x!r} {y!r} {z!r} {ion[at]}\n")


def insert(atoms, found, origin=(0, 0, 0)):
    """The atoms with these defects: for each vacancy the nearest atom of its element, which is still there, is removed, and
    interstitials and implanted ions are added. `origin` is the place in `atoms` of the point of the surface, x = 0, that the beam hits.

    Defects outside of `atoms` are left out: a vacancy farther than 5 Angstrom from any atom of its element, and an atom farther than
    that from all. An interstitial nearer than 1 Angstrom to an atom is added all the same; molecular dynamics begins with a minimization."""
    places, symbols = numpy.array(atoms.positions), numpy.array(atoms.symbols)
    kept = numpy.ones(len(places), dtype=bool)
    kinds, elements, positions = found["kind"].values, found["symbol"].values, found["position"].values + numpy.asarray(origin, dtype=float)
    added = []
    for kind, element, position in zip(kinds, elements, positions):
        squares = ((places - position) ** 2).sum(axis=1)
        if kind == "vacancy":
            squares[~kept | (symbols != element)] = numpy.inf
        nearest = int(squares.argmin())
        if squares[nearest] > 25:
            continue
        if kind == "vacancy":
            kept[nearest] = False
        else:
            added.append((element, position))
    if not kept.any() and not added:
        raise ValueError("found: no atom is left")
    more = numpy.array([position for _, position in added]).reshape(-1, 3)
    return sonde.Atoms([*symbols[kept], *(element for element, _ in added)], numpy.concatenate([places[kept], more]), cell=atoms.cell,
                       pbc=atoms.pbc if atoms.cell is not None else None, copy=False)
