"""Results as datasets of xarray, whose arrays are those of the library, in place."""
import inspect
import os

import xarray

from . import _errors
from ._atoms import Memory
from ._library import check, ffi, lib, text

_KINDS = ("<f8", "<f4", "<c16", "<c8", "<i8", "<u2", "S")
_TEXT = 6
_SCALARS = {0: ffi.typeof("double *"), 4: ffi.typeof("int64_t *")}
# groups that describe a run; their numbers are attributes of the dataset
_ABOUT = ("process", "sample", "samples", "target", "ion", "beam", "grid")
# suffixes of the names of errors, the best first
_ERRORS = ("_standard_error", "_errors", "_error", "_bound")


class Contents:
    """The arrays and attributes of a result by their paths in an HDF5 file."""

    def __init__(self, handle):
        self.handle = handle
        view = ffi.new("sonde_contents *")
        check(lib.sonde_result_contents_sized(handle, view, ffi.sizeof("sonde_contents")))
        self.sets, self.attributes = {}, {}
        for given in view.datasets[0:view.dataset_count] if view.dataset_count else ():
            self.sets[text(given.path)] = given
        for given in view.attributes[0:view.attribute_count] if view.attribute_count else ():
            words = [text(word) for word in given.texts[0:given.count]] if given.count else []
            self.attributes.setdefault(text(given.path), {})[text(given.name)] = words
        self.view = view

    def shape(self, path):
        given = self.sets[path]
        return tuple(given.sizes[0:given.rank]) if given.rank else ()

    def content(self, path):
        """The bytes of a dataset, and what they mean."""
        given = self.sets[path]
        count = 1
        for size in self.shape(path):
            count *= size
        size = given.size if given.element == _TEXT else int(_KINDS[given.element][2:])
        return bytes(ffi.buffer(given.values, count * size)), text(given.unit), text(given.long_name)

    def attribute(self, path, name, default=None):
        return self.attributes.get(path, {}).get(name, default)

    def value(self, path):
        """A scalar or text as an object of Python, or an array."""
        import numpy

        given = self.sets[path]
        if given.rank == 0 and given.element in _SCALARS:
            return ffi.cast(_SCALARS[given.element], given.values)[0]
        shape = self.shape(path)
        if given.element == _TEXT:
            if given.rank == 0:
                return bytes(ffi.buffer(given.values, given.size)).rstrip(b"\0").decode("utf-8", "replace")
            raw = numpy.frombuffer(ffi.buffer(given.values, given.size * shape[0]), f"S{given.size}")
            return numpy.array([item.partition(b"\0")[0].decode("utf-8", "replace") for item in raw], dtype=str)
        return numpy.asarray(Memory(self, int(ffi.cast("uintptr_t", given.values)), shape, _KINDS[given.element]))


def _meaning(given):
    attributes = {"units": text(given.unit)}
    if given.long_name[0] != b"\0":
        attributes["long_name"] = text(given.long_name)
    return attributes


