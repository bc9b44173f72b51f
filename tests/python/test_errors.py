"""Every variable of a result has its errors, and they are those that the numbers have: compared with more accurate numbers, or, statistical ones,
with the scatter of runs with other seeds."""
import math

import numpy
import pytest
from conftest import DEVICE

import sonde

fdtd = sonde.fdtd

# Variables that have no errors, and why.
EXACT = {
    "pattern": {"pixel_mask"},  # given
    "ions": {"origin", "cell_width", "edges", "fluence",  # definitions of bins, and an option
             "ions"},  # those that were followed
    "coulomb": {"origin", "steps", "points"},  # places where the potential is computed
    "stopping": set(), "fdtd": set(),
    "debye": {"mean_square_amplitude", "square_mean_amplitude", "laue",  # of the amplitudes, which are rounded numbers of tables
              "pairs_of_atoms", "pairs", "mean_distance", "R", "R_ab", "n", "n_ab", "g"}}  # counts, and distances of single bins
EXACT_ENDS = {"fdtd": ("_wavelength", "_permittivity")}  # of the given frequencies, and of the given bodies
ERRORS = ("_standard_error", "_errors", "_error", "-error", "_bound")

GENERATOR = numpy.random.default_rng(11)
POSITIONS = GENERATOR.uniform(0, 14, (60, 3))
# by direction, in numbers that are exact: others are rounded by the engine
DISPLACEMENTS = numpy.hstack([GENERATOR.integers(10, 40, (60, 3)), numpy.full((60, 3), 4)]) / 1024
OCCUPANCIES = numpy.where(numpy.arange(60) % 3, 1.0, 0.6)
SYMBOLS = ["Co"] * 20 + ["O"] * 40
DETECTOR = {"detector": "24,20", "distance": 40, "pixel_size": 1, "wavelength": 0.8}


def cluster():
    return SYMBOLS, POSITIONS


def disordered():
    return sonde.Atoms(SYMBOLS, POSITIONS, occupancies=OCCUPANCIES, displacements=DISPLACEMENTS)


def pattern(sample=None, **more):
    given = {"q": (0.5, 8, 24), "phi": 30, "wavelength": 0.8, "amplitude": True, "device": DEVICE}
    return sonde.pattern(cluster() if sample is None else sample, **{**given, **more})


def detector(**more):
    return sonde.pattern(cluster(), **{**DETECTOR, "device": DEVICE, **more})


def ions(**more):
    return sonde.ions(**{"ion": "B", "energy": "2keV", "target": "Si", "number": 640, "device": DEVICE, **more})


def stopping(**more):
    return sonde.stopping(**{"ion": "B", "target": "SiO2", "energies": "1keV:1MeV", **more})


def coulomb(**more):
    return sonde.coulomb(cluster(), **{"charges": {"Co": 2, "O": -1}, "spacing": 1, "padding": 3, "device": DEVICE, **more})


def plate(*monitors, **more):
    given = {"size": (0, 0, 3e-6), "cell": 2.5e-8, "until": 1e-5, "time": "400 fs",
             "materials": [fdtd.Material(name="glass", index=2)],
             "bodies": [fdtd.Body(shape="box", material="glass", size=(0, 0, 1e-6))],
             "sources": [fdtd.Source(kind="plane-wave", frequency="180 THz", bandwidth="100 THz", direction=(0, 0, 1), polarization=(1, 0, 0))]}
    return fdtd(fdtd.Job(**{**given, **more}, monitors=list(monitors)), device=DEVICE)


