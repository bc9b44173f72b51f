"""Scattering curves of a trajectory as an analysis of MDAnalysis: means over frames, with their standard errors.

    from sonde.bridges.mdanalysis import Debye

    analysis = Debye(universe.atoms, q=(0.5, 20, 400), radiation="neutron").run(step=10)
    analysis.results.S, analysis.results.S_standard_error
    analysis.results.dataset.to_netcdf("mean.nc")
"""
import numpy
import xarray

import sonde

from ..bridges import need

AnalysisBase = need("MDAnalysis.analysis.base", "MDAnalysis").AnalysisBase
CURVES = ("I_per_atom", "S", "F", "G", "I_ab", "S_ab")


class Debye(AnalysisBase):
    """Means of I_per_atom, S, F, G, I_ab, and S_ab over the frames, each with NAME_standard_error, which takes the frames as
    independent of each other; with one frame it is NaN. Options are those of sonde.debye.

    The grids of a run must not depend on its frame: with a changing cell, give `q` and `r`."""

    def __init__(self, atomgroup, *, verbose=False, **options):
        super().__init__(atomgroup.universe.trajectory, verbose=verbose)
        self.group, self.options = atomgroup, options

    def _prepare(self):
        self._count, self._means, self._squares, self._first = 0, {}, {}, None

    def _single_frame(self):
        result = sonde.debye(self.group, **self.options)
        self._count += 1
        if self._first is None:
            self._first = result
        for name in CURVES:
            if name not in result.variables:
                continue
            values = result[name].values
            if self._count == 1:
                self._means[name], self._squares[name] = values.copy(), numpy.zeros_like(values)
                continue
            if values.shape != self._means[name].shape:
                raise ValueError(f"{name}: frame {self._count} has {values.shape} values and the first {self._means[name].shape}: give q and r")
            # B. P. Welford, Technometrics 4 (1962) 419
            before = values - self._means[name]
            self._means[name] += before / self._count
            self._squares[name] += before * (values - self._means[name])

    def _conclude(self):
        if self._first is None:
            raise ValueError("frames: there are none")
        variables, first, count = {}, self._first, self._count
        for name, mean in self._means.items():
            error = name + "_standard_error"
            meaning = {key: first[name].attrs[key] for key in ("units", "long_name") if key in first[name].attrs}
            spread = numpy.sqrt(self._squares[name] / (count * (count - 1))) if count > 1 else numpy.full_like(mean, numpy.nan)
            variables[name] = first[name].dims, mean, {**meaning, "error": error}
            variables[error] = first[name].dims, spread, {**meaning, "long_name": f"standard error of {meaning.get('long_name', name)}"}
        used = {axis for dims, _, _ in variables.values() for axis in dims}
        axes = {name: first.variables[name] for name in first.coords if name in used}
        about = {name: first.attrs[name] for name in ("program", "version", "definitions", "options") if name in first.attrs}
        self.results.dataset = xarray.Dataset(variables, axes, {**about, "frames": count})
        for name in self.results.dataset.variables:
            self.results[name] = self.results.dataset[name].values