class _Maker:
    """Collects the variables and coordinates of a dataset."""

    def __init__(self, contents, engine):
        self.contents, self.engine = contents, engine
        self.root = "/" + engine
        self.default = contents.attribute(self.root, "default", [""])[0]
        self.groups = [path for path, found in contents.attributes.items() if found.get("NX_class") == ["NXdata"]]
        self.members = {group: [] for group in self.groups}
        for path in contents.sets:
            group, _, name = path.rpartition("/")
            if group in self.members and name != "title":
                self.members[group].append(name)
        self.variables, self.coordinates, self.sizes = {}, {}, {}
        self.recipe = []  # of the variables: name, path, dimensions
        self.signals = {}
        # of fdtd: the axes of each array of each monitor
        self.named_axes = self._read_axes() if engine == "fdtd" else {}

    def _read_axes(self):
        found, group = {}, None
        if "/fdtd/process/arrays" not in self.contents.sets:
            return found
        for line in self.contents.value("/fdtd/process/arrays").splitlines():
            words = line.split("\t")
            if words[0]:
                group = "/fdtd/" + words[1]
            else:
                name, *axes = words[1].split(" ")
                found[group, name] = axes
        return found

    def axes_of(self, group):
        """Names of the axes of a group, the slowest first."""
        if self.named_axes:
            names = {axis for (of, _), axes in self.named_axes.items() if of == group for axis in axes if axis != "."}
            return [name for name in self.members[group] if name in names]
        names = [name for name in self.contents.attribute(group, "axes", []) if name != "."]
        more = [name for name in self.members[group] if name in ("q", "r", "pair") and name not in names]
        return names + [name for name in more if name in self.members[group]]

    def make(self):
        counts = {}
        for group in self.groups:
            axes = self.axes_of(group)
            for name in self.members[group]:
                if name not in axes:
                    counts[name] = counts.get(name, 0) + 1
        places = {}  # of each group: axis -> dimension
        for group in self.groups:
            places[group] = self._add_axes(group)
        for group in self.groups:
            self._add_values(group, places[group], counts)
        self._add_summary()
        self._relate_errors()
        return self.variables, self.coordinates

    def prefix(self, group):
        """Monitors, and kinds of atoms, are parts of names."""
        parts = group[len(self.root) + 1:].split("/")
        return parts[-1] + "_" if self.engine == "fdtd" or len(parts) > 1 else ""

    def _add_axes(self, group):
        import numpy

        dimensions = {}
        for name in self.axes_of(group):
            values = self.contents.value(f"{group}/{name}")
            wanted = name
            known = self.coordinates.get(name)
            if known is not None and not numpy.array_equal(known.values, values):
                wanted = group.rpartition("/")[2] + "_" + name
            if wanted not in self.coordinates:
                given = self.contents.sets[f"{group}/{name}"]
                self.coordinates[wanted] = xarray.Variable((wanted,), values, _meaning(given))
                self.sizes[wanted] = len(values)
            dimensions[name] = wanted
        return dimensions

    def dimensions_of(self, group, name, shape, places):
        axes = self.named_axes.get((group, name)) or self.named_axes.get((group, name + "_real"))
        if axes is not None:
            return tuple(places.get(axis) or f"{name}_{number}" for number, axis in enumerate(axes))
        free = list(places.values()) + [axis for axis in self.sizes if axis not in places.values()]
        own, found = list(places.values()), []
        for number in reversed(range(len(shape))):
            size = shape[number]
            candidates = [axis for axis in reversed(own) if axis in free and self.sizes[axis] == size]
            candidates += [axis for axis in free if axis not in own and self.sizes[axis] == size]
            if size == 3 and number == len(shape) - 1 and self.engine == "coulomb":
                candidates = ["component"]
                self.coordinates.setdefault("component", xarray.Variable(("component",), ["x", "y", "z"]))
            if candidates:
                if candidates[0] in free:
                    free.remove(candidates[0])
                found.append(candidates[0])
            else:
                found.append(f"{name}_{number}")
        return tuple(reversed(found))

    def _add_values(self, group, places, counts):
        for name in self.members[group]:
            if name in places:
                continue
            given = self.contents.sets[f"{group}/{name}"]
            values = self.contents.value(f"{group}/{name}")
            shape = () if given.rank == 0 else values.shape if hasattr(values, "shape") else ()
            prefix = self.prefix(group)
            if not prefix and counts[name] > 1:
                prefix = group.rpartition("/")[2] + "_"
            meaning = _meaning(given)
            if name == self.contents.attribute(group, "signal", [None])[0]:
                self.signals[group] = prefix + name
            dimensions = self.dimensions_of(group, name, shape, places)
            self.recipe.append((prefix + name, f"{group}/{name}", dimensions))
            self.variables[prefix + name] = xarray.Variable(dimensions, values, meaning)

    def _add_summary(self):
        group = self.root + "/summary/"
        for path, given in self.contents.sets.items():
            if path.startswith(group) and path[len(group):] not in self.variables:
                self.recipe.append((path[len(group):], path, ()))
                self.variables[path[len(group):]] = xarray.Variable((), self.contents.value(path), _meaning(given))

    def _relate_errors(self):
        for name, variable in self.variables.items():
            for suffix in _ERRORS:
                if name + suffix in self.variables:
                    variable.attrs["error"] = name + suffix
                    break

    def about(self):
        """Where the attributes of the dataset are: pairs of names and paths of options, and of others."""
        options = self.root + "/process/options/"
        named, others = [], []
        for path in self.contents.sets:
            if path.startswith(options):
                named.append((path[len(options):].replace("-", "_"), path))
                continue
            parts = path[len(self.root) + 1:].split("/")
            if len(parts) == 2 and parts[0] in _ABOUT:
                others.append((parts[1] if parts[0] == "process" else f"{parts[0]}_{parts[1]}", path))
        return named, others

    def signal(self):
        return self.signals.get(f"{self.root}/{self.default}")