FREQUENCIES = "140 THz:220 THz:9"
TRANSMITTED = fdtd.Monitor(name="T", kind="flux", center=(0, 0, 1e-6), frequencies=FREQUENCIES, normalize="reference")
FIELDS = fdtd.Monitor(name="F", kind="fields", size=(0, 0, 1e-6), frequencies=FREQUENCIES)
POINT = fdtd.Monitor(name="P", kind="point", center=(0, 0, 1e-6), components="Ex Hy")
SNAPSHOTS = fdtd.Monitor(name="S", kind="snapshot", size=(0, 0, 2e-6), every="100 fs")
RESULTS = {
    "pattern": lambda: pattern(),
    "pattern, parts": lambda: pattern(partials="species"),
    "pattern, disorder": lambda: pattern(disordered(), displacement="sample", partials="species"),
    "pattern, random orientations": lambda: pattern(orientations="random:10"),
    "pattern, grid of orientations": lambda: pattern(orientations="uniform:20"),
    "pattern, copies": lambda: pattern(copies="independent", copy_atoms=20, amplitude=False),
    "pattern, box": lambda: sonde.pattern(cluster(), h="0:2:3", k="0:3:2", l="1:2:2", u=(1, 0, 0), v=(0, 1, 0), w=(0, 0, 1), amplitude=True,
                                          partials="species", device=DEVICE),
    "pattern, detector": lambda: detector(polarization="0.9", solid_angle="relative", fluence=1e12, beam_stop=3, amplitude=True),
    "pattern, neutrons": lambda: pattern(radiation="neutron"),
    "ions": lambda: ions(),
    "ions, layers": lambda: ions(ion="Ar", energy="1keV", target="SiO2:2nm/Si:3nm", fluence=1e14),
    "ions, map": lambda: ions(cells=(1, 4, 4), bins=10),
    "stopping": lambda: stopping(),
    "stopping, integral": lambda: stopping(screening="kr-c", compare="lindhard"),
    "coulomb": lambda: coulomb(),
    "coulomb, field": lambda: coulomb(quantity="both"),
    "fdtd": lambda: plate(TRANSMITTED, FIELDS),
    "fdtd, against time": lambda: plate(POINT, SNAPSHOTS),
    "fdtd, companion": lambda: plate(TRANSMITTED, POINT, error="companion"),
}


def check(result):
    """All variables have errors of their shape, or one number, in their units."""
    engine = result.attrs["engine"]
    for name in result.data_vars:
        if name in EXACT[engine] or name.endswith((*ERRORS, *EXACT_ENDS.get(engine, ()))):
            continue
        error, values = result.error_of(name), result[name]
        assert error is not None, name
        assert error.dims in (values.dims, (), values.dims[:1]), name  # of fields against time one for each time
        assert error.attrs.get("units", "") == values.attrs.get("units", ""), name
        assert error.attrs["long_name"], name
        numbers = error.broadcast_like(values).transpose(*values.dims).values
        known = numpy.isfinite(values.values) & (numpy.broadcast_to(result["pixel_mask"], values.shape) == 0 if "pixel_mask" in result else True)
        assert numpy.isfinite(numbers[known]).all() and (numbers[known] >= 0).all(), name
    return result


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.filterwarnings("ignore::sonde.SondeWarning")
def test_variables_have_errors(name):
    check(RESULTS[name]())


def test_variables_of_debye_have_errors():
    check(sonde.debye(cluster(), q=(1, 9, 8), counts=True, device=DEVICE))
    check(sonde.debye(cluster(), q=(1, 9, 8), laue=True, bhatia_thornton=True, density=0.1, polarization="unpolarized", wavelength=1.0,
                      resolution="gaussian:0.1", concentration="number:1e15", device=DEVICE))


def test_dimensions_are_named():
    parts = pattern(partials="species")
    assert parts.F_parts.dims == ("part", "q", "phi") and list(parts.part.values) == ["Co", "O"]
    numpy.testing.assert_allclose(parts.F_parts.sum("part"), parts.F, atol=1e-9)
    counted = sonde.debye(cluster(), q=(1, 9, 8), counts=True, device=DEVICE)
    assert counted.R_ab.dims == counted.n_ab.dims == ("pair", "r") and list(counted.pair.values) == ["Co-Co", "Co-O", "O-O"]
    assert not [axis for result in (parts, counted) for axis in result.dims if axis.endswith(("_0", "_1"))]


