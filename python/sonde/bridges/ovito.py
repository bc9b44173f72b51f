"""Samples in OVITO's pipelines, and curves of what they show.

    from ovito.io import import_file
    from sonde.bridges import ovito

    pipeline = import_file("md.dump")
    pipeline.modifiers.append(ovito.debye(q=(0.5, 15, 300), radiation="neutron"))
    pipeline.compute(10).tables["debye"].xy()                # q and S(q) of frame 10; OVITO draws it as a table
    sonde.pattern(ovito.atoms(pipeline.compute(10)), q=(0.5, 7, 200))
    ovito.data(sonde.build(cell="fcc", species="Au", a=4.078, sphere=20))          # a DataCollection
"""
import numpy

import sonde

from ..bridges import need


def atoms(data, *, cell=True):
    """The particles of a DataCollection as sonde.Atoms: types are labels, by their names, and the cell is its cell, if `cell`."""
    particles = data.particles
    if particles is None or particles.count == 0:
        raise ValueError("data: there are no particles")
    types = particles.particle_types
    if types is None:
        raise ValueError("data: its particles have no types")
    names = {kind.id: kind.name for kind in types.types}
    unnamed = sorted({int(number) for number in numpy.unique(types[...])} - {number for number, name in names.items() if name})
    if unnamed:
        raise ValueError(f"data: the particle type {unnamed[0]} has no name; name it by its element")
    known, numbers = numpy.unique(types[...], return_inverse=True)
    symbols = numpy.array([names[int(number)] for number in known])[numbers]
    positions = numpy.array(particles.positions[...], dtype=float)
    if not cell or data.cell is None:
        return sonde.Atoms(symbols, positions, copy=False)
    matrix = numpy.array(data.cell[...], dtype=float)
    edges = matrix[:, :3].T
    if abs(numpy.linalg.det(edges)) < 1e-9:  # of two dimensions, or none
        return sonde.Atoms(symbols, positions, copy=False)
    return sonde.Atoms(symbols, positions - matrix[:, 3], cell=edges, pbc=tuple(bool(flag) for flag in data.cell.pbc), copy=False)


def data(given):
    """Atoms, or defects of sonde.bridges.lammps.defects(), as a DataCollection. Defects have the property "Defect", 1 for vacancies,
    2 for interstitials, and 3 for implanted ions, and "Ion", the number of the history."""
    made = need("ovito.data", "ovito").DataCollection()
    if isinstance(given, sonde.Atoms):
        symbols, positions = given.symbols, given.positions
    else:
        symbols, positions = given["symbol"].values, given["position"].values
    particles = made.create_particles(count=len(positions))
    particles.create_property("Position", data=positions)
    known, numbers = numpy.unique(numpy.asarray(symbols, dtype=str), return_inverse=True)
    types = particles.create_property("Particle Type")
    identifiers = numpy.array([types.add_type_name(str(name), particles).id for name in known], dtype=int)
    types[...] = identifiers[numbers]
    if not isinstance(given, sonde.Atoms):
        from .lammps import KINDS

        particles.create_property("Defect", data=numpy.array([KINDS.index(kind) + 1 for kind in given["kind"].values], dtype=int))
        particles.create_property("Ion", data=given["ion"].values.astype(int))
    elif given.cell is not None:
        made.create_cell(numpy.column_stack([given.cell.T, numpy.zeros(3)]), pbc=given.pbc)
    return made


def debye(quantity="S", *, cell=True, **options):
    """A modifier for pipelines: a curve of the particles, "S", "F", "I_per_atom", or "G", as the table "debye". Options are those of
    sonde.debye."""
    tables = need("ovito.data", "ovito").DataTable

    def modify(frame, data):
        result = sonde.debye(atoms(data, cell=cell), **options)
        values = result[quantity]
        axis = result[values.dims[0]]
        table = data.tables.create(identifier="debye", plot_mode=tables.PlotMode.Line, title=values.attrs.get("long_name", quantity))
        table.x = table.create_property(axis.name, data=numpy.array(axis.values))
        table.y = table.create_property(quantity, data=numpy.array(values.values))

    return modify
