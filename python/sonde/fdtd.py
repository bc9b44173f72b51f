"""Maxwell's equations in the time domain: light propagating through a structure.

    job = sonde.fdtd.Job(size="2 um, 0, 0", cell="20 nm", time="40 fs",
                         sources=[sonde.fdtd.Source(kind="plane-wave", wavelength="700 nm")],
                         monitors=[sonde.fdtd.Monitor(kind="flux", wavelengths="600 nm:800 nm:21")])
    job.show()                  # bodies, sources, monitors, before anything runs
    result = sonde.fdtd(job)    # or sonde.fdtd("job.yaml")

A job is the same in Python and in YAML: keys and values have the same names and forms; numbers are in meters, seconds, and hertz,
texts may have units ("500 nm").
"""
import importlib
import numbers
import os
import sys
import types

from . import _errors, _values
from ._tables import SETTINGS, TABLES

_LISTS = {"boundaries": "Boundary", "materials": "Material", "bodies": "Body", "sources": "Source", "monitors": "Monitor"}


def _plain(key):
    return str(key).replace("-", "_")


def _check(table, key, value):
    """Refuses what the library would refuse when it reads the job, where the caller gives it."""
    from . import _run

    block = "fdtd" if table == "fdtd" else "fdtd." + next(name for name, kind in _LISTS.items() if kind == table)
    _run.check_option(block, key, _values.to_text(table, key, value))


def _read_yaml(content):
    """All scalars as the texts that they are: the library reads them."""
    try:
        import yaml
    except ImportError:
        raise ImportError("reading a job from YAML needs PyYAML: pip install pyyaml") from None
    try:
        found = yaml.load(content, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise _errors.InputError(f"source: {error}", "source") from None
    if not isinstance(found, dict):
        raise _errors.InputError("source: a job is a mapping of YAML", "source")
    return found


class Item(dict):
    """An item of a list of a job: a dictionary of its keys."""

    kind = None

    def __init__(self, **given):
        super().__init__()
        for key, value in given.items():
            self[key] = value

    def __setitem__(self, key, value):
        """None is the default."""
        if value is None:
            _values.to_text(self.kind, key, "")  # refuses other names
            self.pop(key, None)
        else:
            _check(self.kind, key, value)
            super().__setitem__(key, value)

    def update(self, *given, **more):
        for key, value in dict(*given, **more).items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self.get(key)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.items())})"

    def __reduce__(self):
        return _remake, (type(self).__name__, dict(self))


def _are_equal(one, two):
    """Whether arrays, meshes, numbers, or lists of them are the same."""
    import numpy

    if one is two:
        return True
    if one is None or two is None:
        return False
    if hasattr(one, "faces") or hasattr(two, "faces"):
        one, two = ((mesh.vertices, mesh.faces) if hasattr(mesh, "faces") else mesh for mesh in (one, two))
    if isinstance(one, (tuple, list)) and isinstance(two, (tuple, list)):
        return len(one) == len(two) and all(map(_are_equal, one, two))
    return numpy.array_equal(one, two)


def _remake(name, given):
    return globals()[name](**given)


class Boundary(Item):
    """What is at the sides of the box."""

    kind = "Boundary"


class Material(Item):
    """Optical constants by name."""

    kind = "Material"


def _lengths(value, scale, name):
    """Lengths in units of `scale`: numbers are, texts with a unit become so."""
    from . import _run

    def length(part):
        if not isinstance(part, str):
            return part
        try:
            return float(part)
        except ValueError:
            return _run.length_in_meters(part, name) / unit

    if isinstance(value, str):
        parts = value.strip().removeprefix("[").removesuffix("]").split(",")
        value = parts if len(parts) > 1 else parts[0]
    if not isinstance(value, str) and not (isinstance(value, (list, tuple)) and any(isinstance(part, str) for part in value)):
        return value
    # a scale of 0 is that of the files: 1 Angstrom
    unit = _run.length_in_meters(_values.number("scale", scale), "scale") or 1e-10
    return length(value) if isinstance(value, str) else [length(part) for part in value]


