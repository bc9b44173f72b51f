"""Results as datasets of xarray, whose arrays are those of the library, in place."""
import inspect
import itertools
import math
import os

import numpy
import xarray

from . import _errors, _result_errors
from ._contents import KINDS, TEXT, Contents
from ._library import check, context_for, ffi, free_result, lib, text

# groups that describe a run; their numbers are attributes of the dataset
_ABOUT = ("process", "sample", "samples", "target", "ion", "beam", "grid")


# Dimensions of arrays along other axes than those of their group. A field has those of the potential, and its components.
_FIELD = ("field",)
_FORMS = {("coulomb", "origin"): ("component",), ("coulomb", "steps"): ("step", "component"), ("coulomb", "points"): ("point", "component"),
          ("coulomb", "field"): _FIELD, ("ions", "origin"): ("component",), ("ions", "cell_width"): ("component",)}

# Arrays that have this axis before those of their group, and so have their errors.
_FIRST = {("pattern", "F_parts"): "part", ("debye", "R_ab"): "pair", ("debye", "n_ab"): "pair"}
# Names that are those of an axis, which the attributes of the group do not list.
_LABELS = {("pattern", "parts"): "part"}
_COMPONENT = {"units": "", "long_name": "component"}
# Axes without numbers.
_UNNAMED = {"coulomb": "set", "pattern": "point"}


def _in_order(axes, sizes, shape):
    """The axes of an array: the first ones of its group, in their order, that have its sizes; none if there are no such. The size of an axis
    without numbers is not known."""
    for chosen in itertools.combinations(axes, len(shape)):
        if all(sizes.get(axis, size) == size for axis, size in zip(chosen, shape)):
            return chosen
    return ()


def _unit(given):
    """The unit of a dataset, spelled as pint and UDUNITS read it: files of some engines have "Angstrom", of others "angstrom"."""
    return text(given).replace("Angstrom", "angstrom").replace("/angstrom/angstrom", "/angstrom^2")


def _meaning(given):
    return {"units": _unit(given.unit), "long_name": text(given.long_name) or text(given.path).rpartition("/")[2].replace("_", " ")}