def test_errors_go_round(tmp_path):
    """They are the same of a result that is read from its file, which has only a table."""
    for made in (pattern(partials="species"), detector(fluence=1e12, beam_stop=3), stopping(compare="lindhard"), ions()):
        made.to_nexus(tmp_path / "result.h5", overwrite=True)
        again = sonde.read(tmp_path / "result.h5")
        assert list(again.variables) == list(made.variables)
        for name in made.data_vars:
            assert made[name].values.tobytes() == again[name].values.tobytes(), name


# Errors of computation ---------------------------------------------------------------------------------------------


def assert_near(values, exact, errors, most=4.0, least=0.0):
    """Deviations are within a few times the errors, which are not far larger than all of them."""
    ratio = numpy.abs(values - exact) / errors
    ratio = ratio[numpy.isfinite(ratio)]
    assert least <= ratio.max() <= most, ratio.max()


def exact_amplitudes(result):
    """Of disordered() with unit amplitudes, with the extended precision of the processor, if it has one."""
    number = numpy.longdouble
    q, phi = numpy.meshgrid(result.q.values.astype(number), numpy.deg2rad(result.phi.values.astype(number)), indexing="ij")
    sine = q * number(0.8) / (4 * number(math.pi))
    vectors = numpy.stack([q * numpy.sqrt(1 - sine**2) * numpy.cos(phi), q * numpy.sqrt(1 - sine**2) * numpy.sin(phi), q * sine], -1)
    xx, yy, zz, yz, xz, xy = DISPLACEMENTS.astype(number).T
    tensors = numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    amplitude = 0
    for place, occupancy, tensor in zip(POSITIONS.astype(number), OCCUPANCIES.astype(number), numpy.moveaxis(tensors, -1, 0)):
        damped = occupancy * numpy.exp(-numpy.einsum("...i,ij,...j", vectors, tensor, vectors) / 2)
        amplitude = amplitude + damped * numpy.exp(1j * (vectors @ place))
    return amplitude


def test_errors_of_the_direct_sum():
    """Those of rounding, which vectors have as well."""
    result = pattern(disordered(), displacement="sample", factors="unit")
    assert_near(result.F.values, exact_amplitudes(result), result.F_errors.values, 4, 0.01)


@pytest.mark.parametrize("more", [{}, {"displacement": "0.02"}, {"radiation": "electron"}])
def test_errors_of_the_fast_method(more):
    fast, exact = (pattern(partials="species", **more, **method) for method in ({"method": "fast", "tolerance": 1e-6}, {"method": "direct"}))
    for name in ("F", "I", "F_parts"):
        assert_near(fast[name].values, exact[name].values, fast.error_of(name).values, 4, 0.005 if name == "I" else 0.05)


def test_errors_of_a_detector():
    more = {"polarization": "1", "solid_angle": "absolute", "beam_stop": 3, "amplitude": True}
    fast, exact = (detector(**more, **method) for method in ({"method": "fast", "tolerance": 1e-6}, {"method": "direct"}))
    for name in ("F", "I"):
        assert numpy.isnan(fast.error_of(name).values[fast.pixel_mask.values != 0]).all()
        assert_near(fast[name].values, exact[name].values, fast.error_of(name).values, 4, 0.005)


def test_errors_of_means():
    for more in ({"orientations": "uniform:20"}, {"copies": "independent", "copy_atoms": 20, "amplitude": False}):
        fast, exact = (pattern(**more, **method) for method in ({"method": "fast", "tolerance": 1e-6}, {"method": "direct"}))
        for name in ("I", "F", "I_diffuse"):
            if name in fast:
                assert_near(fast[name].values, exact[name].values, fast.error_of(name).values, 4, 1e-4)


def test_errors_of_potentials():
    fast, exact = coulomb(quantity="both", method="fast", tolerance=1e-4), coulomb(quantity="both", method="reference")
    for name in ("potential", "field"):
        assert_near(fast[name].values, exact[name].values, float(fast.error_of(name)), 4, 0.01)


def test_errors_of_a_plate():
    """Fresnel's formula for a plate of n = 2 and 1 um."""
    result = plate(TRANSMITTED)
    phase = 2 * math.pi * result.frequency.values / 299792458 * 2 * 1e-6
    exact = 1 / (1 + 0.25 * (2 - 0.5) ** 2 * numpy.sin(phase) ** 2)
    assert_near(result.T_transmission.values, exact, float(result.error_of("T_transmission")), 4, 0.05)