class Body(Item):
    """A body of a material. `voxels`: an array of numbers of materials (integers, with `materials`) or of relative permittivities,
    with axes x, y, z; with `spacing`, the edges of a voxel, one or three, and optionally `origin`, the corner of the first one, in
    meters, or texts with units. `mesh`: a mesh of trimesh, or (vertices, triangles). Numbers of both are in units of `scale`, by
    default 1 m."""

    kind = "Body"

    def __init__(self, *, voxels=None, spacing=None, origin=None, mesh=None, **given):
        if voxels is not None and mesh is not None:
            raise _errors.InputError("mesh: a body has voxels or a mesh", "mesh")
        if voxels is not None:
            given.setdefault("shape", "voxels")
            given.setdefault("scale", 1)
            if spacing is None:
                raise _errors.InputError("spacing: voxels need the edges of one, in meters", "spacing")
        if mesh is not None:
            given.setdefault("shape", "stl")
        super().__init__(**given)
        self.voxels, self.spacing, self.origin, self.mesh = voxels, spacing, origin, mesh
        self._check_arrays()

    def _check_arrays(self):
        from . import _files

        if self.voxels is not None:
            _files.check_voxels(self.voxels, "voxels")
            _files.check_edges(self._lengths("spacing"))
            if self.origin is not None:
                _files.three(self._lengths("origin"), "origin")
        elif self.mesh is not None:
            _files.corners_of(self.mesh)

    def _lengths(self, name):
        return _lengths(getattr(self, name), self.get("scale", 1.0), name)

    def _has_arrays(self):
        return self.voxels is not None or self.mesh is not None

    def __eq__(self, other):
        if not isinstance(other, Body):
            return dict(self) == other and not self._has_arrays()
        return dict(self) == dict(other) and self._has_same_arrays(other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def _has_same_arrays(self, other):
        return all(_are_equal(getattr(self, name), getattr(other, name)) for name in ("voxels", "spacing", "origin", "mesh"))

    def _array(self):
        """The name of the argument that is written as a file; None if there is none."""
        return "voxels" if self.voxels is not None else "mesh" if self.mesh is not None else None

    def _with_file(self, folder):
        """The keys with the name of a file, which is written into the folder."""
        from . import _files

        keys = dict(self)
        if self._has_arrays() and isinstance(keys.get("scale"), numbers.Real) and keys["scale"]:
            # without a unit, a scale of 1 looks like one that lacks it
            keys["scale"] = _values.number("scale", keys["scale"]) + " m"
        if self.voxels is not None:
            origin = None if self.origin is None else self._lengths("origin")
            keys["file"] = _files.put_voxels(folder, self.voxels, self._lengths("spacing"), origin)
        elif self.mesh is not None:
            keys["file"] = _files.put_mesh(folder, self.mesh)
        return keys

    def __reduce__(self):
        return _remake, ("Body", {**self, "voxels": self.voxels, "spacing": self.spacing, "origin": self.origin, "mesh": self.mesh})


class Source(Item):
    """A source of light."""

    kind = "Source"


class Monitor(Item):
    """A recorded quantity."""

    kind = "Monitor"


class Job:
    """A job: its options are attributes (None: the default), its lists are lists of items.

    sample : the file of a description of a sample; build : options of the block `build` as a mapping."""

    def __init__(self, *, boundaries=(), materials=(), bodies=(), sources=(), monitors=(), sample=None, build=None, **options):
        given = {"boundaries": boundaries, "materials": materials, "bodies": bodies, "sources": sources, "monitors": monitors}
        self.folder = None  # of the files that the job names
        self.options = {}
        for key, value in options.items():
            setattr(self, key, value)
        for name, items in given.items():
            setattr(self, name, items)
        self.sample = None if sample is None else os.fspath(sample)
        if build:
            _values.check_mapping("build", build)
        self.build = {_plain(key): value for key, value in (build or {}).items()}

    @staticmethod
    def _item(name, given):
        _values.check_mapping(name, given)
        return given if isinstance(given, Item) else globals()[_LISTS[name]](**{_plain(key): value for key, value in given.items()})

    def __getattr__(self, name):
        if name in TABLES["fdtd"]:
            return self.__dict__.get("options", {}).get(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        if name in TABLES["fdtd"]:
            if value is None:
                self.options.pop(name, None)
            else:
                _check("fdtd", name, value)
                self.options[name] = value
        elif name in _LISTS:
            if isinstance(value, (str, dict)) or not hasattr(value, "__iter__"):
                raise _errors.InputError(f"{name}: {value!r} is not a list", name)
            object.__setattr__(self, name, [self._item(name, item) for item in value])
        elif name in ("options", "sample", "build", "folder"):
            object.__setattr__(self, name, value)
        else:
            _values.to_text("fdtd", name, value)  # refuses it, with a proposal

    def __dir__(self):
        return [*super().__dir__(), *TABLES["fdtd"]]

    def __eq__(self, other):
        return (isinstance(other, Job) and self._write(None) == other._write(None) and len(self.bodies) == len(other.bodies)
                and all(one._has_same_arrays(two) for one, two in zip(self.bodies, other.bodies)))

    __hash__ = None

    def __repr__(self):
        parts = [f"{key}={value!r}" for key, value in self.options.items()]
        parts += [f"{name}={getattr(self, name)!r}" for name in _LISTS if getattr(self, name)]
        parts += [f"{name}={getattr(self, name)!r}" for name in ("sample", "build") if getattr(self, name)]
        return f"sonde.fdtd.Job({', '.join(parts)})"

    # YAML

    @classmethod
    def from_yaml(cls, source):
        """A job from a file of YAML, or from its text, which has at least two lines."""
        folder = None
        if not isinstance(source, (str, os.PathLike)):
            raise _errors.InputError(f"source: {source!r} is not the name of a file, nor the text of a job", "source")
        if isinstance(source, os.PathLike) or \
                (isinstance(source, str) and "\n" not in source and (":" not in source[2:] or os.path.exists(source))):
            folder = os.path.dirname(os.path.abspath(os.fspath(source)))
            with open(source, encoding="utf-8") as file:
                source = file.read()
        found = _read_yaml(source)
        for key in found:
            if key not in TABLES:
                _values.to_text("program", _plain(key), "")  # refuses it, with a proposal
        if found.get("fdtd"):
            _values.check_mapping("fdtd", found["fdtd"])
        block = {_plain(key): value for key, value in (found.get("fdtd") or {}).items()}
        if not block:
            raise _errors.InputError("source: there is no block `fdtd:`", "source")
        job = cls(sample=found.get("sample"), build=found.get("build"), **block)
        job.folder = folder
        return job

    def to_yaml(self, path=None, *, overwrite=False):
        """The job as YAML; with a path, as a file. Returns the text.

        Arrays and meshes of bodies become files next to that of the job, which they need a path for. Their names follow from their
        content, voxels-<digits>.h5 and mesh-<digits>.stl, so that jobs in one folder leave the files of each other alone. `overwrite`
        replaces an existing file of YAML; those of bodies are never replaced."""
        from . import _run

        for number, body in enumerate(self.bodies, 1):
            if path is None and isinstance(body, Body) and body._has_arrays():
                raise _errors.InputError(f"path: the {body._array()} of body {number} are written as a file next to the job: give a path", "path")
        if path is None:
            return self._write(None)
        name = _run.path_of(path)
        exists = _errors.InputError(f"path: {name}: exists already; choose another name or add overwrite", "path")
        if os.path.lexists(name) and not overwrite:
            raise exists
        text = self._write(os.path.dirname(os.path.abspath(name)))
        try:
            with open(name, "w" if overwrite else "x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            raise exists from None
        return text

    def _path(self, value, folder):
        """Files are named as in the job; away from its folder, by their whole path."""
        if folder is None or self.folder is None or os.path.isabs(value) or folder == self.folder:
            return value
        whole = os.path.join(self.folder, value)
        return whole if os.path.exists(whole) else value

    def _lines(self, table, keys, before, folder):
        for key, value in keys.items():
            if value is None:
                continue
            text = _values.to_text(table, key, value)
            if TABLES[table].get(key, ("", "", ""))[1] == "file":
                text = self._path(text, folder)
            yield f"{before}{key.replace('_', '-')}: {_values.scalar(text)}"
            before = " " * len(before)

    def _write(self, folder):
        lines = []
        if self.sample is not None:
            lines.append(f"sample: {_values.scalar(self._path(self.sample, folder))}")
        lines.append("fdtd:")
        lines += self._lines("fdtd", self.options, "  ", folder)
        for name, kind in _LISTS.items():
            if getattr(self, name):
                lines.append(f"  {name}:")
            for number, item in enumerate(getattr(self, name), 1):
                keys = dict(item)
                if folder is not None and isinstance(item, Body):
                    with _errors.within(f"bodies {number}"):
                        keys = item._with_file(folder)
                item_lines = list(self._lines(kind, keys, "    - ", folder))
                lines += item_lines or ["    - {}"]
        if len(lines) == (2 if self.sample is not None else 1):
            lines[-1] += " {}"
        if self.build:
            lines.append("build:")
            lines += self._lines("build", self.build, "  ", folder)
        return "\n".join(lines) + "\n"

    # Runs

    def _request(self, use, output=None, overwrite=False):
        """use(request) with the job as the library reads it: from a file that lasts as long as that takes."""
        import tempfile

        from . import _run
        from ._library import check, ffi, lib

        with tempfile.TemporaryDirectory(prefix="sonde-") as folder:
            path = os.path.join(folder, "job.yaml")
            self.to_yaml(path)
            made = ffi.new("sonde_job **")
            try:
                check(lib.sonde_job_read(os.fsencode(path), made))
                try:
                    return use(_run.Request("fdtd", None, None, 0, output, overwrite, made[0]), made[0])
                finally:
                    lib.sonde_job_free(made)
            except _errors.InputError as error:
                raise _errors.of_file(error, folder, self.folder, self._arrays(folder)) from None

    def _arrays(self, folder):
        """Names of files and of the arguments that they are of, of a job that was written into the folder."""
        bodies = [body for body in self.bodies if isinstance(body, Body) and body._has_arrays()]
        return {body._with_file(folder)["file"]: body._array() for body in bodies}

    def run(self, *, output=None, overwrite=False, progress=None, **settings):
        """Runs the job; settings are device, threads, memory, host_memory, kernel_cache, launch_limit. Returns a Result."""
        from . import _run
        from ._results import make

        chosen = _settings(settings)
        return self._request(lambda request, _: make(*_run.carry_out(request, chosen, progress)), output, overwrite)

    def plan(self, **settings):
        """What the run would take: a dictionary with cells, steps, memory, and time."""
        from . import _run

        chosen = _settings(settings)
        return self._request(lambda request, _: _run.plan_of(request, chosen))

    def geometry(self):
        """Sections through the bodies, and the places of sources and monitors, as a dictionary of arrays in SI units."""
        from ._contents import Contents
        from ._library import call, context_for, ffi, free_result, lib

        def describe(_, job):
            made = ffi.new("sonde_result **")
            with context_for() as context:
                call(context, lambda: lib.sonde_fdtd_geometry(context.pointer, job, made))
            contents = Contents(ffi.gc(made[0], free_result))
            return {path[len("/geometry/"):]: contents.value(path) for path in contents.sets}

        return self._request(describe)

    def show(self, ax=None):
        """Draws the geometry with matplotlib: sections through the center, with bodies, sources, monitors, and absorbing layers.
        Returns the axes."""
        from ._geometry import draw

        return draw(self.geometry(), ax)


def _settings(given):
    unknown = set(given) - set(SETTINGS)
    if unknown:
        raise TypeError(f"run() got an unexpected keyword argument {sorted(unknown)[0]!r}")
    return _values.settings_of(given)


def run(job, *, output=None, overwrite=False, progress=None, **settings):
    """Runs a job: a Job, a mapping with its options and lists, or the name of a file of YAML. Returns a Result, whose variables
    are named MONITOR_ARRAY; Result.monitor(name) has those of one monitor."""
    if isinstance(job, (str, os.PathLike)):
        from . import _run

        return _run.job(job, "fdtd", output=output, overwrite=overwrite, progress=progress, **settings)
    if not isinstance(job, Job):
        if not hasattr(job, "keys"):
            raise _errors.InputError(f"job: {type(job).__name__} is not a job: give a sonde.fdtd.Job, a mapping, or the name of a file", "job")
        job = Job(**job)
    return job.run(output=output, overwrite=overwrite, progress=progress, **settings)


class _Module(types.ModuleType):
    """sonde.fdtd(job) runs a job, and sonde.fdtd.Job is one."""

    def __reduce__(self):
        return importlib.import_module, (self.__name__,)

    def __call__(self, job, **more):
        return run(job, **more)


_Module.__call__.__doc__ = run.__doc__
sys.modules[__name__].__class__ = _Module