def _form_of(given):
    """Shape, kind, and bytes of an array of numbers; None for single values and texts."""
    if given.rank == 0 or given.element == TEXT:
        return None
    shape = tuple(given.sizes[0:given.rank])
    return shape, numpy.dtype(KINDS[given.element]), given.size * math.prod(shape)


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
        self.origins = {}  # of fdtd: the names of coordinates with those of monitors
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
        more = [name for name in self.members[group] if (name in ("q", "r", "pair") or (self.engine, name) in _LABELS) and name not in names]
        return names + [name for name in more if name in self.members[group]]

    def along_line(self, group):
        """Of coulomb: the names of arrays with the coordinates of points on a line, whose axis is the distance along it."""
        axes = self.contents.attribute(group, "axes", [])
        return [name for name in self.members[group] if name in ("x", "y", "z")] if self.engine == "coulomb" and "a" in axes else []

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
        _result_errors.relate(self.variables)
        _result_errors.relate_axes(self.coordinates, self.variables, self.origins)
        return self.variables, self.coordinates

    def prefix(self, group):
        """Monitors, and kinds of atoms, are parts of names."""
        parts = group[len(self.root) + 1:].split("/")
        return parts[-1] + "_" if self.engine == "fdtd" or len(parts) > 1 else ""

    def _add_axes(self, group):
        dimensions = {}
        for name in self.axes_of(group):
            values = self.contents.value(f"{group}/{name}")
            wanted = _LABELS.get((self.engine, name), name)
            known = self.coordinates.get(wanted)
            if known is not None and not numpy.array_equal(known.values, values):
                wanted = group.rpartition("/")[2] + "_" + wanted
            if wanted not in self.coordinates:
                given = self.contents.sets[f"{group}/{name}"]
                self.coordinates[wanted] = xarray.Variable((wanted,), values, _meaning(given))
                self.sizes[wanted] = len(values)
            if self.engine == "fdtd":
                self.origins.setdefault(wanted, []).append(self.prefix(group) + name)
            dimensions[name] = wanted
        for name in self.along_line(group):
            values = self.contents.value(f"{group}/{name}")
            axis = max(dimensions.values(), key=self.sizes.get)
            self.coordinates[name] = xarray.Variable((axis,), values, _meaning(self.contents.sets[f"{group}/{name}"]))
        return dimensions

    def dimensions_of(self, group, name, shape, places):
        axes = self.named_axes.get((group, name)) or self.named_axes.get((group, name + "_real"))
        if axes is not None:
            return tuple(places.get(axis) or f"{name}_{number}" for number, axis in enumerate(axes))
        own = [places.get(axis, axis) for axis in self.contents.attribute(group, "axes", [])]
        own += [axis for axis in places.values() if axis not in own]
        if not own and self.engine == "coulomb":
            own = ["point"] if self.contents.value("/coulomb/sample/charge_sets") == 1 else [".", "point"]
        form, first = _FORMS.get((self.engine, name)), _FIRST.get((self.engine, _result_errors.without_suffix(name)))
        if first is not None and self.sizes.get(first) == shape[0]:
            found = (first, *_in_order([axis for axis in own if axis != first], self.sizes, shape[1:]))
        elif form is not None:
            found = (*own[:len(shape) - 1], "component") if form is _FIELD else form
        else:
            # rows of pairs come before their axis, also where the group has it first for its other arrays
            found = _in_order(own if len(shape) == 1 else sorted(own, key="pair".__ne__), self.sizes, shape)
        if len(found) != len(shape):
            found = [f"{name}_{number}" for number in range(len(shape))]
        if "component" in found:
            self.coordinates.setdefault("component", xarray.Variable(("component",), ["x", "y", "z"], dict(_COMPONENT)))
        return tuple(_UNNAMED.get(self.engine, f"{name}_{number}") if axis == "." else axis for number, axis in enumerate(found))

    def _add_values(self, group, places, counts):
        along_line = self.along_line(group)
        for name in self.members[group]:
            if name in places or name in along_line:
                continue
            given = self.contents.sets[f"{group}/{name}"]
            values = self.contents.value(f"{group}/{name}")
            shape = getattr(values, "shape", ())
            prefix = self.prefix(group)
            if not prefix and counts[name] > 1:
                prefix = group.rpartition("/")[2] + "_"
            meaning = _meaning(given)
            if self.engine == "fdtd":
                meaning["monitor"] = prefix[:-1]
            if name == self.contents.attribute(group, "signal", [None])[0]:
                self.signals[group] = prefix + name
            dimensions = self.dimensions_of(group, name, shape, places)
            self.recipe.append((prefix + name, f"{group}/{name}", dimensions))
            self.variables[prefix + name] = xarray.Variable(dimensions, values, meaning)

    def _add_summary(self):
        """The numbers of the summary; those with the name of a profile, as `vacancies` of ions, with "total_" before it."""
        group = self.root + "/summary/"
        for path, given in self.contents.sets.items():
            if path.startswith(group):
                name = path[len(group):]
                name = "total_" + name if name in self.variables else name
                self.recipe.append((name, path, ()))
                self.variables[name] = xarray.Variable((), self.contents.value(path), _meaning(given))

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


def _options_text(contents, named):
    return "\n".join([f"{name} = {contents.value_of(given)}" for name, given in named])


def _is_shown(given, value):
    """Whether a dataset that is not a variable is an attribute: numbers, and texts that are not empty."""
    return given.rank == 0 and given.element != TEXT or (isinstance(value, str) and value != "")


def _attributes(contents, title, others, options, signal):
    found = dict(title)
    for name, given in others:
        value = contents.value_of(given)
        if _is_shown(given, value):
            found[name] = value
    found["options"] = options
    if signal is not None:
        found["signal"] = signal
    return found


# Results of the same kind ----------------------------------------------------------------------------------------
#
# In a loop, results differ in their numbers only. What follows from the paths, shapes, and axes is kept: the names and the
# dimensions of variables, the coordinates, and their indexes, whose making takes most of the time of a small result.