def _attributes(contents, engine, about, signal):
    found = {"engine": engine, "title": contents.value(f"/{engine}/title")}
    for name, path in about[1]:
        given, value = contents.sets[path], contents.value(path)
        if given.rank == 0 and given.element != _TEXT or (isinstance(value, str) and value):
            found[name] = value
    found["options"] = "\n".join([f"{name} = {contents.value(path)}" for name, path in about[0]])
    if signal is not None:
        found["signal"] = signal
    return found


def _write_errors(engine, variables, attributes):
    """Errors that are one number for a whole array."""
    import numpy

    if engine == "stopping":
        for name in ("range", "range_straggling", "lateral_straggling", "path"):
            error = attributes.get(name + "_error")
            if name in variables and error is not None:
                variable = variables[name]
                variables[name + "_errors"] = xarray.Variable(variable.dims, numpy.asarray(variable.values) * error, {
                    "units": variable.attrs["units"], "long_name": "estimated numerical error of " + name})
                variable.attrs["error"] = name + "_errors"
    if engine == "coulomb":
        for name, error in (("potential", "largest_error"), ("field", "largest_field_error")):
            if name in variables and error in attributes:
                variables[name + "_error"] = xarray.Variable((), attributes[error], {
                    "units": variables[name].attrs["units"], "long_name": "largest estimated error of the " + name})
                variables[name].attrs["error"] = name + "_error"
    if engine == "pattern":
        for name in ("I", "F"):
            if name in variables:
                variables[name].attrs.setdefault("relative_error", attributes.get("largest_error"))
    if engine == "fdtd":
        for variable in variables.values():
            for name in ("grid_error", "truncation_error", "rounding_error", "companion_error"):
                if name in attributes:
                    variable.attrs[name] = attributes[name]


# Results of the same kind ----------------------------------------------------------------------------------------
#
# In a loop, results differ in their numbers only. What follows from the paths, shapes, and axes is kept: the names and the
# dimensions of variables, the coordinates, and their indexes, whose making takes most of the time of a small result.

_LAYOUTS = {}
_MOST_LAYOUTS, _MOST_BYTES = 32, 1 << 20


def _can_construct():
    """Whether xarray makes datasets of parts in the way that is used here, which is not part of its interface."""
    function = getattr(xarray.Dataset, "_construct_direct", None)
    return function is not None and {"variables", "coord_names", "dims", "attrs", "indexes"} <= set(inspect.signature(function).parameters)


_CAN_CONSTRUCT = _can_construct()


