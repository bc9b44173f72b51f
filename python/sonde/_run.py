"""Runs of engines."""
import contextlib
import functools
import os
import sys
import threading

from . import _errors, _values
from ._atoms import Atoms, atoms_of
from ._library import call, check, context_for, ffi, free_result, lib, text
from ._tables import SETTINGS, TABLES

_OWN = {"sample", "frame", "output", "overwrite", "progress", "materials", *SETTINGS}


def _free_options(pointer, free=lib.sonde_options_free, new=ffi.new):
    free(new("void **", pointer))


# Structs of options, the last one used at the end: they are not changed after they are made, and have room for many paths.
_OPTIONS: dict = {}
_MOST_OPTIONS = 8


def texts_of(block, given):
    """Names and texts of the arguments that are not None."""
    return tuple([(key, _values.to_text(block, key, value)) for key, value in given.items() if value is not None])


def options_of(block, given):
    """The struct of options of a block, from the arguments that are not None."""
    return options_for(block, texts_of(block, given))


def options_for(block, texts):
    """The same from names and texts."""
    known = _OPTIONS.pop((block, texts), None)
    pointer = _make_options(block, texts) if known is None else known
    for key, words in texts:
        _check_file(block, key, words)
    _OPTIONS[block, texts] = pointer
    if len(_OPTIONS) > _MOST_OPTIONS:
        _OPTIONS.pop(next(iter(_OPTIONS), None), None)
    return pointer


def _make_options(block, texts):
    made = ffi.new("void **")
    name = block.encode()
    check(lib.sonde_options_create(name, made))
    pointer = ffi.gc(made[0], _free_options)
    for key, words in texts:
        check(lib.sonde_options_set(name, pointer, key.encode(), os.fsencode(words)))
    return pointer


_CHECKING = threading.Lock()


@functools.cache
def _scratch(block):
    """Options of a block, for values that are only to be checked."""
    return _make_options(block, ())


def check_option(block, key, words):
    """Refuses values that are not possible; block may also be that of the items of a list, as "fdtd.monitors"."""
    with _CHECKING:
        check(lib.sonde_options_set(block.encode(), _scratch(block), key.encode(), os.fsencode(words)))


def length_in_meters(words, name):
    """The number of a text with a unit, "10 nm", as the library reads it; `name` is that of the argument."""
    made = ffi.new("char **")
    with _CHECKING:
        options = _scratch("fdtd.bodies")
        try:
            check(lib.sonde_options_set(b"fdtd.bodies", options, b"center", os.fsencode(f"{words}, 0, 0")))
        except _errors.InputError:
            raise _errors.InputError(f"{name}: {words!r} is not a length, such as 1e-8 or '10 nm'", name) from None
        check(lib.sonde_options_get(b"fdtd.bodies", options, b"center", made))
    try:
        return float(text(made[0]).partition(",")[0])
    finally:
        lib.sonde_text_free(made)


def _check_file(block, key, words):
    """A file that does not exist is known as such in Python."""
    if TABLES[block][key][1] == "file" and words and words != "none" and not os.path.exists(words):
        raise FileNotFoundError(2, "No such file or directory", words)


def path_of(value, name="path"):
    try:
        return os.fsdecode(value)
    except TypeError:
        raise _errors.InputError(f"{name}: {value!r} is not the name of a file", name) from None


class Request:
    """What to run, with everything that it refers to."""

    def __init__(self, engine, options, sample=None, frame=0, output=None, overwrite=False, job=None):
        self.engine, self.options, self.job = engine.encode(), options, job
        self.atoms = self.file = None
        if sample is not None:
            self.atoms = atoms_of(sample)
            if self.atoms is None:
                path = os.fspath(sample)
                if not os.path.exists(path):
                    raise FileNotFoundError(2, "No such file or directory", path)
                self.file = os.fsencode(path)
        self.output = None if output is None else os.fsencode(path_of(output, "output"))
        self.struct = ffi.new("sonde_request *")
        self.struct.struct_size = ffi.sizeof("sonde_request")
        self.names = [ffi.new("char[]", word) for word in (self.engine, self.file or b"", self.output or b"")]
        self.struct.engine = self.names[0]
        self.struct.options = options if options is not None else ffi.NULL
        self.struct.job = job if job is not None else ffi.NULL
        self.struct.atoms = self.atoms.pointer if self.atoms is not None else ffi.NULL
        self.struct.sample = self.names[1] if self.file is not None else ffi.NULL
        self.struct.frame = _values.whole("frame", frame)
        self.struct.output = self.names[2] if self.output is not None else ffi.NULL
        self.struct.overwrite = bool(overwrite)


