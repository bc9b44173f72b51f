"""Jobs of fdtd as objects."""
import copy
import math
import os
import pickle
import subprocess
import sys
import time

import numpy
import pytest
from conftest import DEVICE, assert_same

import sonde
from sonde import _program

fdtd = sonde.fdtd


def job(**more):
    given = {"size": "60 nm, 50 nm, 40 nm", "cell": 5e-9, "time": "3 fs",
             "sources": [fdtd.Source(kind="dipole", frequency="600 THz", center=(2e-8, 0, 0))],
             "monitors": [fdtd.Monitor(name="map", kind="fields", size=(6e-8, 5e-8, 4e-8), frequencies=(5e14, 6e14, 2), components=["Ez"])]}
    return fdtd.Job(**{**given, **more})


def test_yaml_goes_round(tmp_path, sources):
    for path in sorted(sources.glob("examples/*/job.yaml")):
        if "fdtd:" not in path.read_text():
            continue
        first = fdtd.Job.from_yaml(path)
        again = fdtd.Job.from_yaml(first.to_yaml())
        assert first == again and first.to_yaml() == again.to_yaml()
        assert pickle.loads(pickle.dumps(first)) == first
        assert first.plan(device="cpu") | {"seconds": 0, "rate": 0} == sonde.fdtd.Job.from_yaml(path).plan(device="cpu") | {"seconds": 0, "rate": 0}


def test_yaml_is_not_read_in_part(tmp_path):
    (tmp_path / "a: b.yaml").write_text(job().to_yaml())
    assert fdtd.Job.from_yaml(str(tmp_path / "a: b.yaml")) == job()
    with pytest.raises(sonde.InputError, match="sampel.*did you mean 'sample'"):
        fdtd.Job.from_yaml("sampel: bodies.yaml\n" + job().to_yaml())


def test_what_is_not_a_job():
    for given, name in (({"bodies": "glass"}, "bodies"), ({"bodies": [5]}, "bodies"), ({"build": "fcc"}, "build")):
        with pytest.raises(sonde.InputError, match=f"^{name}: "):
            job(**given)
    for source in ("fdtd:\n- 1\n", "fdtd: hello\nsample: x.xyz\n"):
        with pytest.raises(sonde.InputError, match="^fdtd: "):
            fdtd.Job.from_yaml(source)
    with pytest.raises(sonde.InputError, match="^job: "):
        fdtd([1])


def test_objects_and_yaml_are_the_same_job(tmp_path, device):
    ours = job()
    ours.to_yaml(tmp_path / "job.yaml")
    with pytest.warns(sonde.SondeWarning, match="the run ends") as told:
        result = fdtd(ours, device=device)
    assert told[0].filename == __file__ and "the run ends" in result.attrs["notes"]
    with pytest.warns(sonde.SondeWarning):
        assert_same(result, fdtd(tmp_path / "job.yaml", device=device))
    assert ours.cell == 5e-9 and ours.until is None
    ours.cell = "10 nm"
    assert ours.plan()["inner_cells"] == [6, 5, 4]


def test_voxels_are_where_they_belong(device):
    """One voxel of each corner has its material at its place in x, y, z."""
    values = numpy.zeros((6, 5, 4), int)
    values[5, 0, 1] = 1
    body = fdtd.Body(voxels=values, spacing=1e-8, materials=["none", "glass"])
    made = job(bodies=[body], materials=[fdtd.Material(name="glass", index=2)], cell=2.5e-9, average="none", time="0.5 fs")
    map_of = fdtd(made, device=device).monitor("map").permittivity
    inside = map_of.sel(x=2.5e-8, y=-2.0e-8, z=-0.5e-8, method="nearest")
    outside = map_of.sel(x=-2.5e-8, y=2.0e-8, z=0.5e-8, method="nearest")
    assert abs(float(inside) - 4) < 1e-6 and float(outside) == 1
    assert 500 < float((map_of > 2.5).sum()) * 2.5**3 < 2000
    permittivities = numpy.where(values == 1, 4.0, 1.0)
    again = job(bodies=[fdtd.Body(voxels=permittivities, spacing=1e-8)], cell=2.5e-9, average="none", time="0.5 fs")
    assert (fdtd(again, device=device).monitor("map").permittivity.values == map_of.values).all()