_LAYOUTS: dict = {}  # of each engine, the last one used first
_MOST_LAYOUTS, _MOST_BYTES = 8, 4 << 20


def _can_construct():
    """Whether xarray makes datasets and variables of parts in the way that is used here, which is not part of its interface."""
    function = getattr(xarray.Dataset, "_construct_direct", None)
    slots = {slot for kind in xarray.Variable.__mro__ for slot in getattr(kind, "__slots__", ())} - {"__weakref__"}
    return (function is not None and {"variables", "coord_names", "dims", "attrs", "indexes"} <= set(inspect.signature(function).parameters)
            and slots == {"_dims", "_data", "_attrs", "_encoding"} and not getattr(xarray.IndexVariable, "__slots__", ()))


_CAN_CONSTRUCT = _can_construct()


def _variable(kind, dimensions, data, attributes):
    """What kind(dimensions, data, attributes) makes of an array of NumPy, or of the data of another variable."""
    made = object.__new__(kind)
    made._dims, made._data, made._attrs, made._encoding = dimensions, data, attributes, None
    return made


def _constant(values):
    """A copy that cannot be changed: results of one layout share it."""
    copy = values.copy()
    copy.flags.writeable = False
    return copy


class _Layout:
    """What results of one kind have in common. It keeps one of them, with which others are compared."""

    def __init__(self, maker, result, attributes):
        contents = maker.contents
        numbers = {path: number for number, path in enumerate(contents.sets)}
        axes = [numbers[f"{group}/{name}"] for group in maker.groups for name in maker.axes_of(group) + maker.along_line(group)]
        axes.append(numbers[f"/{maker.engine}/title"])
        named, others = maker.about()
        self.contents, self.engine, self.attributes = contents, maker.engine, attributes
        self.recipe = [(name, numbers[path], dimensions, _meaning(contents.sets[path]), _form_of(contents.sets[path]))
                       for name, path, dimensions in maker.recipe]
        self.others = {numbers[path]: name for name, path in others}
        self.named = {numbers[path]: name for name, path in named}
        # datasets whose values are the same in results of this layout
        self.axes = ffi.new("int64_t[]", axes)
        self.errors = [(name, variable.attrs["error"]) for name, variable in maker.variables.items() if "error" in variable.attrs]
        self.order = list(result.variables)
        # of their own memory, since variables of the first result may be changed
        own = {name: xarray.Variable(variable.dims, _constant(variable.values), variable.attrs) for name, variable in maker.coordinates.items()}
        kept = xarray.Dataset(coords=own)
        self.coordinates = {name: kept.variables[name] for name in kept.coords}
        self.indexes, self.sizes = dict(kept.xindexes), dict(result.sizes)

    def changes(self, contents):
        """The numbers of single values that are others than those of the result that is kept; None for results of another layout."""
        changed = ffi.new("int64_t[]", contents.view.dataset_count + 1)
        count = lib.sonde_result_changes(self.contents.handle, contents.handle, len(self.axes), self.axes, changed)
        return None if count < 0 else ffi.unpack(changed, count) if count else []

    def _attributes_of(self, contents, changes):
        """Those of the result that is kept, with the changes; None if there are more or fewer of them."""
        datasets, found = contents.view.datasets, self.attributes.copy()
        for number in changes:
            name = self.others.get(number)
            if name is not None:
                value = contents.value_of(datasets[number])
                if (name in found) != _is_shown(datasets[number], value):
                    return None
                if name in found:
                    found[name] = value
        if not self.named.keys().isdisjoint(changes):
            found["options"] = _options_text(contents, [(name, datasets[number]) for number, name in self.named.items()])
        return found

    def make(self, contents, changes, notes):
        """The dataset; None if its variables or attributes are others after all."""
        attributes = self._attributes_of(contents, changes)
        if attributes is None:
            return None
        datasets, found, array = contents.view.datasets, {}, contents.array
        for name, number, dimensions, meaning, form in self.recipe:
            if form is None:
                data = numpy.asarray(contents.value_of(datasets[number]))
            else:
                data = array(datasets[number].values, *form)
            found[name] = _variable(xarray.Variable, dimensions, data, meaning.copy())
        for name, error in self.errors:
            found[name].attrs["error"] = error
        _finish(self.engine, found, attributes, notes)
        for name, variable in self.coordinates.items():
            found[name] = _variable(type(variable), variable._dims, variable._data, variable._attrs.copy())
        if len(found) != len(self.order):
            return None
        return Result._construct_direct({name: found[name] for name in self.order}, set(self.coordinates), dims=self.sizes.copy(),
                                        attrs=attributes, indexes=self.indexes.copy())