def test_errors_of_signals():
    """Compared with a run that is four times as fine; a companion says more or less the same."""
    fine = plate(POINT, cell=6.25e-9, error="none")
    assert fine.error_of("P_Ex") is None
    for error in ("estimate", "companion"):
        result = plate(POINT, error=error)
        exact = numpy.interp(result.time.values, fine.time.values, fine.P_Ex.values)
        true, stated = numpy.abs(result.P_Ex.values - exact).max(), result.error_of("P_Ex").values.max()
        assert true / 3 < stated < 8 * true


def box(size, cell=2.5e-8, **more):
    """Resonances of TM waves between conductors."""
    return fdtd(fdtd.Job(size=(size, size, 0), cell=cell, time="150 fs", boundaries=[fdtd.Boundary(face="all", kind="conductor")],
                         sources=[fdtd.Source(kind="dipole", wavelength="700 nm", center=(1e-7, 5e-8, 0))],
                         monitors=[fdtd.Monitor(name="q", kind="resonances", center=(2e-7, 1e-7, 0), components="Ez", frequencies="300 THz:600 THz:2")],
                         **more), device=DEVICE)


def true_resonances(size, found):
    exact = numpy.array([299792458 / 2 / size * math.hypot(m, n) for m in range(1, 7) for n in range(1, 7)])
    return exact[numpy.abs(exact[:, None] - found).argmin(0)]


@pytest.mark.filterwarnings("ignore:along . the box is")
@pytest.mark.parametrize("size, error", [(1e-6, "estimate"), (1e-6, "companion"), (1.01e-6, "estimate"), (1.01e-6, "companion")])
def test_errors_of_resonances(size, error):
    """Of the grid, and of a size that is not a whole number of cells; the fit alone is a thousand times as exact."""
    result = box(size, error=error)
    found, stated = result.frequency.values, result.error_of("frequency").values
    off = numpy.abs(found - true_resonances(size, found))
    assert len(found) >= 4 and (off < 3 * stated).all() and stated.max() < 12 * off.max()
    assert ("companion_error" in result.attrs) == (error == "companion") and result.attrs.get("companion_error", 1) > 0
    for name in ("q_decay", "q_quality", "q_amplitude"):
        assert (result.error_of(name).values > 0).all()
    fit = box(size, error="none")
    assert (fit.error_of("frequency").values < 0.01 * stated).all()


def test_rounded_sizes_are_reported():
    with pytest.warns(sonde.SondeWarning, match="along [xy] the box is 40 cells long, 1e-06 m instead of 1.01e-06 m: "):
        off = box(1.01e-6)
    assert off.attrs["grid_error"] - box(1e-6).attrs["grid_error"] == pytest.approx(0.01 / 1.01, rel=1e-6)


def test_errors_of_voxels():
    """They are as dense as a body, and have stairs: the error of a box, and more."""
    def slab(**body):
        return plate(TRANSMITTED, POINT, materials=[fdtd.Material(name="dense", index=3)], bodies=[fdtd.Body(**body)], cell=1e-8)

    voxels = numpy.full((1, 1, 100), 1)
    solid = slab(shape="box", material="dense", size=(0, 0, 1e-6)).attrs["grid_error"]
    for given in (voxels, 9.0 * voxels):
        more = {"materials": ["none", "dense"]} if given is voxels else {}
        assert solid < slab(voxels=given, spacing=(1e-6, 1e-6, 1e-8), **more).attrs["grid_error"] < 0.5


def test_rounding_is_that_of_the_largest_field():
    """Behind metal there is nothing but round-off of the wave in front of it."""
    metal = fdtd.Material(name="metal", drude=[[2e15, 1e13]])
    wall = {"materials": [metal], "bodies": [fdtd.Body(shape="box", material="metal", size=(0, 0, 1e-6))], "cell": 1e-8, "time": "60 fs"}
    behind = fdtd.Monitor(name="P", kind="point", center=(0, 0, 1.2e-6), components="Ex")
    single, double = plate(behind, **wall), plate(behind, **wall, precision="float64")
    assert numpy.abs(single.P_Ex.values - double.P_Ex.values).max() < single.error_of("P_Ex").values.max()