def test_meshes(device):
    vertices = numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 1e-8
    triangles = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    glass = [fdtd.Material(name="glass", index=2)]
    mesh = fdtd(job(bodies=[fdtd.Body(mesh=(vertices, triangles), material="glass")], materials=glass), device=device)
    box = fdtd(job(bodies=[fdtd.Body(shape="box", size=(2e-8, 2e-8, 2e-8), material="glass")], materials=glass), device=device)
    numpy.testing.assert_allclose(mesh.map_permittivity, box.map_permittivity, rtol=1e-5)
    with pytest.raises(ValueError, match="mesh"):
        job(bodies=[fdtd.Body(mesh=3, material="glass")], materials=glass).plan()


def test_trimesh(device):
    trimesh = pytest.importorskip("trimesh")
    body = fdtd.Body(mesh=trimesh.creation.icosphere(radius=1.5e-8), material="glass")
    assert job(bodies=[body], materials=[fdtd.Material(name="glass", index=2)]).plan()["steps"] > 0


CORNERS = numpy.array([[0, 0, 0], [2e-8, 0, 0], [0, 2e-8, 0], [0, 0, 2e-8]]), numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def arrays(*bodies):
    return job(bodies=list(bodies), materials=[fdtd.Material(name="glass", index=2)])


def map_of(value, **more):
    values = numpy.zeros((6, 5, 4), int)
    values[2:4, 2, 2] = value
    return fdtd.Body(**{"voxels": values, "spacing": 1e-8, "materials": ["none", "glass"], **more})


def test_files_of_arrays_are_named_by_their_content(tmp_path):
    """Jobs in one folder leave the files of each other, and of the user, alone."""
    mesh = fdtd.Body(mesh=CORNERS, material="glass")
    for name in ("body-1.h5", "body-1.stl"):
        (tmp_path / name).write_text("of the user")
    one, two = arrays(map_of(1), mesh), arrays(map_of(0), fdtd.Body(mesh=(2 * CORNERS[0], CORNERS[1]), material="glass"))
    one.to_yaml(tmp_path / "one.yaml")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    time.sleep(1.1)  # HDF5 stores times in seconds by default
    two.to_yaml(tmp_path / "two.yaml")
    arrays(map_of(0), map_of(1), mesh).to_yaml(tmp_path / "three.yaml")  # two files that are there already
    assert all(path.read_bytes() == content for path, content in before.items())
    assert len(list(tmp_path.glob("voxels-*.h5"))) == len(list(tmp_path.glob("mesh-*.stl"))) == 2 and len(list(tmp_path.iterdir())) == 9
    # what belongs to the content
    others = [{"spacing": 2e-8}, {"origin": (0, 0, 0)}, {"voxels": numpy.ones((6, 5, 4)), "materials": None}, {"voxels": numpy.ones((6, 5, 4), int)}]
    for number, more in enumerate(others):
        arrays(map_of(1, **more)).to_yaml(tmp_path / f"more{number}.yaml")
    assert len(list(tmp_path.glob("voxels-*.h5"))) == 2 + len(others)
    # a job that was read keeps its file, also with others before it
    again = fdtd.Job.from_yaml(tmp_path / "one.yaml")
    again.bodies.insert(0, map_of(1, spacing=5e-9))
    again.to_yaml(tmp_path / "again.yaml")
    assert fdtd.Job.from_yaml(tmp_path / "again.yaml").bodies[1:] == fdtd.Job.from_yaml(tmp_path / "one.yaml").bodies
    # another file of that name is kept
    damaged = next(tmp_path.glob("mesh-*.stl"))
    damaged.write_text("of the user")
    with pytest.raises(sonde.InputError, match="exists already, with another content"):
        for each in (one, two):
            each.to_yaml(tmp_path / "one.yaml", overwrite=True)
    assert damaged.read_text() == "of the user" and not [path for path in tmp_path.iterdir() if path.suffix not in (".h5", ".stl", ".yaml")]


def test_files_of_yaml_are_not_replaced(tmp_path):
    path = tmp_path / "job.yaml"
    path.write_text("of the user")
    with pytest.raises(sonde.InputError, match="^path: .*job.yaml: exists already; choose another name or add overwrite$") as caught:
        arrays(map_of(1)).to_yaml(path)
    assert caught.value.argument == "path" and path.read_text() == "of the user" and len(list(tmp_path.iterdir())) == 1
    assert job().to_yaml(path, overwrite=True) == path.read_text() == job().to_yaml()