def carry_out(request, settings, progress=None, like=None):
    """The result of a request, as a handle of the library, and the notes on the run. `like` is what runs of about the same
    duration have in common."""
    made = ffi.new("sonde_result **")
    output = None if request.output is None else os.fsdecode(request.output)
    about_output = _errors.about("output", output) if output else contextlib.nullcontext()
    try:
        with about_output, context_for(settings) as context, Bar(progress) as bar:
            lib.sonde_context_set_command(context.pointer, os.fsencode(_command()))
            notes = call(context, lambda: lib.sonde_run(context.pointer, request.struct, made), bar.function, like)
    except BaseException:
        lib.sonde_result_free(made)  # of a run that was complete when it was interrupted
        raise
    return ffi.gc(made[0], free_result), notes


def _command():
    return "python: " + " ".join(part for part in sys.argv[:1] if part) if sys.argv and sys.argv[0] else "python"


def proposes(function):
    """Of a function of an engine: an argument that it does not have is refused with the nearest one that it has."""
    code = function.__code__
    known = set(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])

    @functools.wraps(function)
    def called(*values, **given):
        if not given.keys() <= known:
            import difflib

            name = next(key for key in given if key not in known)
            near = difflib.get_close_matches(name, known, 1)
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return function(*values, **given)

    return called


def engine(name, arguments):
    """Runs an engine with the arguments of its function."""
    from ._results import make

    given = {key: value for key, value in arguments.items() if key not in _OWN}
    settings = _values.settings_of({key: arguments.get(key) for key in SETTINGS})
    sample = arguments.get("sample")
    if name == "ions":
        return _run_ions(given, arguments, settings)
    if "sample" in arguments and sample is None:
        raise _errors.InputError("sample: atoms, or the name of a file, are needed", "sample")
    texts = texts_of(name, given)
    request = Request(name, options_for(name, texts), sample, arguments.get("frame", 0), arguments["output"], arguments["overwrite"])
    like = None
    if request.atoms is not None and request.output is None:
        like = name, texts, len(request.atoms), tuple(settings.items())
    return make(*carry_out(request, settings, arguments["progress"], like))