class _Layout:
    """What results of one kind have in common."""

    def __init__(self, maker, result):
        self.recipe, self.about, self.signal = maker.recipe, maker.about(), maker.signal()
        self.errors = [(name, variable.attrs["error"]) for name, variable in maker.variables.items() if "error" in variable.attrs]
        self.order = list(result.variables)
        # of their own memory, so that the first result need not be kept
        own = {name: xarray.Variable(variable.dims, variable.values.copy(), variable.attrs) for name, variable in maker.coordinates.items()}
        axes = xarray.Dataset(coords=own)
        self.coordinates = {name: axes.variables[name] for name in axes.coords}
        self.indexes, self.sizes = dict(axes.xindexes), dict(result.sizes)

    def make(self, contents, engine, notes):
        """The dataset; None if its variables are others after all."""
        sets = contents.sets
        found = {name: xarray.Variable(dimensions, contents.value(path), _meaning(sets[path]), fastpath=True)
                 for name, path, dimensions in self.recipe}
        for name, error in self.errors:
            found[name].attrs["error"] = error
        attributes = _finish(engine, found, _attributes(contents, engine, self.about, self.signal), notes)
        for name, variable in self.coordinates.items():
            found[name] = variable.copy(deep=False)
        if len(found) != len(self.order):
            return None
        return Result._construct_direct({name: found[name] for name in self.order}, set(self.coordinates), dims=dict(self.sizes),
                                        attrs=attributes, indexes=dict(self.indexes))


def _kind(contents, engine):
    """What decides on the layout of a result; None if it is not kept."""
    if engine == "fdtd" or not _CAN_CONSTRUCT:
        return None
    groups = [path for path, found in contents.attributes.items() if found.get("NX_class") == ["NXdata"]]
    words = tuple([(path, name, *texts) for path, found in contents.attributes.items() for name, texts in found.items()])
    shapes, axes, size = [], [], 0
    for path, given in contents.sets.items():
        group, _, name = path.rpartition("/")
        if group in groups:
            shapes.append(contents.shape(path))
            if name in ("q", "r", "pair") or name in contents.attribute(group, "axes", ()):
                axes.append(contents.content(path))
                size += len(axes[-1][0])
                if size > _MOST_BYTES:
                    return None
    return engine, tuple(contents.sets), words, tuple(shapes), tuple(axes)


def _finish(engine, variables, attributes, notes):
    _write_errors(engine, variables, attributes)
    if notes:
        attributes["notes"] = "\n".join(notes)
    return attributes


def make(handle, notes=()):
    """The dataset of a result of the library."""
    engine = text(lib.sonde_result_engine(handle))
    contents = Contents(handle)
    kind = _kind(contents, engine)
    layout = _LAYOUTS.get(kind)
    result = layout.make(contents, engine, notes) if layout is not None else None
    if result is None:
        maker = _Maker(contents, engine)
        variables, coordinates = maker.make()
        result = Result(variables, coordinates, _finish(engine, variables, _attributes(contents, engine, maker.about(), maker.signal()), notes))
        if kind is not None:
            if len(_LAYOUTS) >= _MOST_LAYOUTS:
                _LAYOUTS.clear()
            _LAYOUTS[kind] = _Layout(maker, result)
    object.__setattr__(result, "_file", handle)
    return result