def test_the_module_can_be_pickled():
    """So that dask and others pass on functions that use it."""
    assert pickle.loads(pickle.dumps(fdtd)) is copy.deepcopy(fdtd) is fdtd
    cloudpickle = pytest.importorskip("cloudpickle")

    def function():
        return sonde.fdtd.Job(cell="5 nm").cell

    assert cloudpickle.loads(cloudpickle.dumps(function))() == "5 nm" and cloudpickle.loads(cloudpickle.dumps(fdtd)) is fdtd


def test_scales_of_files_have_units(tmp_path):
    """Without one, the program asks whether it is missing."""
    for number, (more, scale) in enumerate((({}, "1 m"), ({"scale": 2.5e-3, "spacing": 4e-6}, "0.0025 m"), ({"scale": "1 nm", "spacing": 10}, "1 nm"))):
        made = fdtd.Job(size="100 nm, 100 nm, 100 nm", cell="20 nm", time="1 fs", materials=[fdtd.Material(name="glass", index=1.5)],
                        bodies=[map_of(1, voxels=numpy.ones((2, 2, 2), int), **more)], monitors=[fdtd.Monitor(name="p", kind="point", components="Ex")],
                        sources=[fdtd.Source(kind="dipole", polarization=(1, 0, 0), wavelength="400 nm")])
        made.to_yaml(tmp_path / f"{number}.yaml")
        assert f"scale: {scale}\n" in (tmp_path / f"{number}.yaml").read_text()
        for mode in ("--plan", "--force"):
            shown = subprocess.run([_program.path(), "fdtd", tmp_path / f"{number}.yaml", mode, "-o", tmp_path / f"{number}.h5"], check=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
            assert "unit missing" not in shown
        assert fdtd.Job.from_yaml(tmp_path / f"{number}.yaml").bodies[0]["scale"] == scale


def test_lengths_of_voxels_have_units(tmp_path):
    def name(**more):
        arrays(map_of(1, **more)).to_yaml(tmp_path / "job.yaml", overwrite=True)
        return fdtd.Job.from_yaml(tmp_path / "job.yaml").bodies[0]["file"]

    assert name(spacing="10 nm") == name(spacing=("10nm", 1e-8, "0.01 um")) == name(spacing="10 nm, 10 nm, 10 nm") == name(spacing="1e-8") == name()
    assert name(origin="-1 nm, 0, 2 nm") == name(origin=(-1e-9, 0, 2e-9)) != name()
    assert name(spacing="10 nm", scale="1 nm") == name(spacing=10, scale="1 nm")  # numbers are in units of the scale


@pytest.mark.parametrize("given, argument, words", [
    ({"voxels": numpy.zeros((3, 3), int), "spacing": 1e-8}, "voxels", "the shape is (3, 3)"),
    ({"voxels": numpy.zeros((3, 3, 0), int), "spacing": 1e-8}, "voxels", "the shape is (3, 3, 0)"),
    ({"voxels": numpy.zeros((3, 3, 3), complex), "spacing": 1e-8}, "voxels", "not complex128"),
    ({"voxels": numpy.zeros((3, 3, 3)), "spacing": -1e-8}, "spacing", "-1e-08 is not above 0"),
    ({"voxels": numpy.zeros((3, 3, 3)), "spacing": (1, 2)}, "spacing", "(1, 2) is not three numbers"),
    ({"voxels": numpy.zeros((3, 3, 3)), "spacing": "10 nn"}, "spacing", "'10 nn' is not a length"),
    ({"voxels": numpy.zeros((3, 3, 3)), "spacing": 1e-8, "origin": "here"}, "origin", "'here' is not a length"),
    ({"mesh": 3}, "mesh", "not a mesh of trimesh"),
])
def test_arrays_are_refused_where_they_are_given(given, argument, words):
    with pytest.raises(sonde.InputError) as caught:
        fdtd.Body(**given)
    assert caught.value.argument == argument and str(caught.value).startswith(argument + ": ") and words in str(caught.value)


def test_errors_name_bodies_and_arguments():
    """Not the files that the library reads."""
    open_mesh, later = fdtd.Body(mesh=(CORNERS[0], CORNERS[1][:1]), material="glass"), map_of(1)
    later.voxels = numpy.zeros((2, 2))
    for body, argument, words in ((open_mesh, "mesh", "bodies 2: mesh: the surface is not closed: 3"), (map_of(5), "voxels", "bodies 2: voxels: voxel 74"),
                                  (map_of(1, voxels=numpy.full((2, 2, 2), numpy.nan)), "voxels", "bodies 2: voxels: voxel 0 has no finite"),
                                  (later, "voxels", "bodies 2: voxels: the shape is (2, 2)")):
        with pytest.raises(sonde.InputError) as caught:
            arrays(fdtd.Body(shape="sphere", radius=1e-8, material="glass"), body).plan()
        assert caught.value.argument == argument and str(caught.value).startswith(words)


def test_errors_do_not_name_folders_that_are_gone(tmp_path):
    missing = {"sources": [fdtd.Source(kind="dipole", waveform="file", file="no.csv")]}
    with pytest.raises(sonde.InputError, match="sources 1: no.csv: cannot be read.*; searched the current folder$"):
        job(**missing).plan()
    job(**missing).to_yaml(tmp_path / "job.yaml")
    with pytest.raises(sonde.InputError) as caught:
        fdtd.Job.from_yaml(tmp_path / "job.yaml").plan()
    assert str(caught.value).endswith(f"searched the job's folder ({tmp_path}) and the current one")
    with pytest.raises(sonde.InputError, match="no.cif: cannot be read.*; searched the current folder$"):
        sonde.ions(ion="B", energy="2keV", target="Si", materials=[{"name": "x", "cell_file": "no.cif"}])


def waves(**more):
    return fdtd.Job(**{"size": "0.6um,2um,0", "cell": "40 nm", "time": "30 fs", "boundaries": [fdtd.Boundary(face="x", kind="bloch", phase=33.3)],
                       "sources": [fdtd.Source(kind="dipole", wavelength="800 nm")],
                       "monitors": [fdtd.Monitor(name="p", kind="point", components="Ez", center=(0, 3e-7, 0))], **more})


@pytest.mark.parametrize("form, names", [("parts", ["p_Ez_real", "p_Ez_imag"]), ("compound", ["p_Ez"])])
def test_errors_of_complex_signals(form, names, device):
    result = fdtd(waves(complex_numbers=None if form == "parts" else form), device=device)
    for name in names:
        assert (result.error_of(name).values == result["p_Ez-error"].values).all()
    part = result.monitor("p")
    for name in names:
        assert part[part[name[2:]].attrs["error"]].dims == ("time",)
        assert result[name].attrs["error"] == "p_Ez-error"  # as before
    assert part.attrs["signal"] in part


def test_errors_of_resonances(device):
    """Frequencies are coordinates, of which monitors have some in common."""
    monitors = [fdtd.Monitor(name=name, kind="resonances", frequencies="100THz:600THz", components="Ez", center=(place, 0, 0))
                for name, place in (("q", 3e-8), ("r", 5e-8))]
    result = fdtd(fdtd.Job(size="1 um,0,0", cell="10 nm", time="300 fs", materials=[fdtd.Material(name="g", index=4)],
                           bodies=[fdtd.Body(material="g", shape="box", size=(5e-7, 0, 0))], monitors=monitors,
                           sources=[fdtd.Source(kind="dipole", frequency="300 THz", bandwidth="300 THz", center=(1e-8, 0, 0))]), device=device)
    for name in ("q", "r"):
        part = result.monitor(name)
        axis = result[name + "_decay"].dims[0]
        assert (result.error_of(axis).values == result[name + "_frequency-error"].values).all()
        assert part[part.coords[part.decay.dims[0]].attrs["error"]].sizes == part.decay.sizes
    assert result.error_of("q_decay-error") is None


def test_arrays_have_names(device):
    result = fdtd(waves(complex_numbers="compound", monitors=[
        fdtd.Monitor(name="m", kind="fields", size=("0.4um", "0.4um", 0), frequencies="300THz:400THz:2", components="Ez Hx"),
        fdtd.Monitor(name="p", kind="point", components="Ez Hx", center=(0, 3e-7, 0))]), device=device)
    names = {"m_Ez": "electric field, z", "m_Hx": "magnetic field, x", "m_permittivity": "relative permittivity", "time-of-H": "time of H",
             "p_Ez-error": "error of electric field, z", "frequency": "frequency"}
    assert {name: result[name].attrs["long_name"] for name in names} == names
    parts = fdtd(waves(), device=device)
    assert parts["p_Ez_imag"].attrs["long_name"] == "electric field, z, imaginary part"


def test_pictures_need_matplotlib():
    script = "import sys\nsys.modules['matplotlib'] = None\nimport sonde\n" \
             "try:\n    {}\nexcept ImportError as error:\n    print(error)"
    for call, name in (("sonde.stopping(ion='B', target='Si', energies='1keV,30keV').plot()", "plot"), ("sonde.fdtd.Job(size='1 um,0,0', cell='20 nm', "
                       "time='1 fs', sources=[sonde.fdtd.Source(kind='dipole', wavelength='1 um')]).show()", "show")):
        shown = subprocess.run([sys.executable, "-c", script.format(call)], env={**os.environ, "PYTHONWARNINGS": "ignore"}, check=True,
                               stdout=subprocess.PIPE, text=True).stdout
        assert shown.startswith(f"{name}() needs matplotlib: pip install sonde[all]") and shown.count("\n") == 1


def test_show():
    pytest.importorskip("matplotlib")
    from matplotlib import pyplot

    shown = job(bodies=[fdtd.Body(shape="sphere", radius=1e-8, material="glass")], materials=[fdtd.Material(name="glass", index=2)])
    axes = shown.show()
    assert len(axes) == 3 and {text.get_text() for text in axes[0].texts} >= {"map", "dipole"}
    geometry = shown.geometry()
    section = geometry["section_1/materials"]
    assert list(geometry["materials"]) == ["glass"] and set(numpy.unique(section)) == {0, 1}
    step = geometry["section_1/x"][1] - geometry["section_1/x"][0]
    assert abs((section == 1).sum() * step**2 / (numpy.pi * 1e-16) - 1) < 0.02
    pyplot.close("all")


@pytest.mark.parametrize("given, argument", [({"size": "x"}, "size"), ({"sise": 1}, "sise"), ({"courant": 3}, "courant")])
def test_errors_name_the_key(given, argument):
    with pytest.raises(ValueError, match=argument) as caught:
        job(**given).run()
    assert caught.value.argument == argument


def test_errors_of_items():
    with pytest.raises(ValueError, match="^radus: Body has no such argument; did you mean 'radius'"):
        fdtd.Body(radus=1)
    with pytest.raises(ValueError, match="did you mean 'polarization'"):
        job(sources=[{"kind": "dipole", "polarizaton": (0, 0, 1)}])
    with pytest.raises(ValueError, match="^monitors 1: "):  # not the file that the library reads
        job(monitors=[{"kind": "flux"}]).run()
    with pytest.raises(ValueError, match="int is not a job") as caught:
        fdtd(5)
    assert caught.value.argument == "job"


def test_bodies_do_not_hide_others_in_their_bounds():
    """In the geometry, as in the fields: a thin turned box across a sphere takes nothing of it but what they share."""
    sphere = fdtd.Body(shape="sphere", material="glass", radius=3e-7)
    box = fdtd.Body(shape="box", material="dense", size=(8e-7, 2e-8, 0), rotation=(0, 0, 45))

    def shown(*bodies):
        made = fdtd.Job(size=(1e-6, 1e-6, 0), cell=1e-8, time="1 fs", sources=[fdtd.Source(kind="dipole", wavelength="500 nm")], bodies=bodies,
                        materials=[fdtd.Material(name="glass", index=1.5), fdtd.Material(name="dense", index=2)])
        return next(values for name, values in made.geometry().items() if name.endswith("materials") and values.ndim == 2)

    alone, both = shown(sphere), shown(sphere, box)
    assert (both == 2).any() and ((both == alone) | (both == 2)).all()


def test_geometry_of_bodies_alone():
    """A job need not be complete to be drawn."""
    made = fdtd.Job(size=(1e-6, 1e-6, 0), cell=1e-8, materials=[fdtd.Material(name="glass", index=1.5)],
                    bodies=[fdtd.Body(shape="sphere", material="glass", radius=3e-7)])
    assert any(name.endswith("materials") and values.ndim == 2 and (values == 1).any() for name, values in made.geometry().items())
    with pytest.raises(sonde.InputError, match="time: required"):
        made.plan()


def test_samples_before_the_beginning_are_reported(tmp_path):
    (tmp_path / "wave.txt").write_text("".join(f"{1e-15 * k} {math.exp(-(k / 5) ** 2)}\n" for k in range(-15, 16)))
    job = fdtd.Job(size=(0, 0, 2e-6), cell=2e-8, time="10 fs", sources=[
        fdtd.Source(kind="sheet", waveform="file", file=str(tmp_path / "wave.txt"), direction=(0, 0, 1), polarization=(1, 0, 0))],
        monitors=[fdtd.Monitor(kind="point", center=(0, 0, 5e-7))])
    with pytest.warns(sonde.SondeWarning, match="sources 1: the table begins at -1.5e-14 s, and what it has before 0 is left out: add a delay of 1.5e-14 s"):
        fdtd(job, device=DEVICE)