def _make_alike(contents, engine, notes):
    """The dataset of a result of a known layout, or None."""
    layouts = _LAYOUTS.get(engine, ())
    for place, layout in enumerate(layouts):
        changes = layout.changes(contents)
        if changes is not None:
            if place > 0:
                _LAYOUTS[engine] = (layout, *layouts[:place], *layouts[place + 1:])
            return layout.make(contents, changes, notes)
    return None


def _finish(engine, variables, attributes, notes):
    _result_errors.add(engine, variables, attributes)
    if notes:
        attributes["notes"] = "\n".join(notes)
    return attributes


def make(handle, notes=()):
    """The dataset of a result of the library."""
    engine = text(lib.sonde_result_engine(handle))
    contents = Contents(handle)
    result = _make_alike(contents, engine, notes)
    if result is None:
        maker = _Maker(contents, engine)
        variables, coordinates = maker.make()
        named, others = ([(name, contents.sets[path]) for name, path in pairs] for pairs in maker.about())
        title = {"engine": engine, "title": contents.value(f"/{engine}/title")}
        attributes = _attributes(contents, title, others, _options_text(contents, named), maker.signal())
        kept = attributes.copy()
        result = Result(variables, coordinates, _finish(engine, variables, attributes, notes))
        if _CAN_CONSTRUCT and engine != "fdtd" and contents.bytes() <= _MOST_BYTES:
            _LAYOUTS[engine] = (_Layout(maker, result, kept), *_LAYOUTS.get(engine, ())[:_MOST_LAYOUTS - 1])
    object.__setattr__(result, "_file", handle)
    return result