# Stopping ------------------------------------------------------------------------------------------------------------


def smooth(energy):
    """A stopping power with a maximum, in eV/Angstrom; keV."""
    return 30 * numpy.sqrt(energy / 100) / (1 + (energy / 400) ** 1.2)


def test_errors_of_a_users_table(tmp_path):
    energies = numpy.geomspace(0.5, 2000, 30)
    (tmp_path / "table.txt").write_text("".join(f"{e:.12g} {smooth(e):.12g}\n" for e in energies))
    result = stopping(stopping_table=str(tmp_path / "table.txt"), energies="1keV:1MeV:57")
    exact = smooth(1e-3 * result.energy.values)
    assert_near(result.electronic.values, exact, result.electronic_errors.values, 2, 0.3)


def test_errors_of_an_installed_table(tmp_path, monkeypatch):
    """One of the same form, of a function."""
    energies = numpy.logspace(0, 6, 121)  # keV/u
    row = numpy.round(2000 * numpy.log(smooth(energies))).astype("<i2")
    numpy.broadcast_to(row, (92, 92, 121)).tofile(tmp_path / "stopping_srim13.i16")
    monkeypatch.setenv("SONDE_DATA", str(tmp_path))
    result = stopping(stopping="srim13", target="Si", energies="20keV:1MeV:57")
    exact = smooth(1e-3 * result.energy.values / result.attrs["ion_mass"]) * 1e-15 * 1e24 * result.attrs["target_atoms"] * 1e-8
    assert_near(result.electronic.values, exact, result.electronic_errors.values, 1.5, 0.1)
    # the square of the effective charge has the errors of both tables, the contribution of charge exchange has none
    assert 1e-5 < result.attrs["straggling_error"] < 2 * result.attrs["electronic_error"] + 1e-12


def reduced(energy, weights, rates):
    """s_n of a screened potential, with far more points."""
    def screened(x):
        return (weights * numpy.exp(-rates * x[..., None])).sum(-1)

    low, high = 1e-9, 2 / energy + 1
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if middle > screened(numpy.array(middle)) / energy else (middle, high)
    impacts = numpy.exp(numpy.linspace(math.log(1e-3 * high), math.log(60), 1601))
    below, above = numpy.full_like(impacts, 1e-12), 2 / energy + impacts + 1
    for _ in range(100):
        middle = (below + above) / 2
        inside = middle**2 - middle * screened(middle) / energy - impacts**2 > 0
        below, above = numpy.where(inside, below, middle), numpy.where(inside, middle, above)
    nodes = numpy.cos(math.pi * (2 * numpy.arange(200) + 1) / 800)
    x = above[:, None] / nodes
    rest = 1 - screened(x) / (x * energy) - (impacts[:, None] / x) ** 2
    beta = 0.5 * math.pi * impacts / above * numpy.sqrt((1 - nodes**2) / numpy.maximum(rest, 1e-300)).mean(-1)
    integrand = impacts**2 * numpy.cos(beta) ** 2
    step = math.log(impacts[1] / impacts[0])
    return energy * (2 * step / 3 * (integrand[0] + integrand[-1] + 4 * integrand[1:-1:2].sum() + 2 * integrand[2:-1:2].sum()) + impacts[0] ** 2)