class Result(xarray.Dataset):
    """An xarray.Dataset: variables have units, a long name, and, as their attribute `error`, the name of the variable with
    their errors. It also draws itself, writes NeXus files, and shows its origin."""

    __slots__ = ("_file",)

    @property
    def _whole(self):
        """The result of the library, or its file, while this dataset is as it was made."""
        try:
            return object.__getattribute__(self, "_file")
        except AttributeError:
            return None

    @property
    def options(self):
        """The options of the run, with all decisions made, as a dictionary of texts."""
        pairs = (line.split(" = ", 1) for line in self.attrs.get("options", "").splitlines())
        return {pair[0]: pair[1] if len(pair) > 1 else "" for pair in pairs}

    def plot(self, name=None, ax=None, **more):
        """Draws a variable, by default the main one, with matplotlib: a curve with its error band, or a map. Returns the axes.

        Keywords: those of matplotlib, and xscale and yscale, "linear" or "log"; for volumes, `at` is the index along the
        first axis."""
        from ._drawing import draw

        return draw(self, name, ax, **more)

    def error_of(self, name):
        """The errors of a variable, or None."""
        error = self[name].attrs.get("error")
        return self[error] if error in self.variables else None

    def monitor(self, name):
        """Of fdtd: the variables of a monitor, with the names that they have in its group of the file."""
        prefix = name + "_"
        chosen = [key for key in self.data_vars if key.startswith(prefix)]
        if not chosen:
            raise _errors.InputError(f"name: there is no monitor {name!r}", "name")
        chosen_axes = {axis for key in chosen for axis in self[key].dims}
        part = xarray.Dataset({key: self.variables[key] for key in chosen},
                              {axis: self.variables[axis] for axis in self.coords if axis in chosen_axes}, self.attrs)
        names = {key: key[len(prefix):] for key in [*chosen, *part.coords] if key.startswith(prefix)}
        return part.rename(names)

    def group(self, name):
        """The arrays of a group of the result's file as a dictionary, also of lists that are not part of the dataset: "trajectories" and
        "exits" of ions, "instrument/detector/poni" of pattern. Empty if there is no such group."""
        handle = self._library_result()
        contents, before = Contents(handle), f"/{text(lib.sonde_result_engine(handle))}/{name.strip('/')}/"
        return {path[len(before):]: contents.value(path) for path in contents.sets if path.startswith(before)}

    def _library_result(self):
        """The result of the library that this dataset is of."""
        whole = self._whole
        if whole is None:
            raise _errors.InputError("this dataset was derived from a result, or changed: use to_netcdf() of xarray, or write "
                                     "the result that it was made of")
        if isinstance(whole, bytes):
            whole = _restore(whole)
            object.__setattr__(self, "_file", whole)
        return whole

    def to_nexus(self, path, *, overwrite=False):
        """Writes the file that the program would write: HDF5 in NeXus form (.h5 .hdf5 .nxs), with everything."""
        name = os.fspath(path)
        if not name.endswith((".h5", ".hdf5", ".nxs", ".cxi")):
            raise _errors.InputError(f"path: {name!r} does not end in .h5, .hdf5, or .nxs", "path")
        self.write(name, overwrite=overwrite)

    def write(self, path, *, overwrite=False):
        """Writes the result in the format given by the ending: .h5, .csv, .dat, and those that the engine has (.gr, .cube ...)."""
        check(lib.sonde_result_write(self._library_result(), os.fspath(path).encode(), overwrite))

    def _forget(self):
        """A dataset that is changed is no longer the result."""
        object.__setattr__(self, "_file", None)

    def __setitem__(self, key, value):
        self._forget()
        super().__setitem__(key, value)

    def __delitem__(self, key):
        self._forget()
        super().__delitem__(key)

    def update(self, other):
        self._forget()
        return super().update(other)

    def copy(self, deep=False, data=None):
        """A copy; one that is not deep still knows its file."""
        made = super().copy(deep, data)
        if data is None:
            object.__setattr__(made, "_file", self._whole)
        return made

    def __reduce__(self):
        whole = self._whole
        if whole is not None and not isinstance(whole, bytes):
            whole = _file_of(whole)
        plain = xarray.Dataset(self.variables, attrs=self.attrs)
        return _rebuild, (plain.load().copy(deep=True), whole)

    def __reduce_ex__(self, protocol):
        return self.__reduce__()

    def _repr_html_(self):
        from ._html import page

        return page(self, super()._repr_html_())


def _file_of(handle):
    """The bytes of the NeXus file of a result."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="sonde-") as folder:
        path = os.path.join(folder, "result.h5")
        check(lib.sonde_result_write(handle, path.encode(), 1))
        with open(path, "rb") as file:
            return file.read()


def _restore(content):
    import tempfile

    from ._run import _free_result

    with tempfile.TemporaryDirectory(prefix="sonde-") as folder:
        path = os.path.join(folder, "result.h5")
        with open(path, "wb") as file:
            file.write(content)
        made = ffi.new("sonde_result **")
        check(lib.sonde_result_read(ffi.NULL, path.encode(), made))
    return ffi.gc(made[0], _free_result)


def _rebuild(plain, whole):
    coordinates = {name: plain.variables[name] for name in plain.coords}
    variables = {name: plain.variables[name] for name in plain.data_vars}
    result = Result(variables, coordinates, plain.attrs)
    object.__setattr__(result, "_file", whole)
    return result