def _rename_in(attributes, key, names, known):
    """The name of a variable in an attribute, where variables have other names; none of one that is not among them."""
    if key in attributes and attributes[key] not in known:
        del attributes[key]
    elif key in attributes:
        attributes[key] = names.get(attributes[key], attributes[key])


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
    def options(self) -> dict[str, str]:
        """The options of the run, with all decisions made, as a dictionary of texts."""
        pairs = (line.split(" = ", 1) for line in self.attrs.get("options", "").splitlines())
        return {pair[0]: pair[1] if len(pair) > 1 else "" for pair in pairs}

    def plot(self, name=None, ax=None, **more):
        """Draws a variable, by default the main one, with matplotlib: a curve with its error band, or a map. Returns the axes.

        Keywords: those of matplotlib, and xscale and yscale, "linear" or "log"; for volumes, `at` is the index along the
        first axis."""
        from ._drawing import draw

        return draw(self, name, ax, **more)

    def error_of(self, name: str) -> "xarray.DataArray | None":
        """The errors of a variable: an array like it, or one number, the largest; None if they are not known. Those of fdtd
        without arrays of errors follow from the fractions of the largest value in the attributes."""
        error = self[name].attrs.get("error")
        return self[error] if error in self.variables else _result_errors.derived(self, name)

    def monitor(self, name: str) -> xarray.Dataset:
        """Of fdtd: the variables of a monitor, with the names that they have in its group of the file."""
        prefix = name + "_"
        # names of monitors may begin with those of others
        chosen = [key for key in self.data_vars if key.startswith(prefix) and self[key].attrs.get("monitor", name) == name]
        if not chosen:
            raise _errors.InputError(f"name: there is no monitor {name!r}", "name")
        chosen_axes = {axis for key in chosen for axis in self[key].dims}
        part = xarray.Dataset({key: self.variables[key] for key in chosen},
                              {axis: self.variables[axis] for axis in self.coords if axis in chosen_axes}, self.attrs)
        names = {key: key[len(prefix):] for key in [*chosen, *part.coords] if key.startswith(prefix)}
        for variable in part.variables.values():  # whose attributes are copies
            _rename_in(variable.attrs, "error", names, part.variables)
        _rename_in(part.attrs, "signal", names, part.variables)
        return part.rename(names)

    def group(self, name: str) -> dict:
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
        changed = _change_of(self, whole)
        if changed is not None:
            raise _errors.InputError(f"this dataset was changed: its {changed} is not that of the result; use to_netcdf() of xarray, or write "
                                     "the result that it was made of")
        return whole

    def to_nexus(self, path: "str | os.PathLike[str]", *, overwrite: bool = False) -> None:
        """Writes the file that the program would write: HDF5 in NeXus form (.h5 .hdf5 .nxs), with everything."""
        name = os.fsdecode(path)
        if not name.endswith((".h5", ".hdf5", ".nxs", ".cxi")):
            raise _errors.InputError(f"path: {name!r} does not end in .h5, .hdf5, or .nxs", "path")
        self.write(name, overwrite=overwrite)

    def write(self, path: "str | os.PathLike[str]", *, overwrite: bool = False) -> None:
        """Writes the result in the format given by the ending: .h5, .csv, .dat, and those that the engine has (.gr, .cube ...)."""
        with _errors.about("path", os.fsdecode(path)):
            check(lib.sonde_result_write(self._library_result(), os.fsencode(path), overwrite))

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
        """A copy, which is written as the result as long as nothing in it is changed."""
        made = super().copy(deep, data)
        if data is None:
            object.__setattr__(made, "_file", self._whole)
        return made

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo=None):
        return self.copy(deep=True)

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


def _are_same(one, two):
    """Whether variables are identical; arrays of the library are compared by their places."""
    if all(isinstance(variable._data, numpy.ndarray) and not variable._data.flags.writeable for variable in (one, two)):
        if one._data.__array_interface__ == two._data.__array_interface__:
            return one.dims == two.dims and one.attrs == two.attrs
    return one.identical(two)


def _change_of(result, handle):
    """What in a dataset differs from the result of the library that it was made of; None if nothing does."""
    made = make(handle, result.attrs.get("notes", "").splitlines())
    for name in dict.fromkeys([*made.variables, *result.variables]):
        if name not in made.variables or name not in result.variables or not _are_same(made.variables[name], result.variables[name]):
            return repr(name)
    for name in dict.fromkeys([*made.attrs, *result.attrs]):
        if name not in made.attrs or name not in result.attrs or not numpy.array_equal(made.attrs[name], result.attrs[name]):
            return f"attribute {name!r}"
    return None


def _file_of(handle):
    """The bytes of the NeXus file of a result."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="sonde-") as folder:
        path = os.path.join(folder, "result.h5")
        check(lib.sonde_result_write(handle, os.fsencode(path), 1))
        with open(path, "rb") as file:
            return file.read()


def _restore(content):
    import tempfile

    with tempfile.TemporaryDirectory(prefix="sonde-") as folder:
        path = os.path.join(folder, "result.h5")
        with open(path, "wb") as file:
            file.write(content)
        made = ffi.new("sonde_result **")
        with context_for() as context:
            try:
                check(lib.sonde_result_read(context.pointer, os.fsencode(path), made))
            finally:
                lib.sonde_context_forget_notes(context.pointer)
    return ffi.gc(made[0], free_result)


def _rebuild(plain, whole):
    coordinates = {name: plain.variables[name] for name in plain.coords}
    variables = {name: plain.variables[name] for name in plain.data_vars}
    result = Result(variables, coordinates, plain.attrs)
    object.__setattr__(result, "_file", whole)
    return result