def _run_ions(given, arguments, settings):
    """Materials, and bodies that are mappings, are lists of a job, which the library reads from a file of YAML."""
    from ._results import make

    output, overwrite, progress = (arguments[key] for key in ("output", "overwrite", "progress"))
    sample, lists = arguments["sample"], {}
    if arguments["materials"]:
        lists["Material"] = "materials", arguments["materials"]
    if given.get("bodies") is not None and not isinstance(given["bodies"], str):
        lists["Body"] = "bodies", given.pop("bodies")
    if not lists:
        return make(*carry_out(Request("ions", options_of("ions", given), sample, 0, output, overwrite), settings, progress))
    import tempfile

    lines = [] if sample is None else [f"sample: {_values.scalar(os.path.abspath(path_of(sample, 'sample')))}"]
    lines += ["ions:", *_values.yaml_lines("ions", given, "  ", absolute=True)]
    for table, (name, items) in lists.items():
        lines.append(f"  {name}:")
        for item in items:
            _values.check_mapping(name, item)
            lines += _values.yaml_lines(table, {str(key).replace("-", "_"): value for key, value in item.items()}, "    - ", absolute=True)
    with tempfile.TemporaryDirectory(prefix="sonde-") as folder:
        path = os.path.join(folder, "job.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        try:
            return job(path, "ions", output=output, overwrite=overwrite, progress=progress, **{key: arguments[key] for key in SETTINGS})
        except _errors.InputError as error:
            raise _errors.of_file(error, folder) from None


def job(path, engine, *, output=None, overwrite=False, progress=None, **settings):
    """Runs the block of an engine of a job file, with its sample, lists, and options: the result of `sonde ENGINE JOB.yaml`.

    Device, threads, and limits are those of the arguments, not of the file."""
    from ._results import make

    chosen = _values.settings_of({key: settings.pop(key, None) for key in SETTINGS})
    if settings:
        raise TypeError(f"job() got an unexpected keyword argument {sorted(settings)[0]!r}")
    name = path_of(path)
    if not os.path.exists(name):
        raise FileNotFoundError(2, "No such file or directory", name)
    made = ffi.new("sonde_job **")
    if not isinstance(engine, str):
        raise _errors.InputError(f"engine: {engine!r} is not the name of an engine", "engine")
    check(lib.sonde_job_read(os.fsencode(name), made))
    try:
        if lib.sonde_job_options(made[0], engine.encode()) == ffi.NULL:
            raise _errors.InputError(f"engine: {name} has no block {engine!r}", "engine")
        return make(*carry_out(Request(engine, None, None, 0, output, overwrite, made[0]), chosen, progress))
    finally:
        lib.sonde_job_free(made)


def build(name, arguments):
    """Atoms made by the options of build."""
    given = {key: value for key, value in arguments.items() if key not in _OWN}
    options = options_of("build", given)
    settings = _values.settings_of({key: arguments.get(key) for key in SETTINGS})
    made = ffi.new("sonde_atoms **")
    with context_for(settings) as context, Bar(arguments["progress"]) as bar:
        call(context, lambda: lib.sonde_build_run(context.pointer, ffi.cast("void *", options), made), bar.function)
    return Atoms._from_pointer(made[0])


def plan(engine, sample=None, **options):
    """What a run would take: a dictionary with its method, memory in bytes, and time in seconds. Nothing is computed.

        sonde.plan("debye", atoms, radiation="neutron", device="cuda:0")
    """
    settings = _values.settings_of({key: options.pop(key, None) for key in SETTINGS})
    frame = options.pop("frame", 0)
    if engine == "fdtd":
        raise _errors.InputError("engine: jobs of fdtd have a method of their own, Job.plan()", "engine")
    if engine not in TABLES or engine in ("build", "match", "program") or engine[:1].isupper():
        raise _errors.InputError(f"engine: there is no engine {engine!r}", "engine")
    return plan_of(Request(engine, options_of(engine, options), sample, frame), settings)


def plan_of(request, settings):
    import json

    made = ffi.new("char **")
    with context_for(settings) as context:
        call(context, lambda: lib.sonde_plan(context.pointer, request.struct, made))
    try:
        return json.loads(text(made[0]))
    finally:
        lib.sonde_text_free(made)


def _read_fit(name, first):
    """A result of `sonde match` or `sonde refine`, which is not one of an engine; otherwise an error that says what the file is."""
    from . import _fits

    try:
        return _fits.read(name)
    except _errors.InputError as error:
        if "is not a result of sonde match" in str(error):
            return _fits.read_other(name, first)
        raise


def read(path):
    """A result of any engine from its HDF5 file, as a Result; or one of `sonde match`, as a dataset of xarray with weights, intervals, refined
    parameters, and series; or one of `sonde refine`, with its parameters. Damaged files, and those of other programs, are refused."""
    from ._results import make

    name = path_of(path)
    if not os.path.exists(name):
        raise FileNotFoundError(2, "No such file or directory", name)
    made = ffi.new("sonde_result **")
    with context_for() as context:
        try:
            notes, first = call(context, lambda: lib.sonde_result_read(context.pointer, os.fsencode(name), made)), None
        except _errors.InputError as error:
            if "is not a result of an engine" not in str(error):
                raise
            first = error
    if first is not None:
        return _read_fit(name, first)
    return make(ffi.gc(made[0], free_result), notes)


class Bar:
    """Progress of a run: a function of the caller, or a bar of tqdm for runs that take more than a second."""

    LATER = 1.0

    def __init__(self, wanted):
        self.bar = self.stage = None
        if callable(wanted):
            self.function = lambda stage, done, total, unit, elapsed: wanted(stage, done, total, unit)
        elif wanted is True or (wanted is None and self._is_watched()):
            self.function = self._show
        elif wanted is None or wanted is False:
            self.function = None
        else:
            raise _errors.InputError(f"progress: {wanted!r} is not True, False, or a function", "progress")

    @staticmethod
    def _is_watched():
        return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()

    def _show(self, stage, done, total, unit, elapsed):
        if self.bar is None and elapsed < self.LATER:
            return
        if stage != self.stage:
            self.__exit__()
            self.stage = stage
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.function = None
                return
            self.bar = tqdm(total=total, desc=stage, unit=" " + unit, unit_scale=True, leave=False)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)
