"""Scattering curves of ase.Atoms, in the manner of a calculator.

    from sonde.bridges.ase import Debye

    curve = Debye(atoms, q=(0.5, 20, 400), radiation="neutron")
    curve.S                                  # computed when it is read
    atoms.rattle(0.05)
    curve.S                                  # of the new positions
"""
import numpy

import sonde

from ..bridges import need

need("ase")


class Debye:
    """Curves of the present positions of `atoms`; options are those of sonde.debye.

    `result` is the sonde.Result; its variables (S, F, G, I_per_atom ...) and axes (q, r) are attributes, as arrays. They are
    computed when they are read, and again only after the atoms changed."""

    def __init__(self, atoms=None, **options):
        self.atoms, self.options = atoms, options
        self._state = self._result = None

    @staticmethod
    def _state_of(atoms):
        return {**atoms.arrays, "cell": atoms.cell.array, "pbc": atoms.pbc}

    def calculation_required(self, atoms=None):
        """Whether the atoms changed since the last computation."""
        now = self._state_of(self.atoms if atoms is None else atoms)
        return self._state is None or now.keys() != self._state.keys() or \
            any(not numpy.array_equal(value, self._state[name]) for name, value in now.items())

    def calculate(self, atoms=None):
        """The sonde.Result of these atoms, or of those that were given before."""
        if atoms is not None:
            self.atoms = atoms
        if self.atoms is None:
            raise ValueError("atoms: none were given")
        if self.calculation_required():
            self._result = sonde.debye(self.atoms, **self.options)
            self._state = {name: numpy.array(value) for name, value in self._state_of(self.atoms).items()}
        return self._result

    @property
    def result(self):
        return self.calculate()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        result = self.calculate()
        if name not in result.variables:
            raise AttributeError(f"the result has no {name!r}; it has {', '.join(map(str, result.variables))}")
        return result[name].values