@pytest.mark.parametrize("screening", ["kr-c", "zbl"])
def test_errors_of_nuclear_stopping(screening):
    weights, rates = {"kr-c": ([0.190945, 0.473674, 0.335381], [0.278544, 0.637174, 1.919249]),
                      "zbl": ([0.02817, 0.28022, 0.50986, 0.18175], [0.20162, 0.4029, 0.94229, 3.1998])}[screening]
    result = stopping(ion="B", target="Si", screening=screening, energies="1keV,30keV,1MeV")
    mass, other, bohr = result.attrs["ion_mass"], 28.0855, 0.529177211
    length = 0.88534 * bohr / ((5**0.23 + 14**0.23) if screening == "zbl" else (math.sqrt(5) + math.sqrt(14)) ** (2 / 3))
    unit = length * other / (5 * 14 * 14.3996455 * (mass + other))
    scale = math.pi * length**2 * 4 * mass * other / (mass + other) ** 2 / unit * result.attrs["target_atoms"]
    exact = [scale * reduced(unit * energy, numpy.array(weights), numpy.array(rates)) for energy in result.energy.values]
    assert_near(result.nuclear.values, numpy.array(exact), result.nuclear_errors.values, 1.5, 0.005)


# Statistics ----------------------------------------------------------------------------------------------------------


def assert_scatter(results, name, least=0.6, most=1.6):
    """The root mean square deviation of runs from their mean is that of the errors, which are themselves estimates."""
    values, errors = (numpy.stack([each.values for each in of]).reshape(len(results), -1)
                      for of in ([result[name] for result in results], [result.error_of(name) for result in results]))
    deviations = numpy.abs(values - values.mean(0)) ** 2 * len(results) / (len(results) - 1)
    used = (errors > 0).all(0)
    assert used.any(), name
    ratio = math.sqrt((deviations[:, used] / (errors[:, used] ** 2).mean(0)).mean())
    assert least < ratio < most, (name, ratio)


def test_errors_of_random_orientations():
    results = [pattern(orientations="random:12", orientation_seed=1 + seed) for seed in range(24)]
    for name in ("I", "F"):
        assert_scatter(results, name)
    assert_scatter(results, "I_diffuse", 0.5, 1.2)  # the larger one of two


def test_errors_of_frames(tmp_path):
    """Curves that follow from I/N, G, and the partials have their standard errors, not those of the computation."""
    frames = [POSITIONS + numpy.random.default_rng(seed).normal(0, 0.1, POSITIONS.shape) for seed in range(6)]
    with open(tmp_path / "frames.xyz", "w", encoding="ascii") as file:
        for places in frames:
            rows = [f"{symbol} {x:.17g} {y:.17g} {z:.17g}" for symbol, (x, y, z) in zip(SYMBOLS, places)]
            file.write("\n".join([str(len(rows)), "", *rows]) + "\n")
    given = {"q": (0.5, 10, 20), "bhatia_thornton": True, "density": 0.05, "laue": True, "polarization": "unpolarized", "wavelength": 1.0,
             "method": "histogram", "counts": True, "device": DEVICE}
    mean = sonde.debye(tmp_path / "frames.xyz", frames="0:6:1", **given)
    single = [sonde.debye((SYMBOLS, places), **given) for places in frames]
    for name in ("I", "I_per_atom", "I_corrected", "I_minus_laue", "S", "F", "G", "D", "T", "g", "S_NN", "S_NC", "S_CC"):
        true = numpy.std([each[name].values for each in single], axis=0, ddof=1) / math.sqrt(6)
        stated = mean.error_of(name).values
        assert mean.error_of(name).attrs["units"] == mean[name].attrs["units"]
        if name.startswith("S_"):
            assert (stated >= true * (1 - 1e-9)).all() and (stated <= 30 * true.max()).all(), name
        else:
            numpy.testing.assert_allclose(stated, true, rtol=1e-6, atol=1e-12 * true.max(), err_msg=name)


def test_errors_of_counts():
    results = [detector(fluence=1e18, noise_seed=seed) for seed in range(24)]
    assert_scatter(results, "counts")


def test_errors_of_histories():
    results = [ions(seed=1 + seed) for seed in range(16)]
    for name in ("range", "straggling", "vacancies", "implanted", "backscattered", "recoils", "energy_left", "ion_collisions", "recoil_collisions",
                 "ionization_by_ions", "implanted_ions"):
        assert_scatter(results, name, 0.5, 1.7)
    assert all(float(result.energy_missing) == float(result.error_of("energy_missing")) == 0 for result in results)
