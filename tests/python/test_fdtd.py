"""Jobs of fdtd as objects."""
import math
import pickle

import numpy
import pytest
from conftest import DEVICE, assert_same

import sonde

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
    with pytest.raises(ValueError, match="did you mean 'radius'"):
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
