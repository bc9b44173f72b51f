#!/usr/bin/env python3
"""Files of the Python package that are made from the sources of the library.

    python/generate.py FOLDER       writes _cffi.py, _tables.py, _engines.py and __init__.pyi into FOLDER

The functions of the package, their arguments, and their documentation follow from the same tables of options as the
program's flags and the keys of jobs (src/*/options.def); the declarations of C from the public headers.
"""
import keyword
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# engine -> the tables of its options and of the items of its lists
ENGINES = re.findall(r"^ENGINE\((\w+)\)", (ROOT / "src/engines.def").read_text(), re.M)
ITEMS = {
    "Boundary": ("boundaries", "src/fdtd/boundary.def", "m"),
    "Material": ("materials", "src/matter/materials/material_options.def", "m"),
    "Body": ("bodies", "src/matter/shape/body.def", "m"),
    "Source": ("sources", "src/fdtd/source.def", "m"),
    "Monitor": ("monitors", "src/fdtd/monitor.def", "m"),
}
# arguments of items that are arrays, and become files of a job
ARRAYS = {"Body": [("voxels", "npt.ArrayLike"), ("spacing", "Vector | Sequence[float | str]"), ("origin", "Vector | Sequence[float | str]"),
                   ("mesh", "Any")]}
# arguments of every function: options of the program that belong to a run
SETTINGS = ["device", "threads", "memory", "host_memory", "kernel_cache", "launch_limit"]
# arguments that are lists of a job, or other parts of it, with their types and descriptions
PARTS = {
    "ions": [
        ("materials", "Sequence[Mapping[str, Any]]", "Materials by name: mappings with the keys of `materials` of jobs."),
        ("sample", "str | os.PathLike[str]", "The file of a description of a sample (YAML), whose bodies and materials are used."),
    ]
}
STRING = r'"(?:[^"\\]|\\.)*"'
FIELD = re.compile(rf"((?:{STRING}\s*)+|[^,()]+)\s*(,|\))")


class Option:
    """A row of a table."""

    def __init__(self, fields, length):
        text = [self.unquote(field, length) for field in fields]
        (self.kind, self.name, self.unit, self.default, self.minimum, self.maximum, self.choices, self.traits,
         self.help) = text

    @staticmethod
    def unquote(field, length):
        field = field.strip()
        if field == "LENGTH":
            return length
        if not field.startswith('"'):
            return field
        parts = re.findall(STRING, field)
        return "".join(part[1:-1] for part in parts).replace('\\"', '"').replace("\\\\", "\\")


def read_table(path, length="Angstrom"):
    text = (ROOT / path).read_text()
    rows = []
    for match in re.finditer(r"^OPTION\(", text, re.M):
        fields, place = [], match.end()
        while True:
            field = FIELD.match(text, place)
            if field is None:
                sys.exit(f"{path}: a row that {pathlib.Path(__file__).name} cannot read: {text[match.start():][:80]}")
            fields.append(field[1])
            place = field.end()
            while text[place:place + 1].isspace():
                place += 1
            if field[2] == ")":
                break
        if len(fields) != 9:
            sys.exit(f"{path}: a row of {len(fields)} fields: {fields[:2]}")
        rows.append(Option(fields, length))
    return rows


def row_of(engine):
    """What the row of an engine says of it: its summary, and whether it takes a sample."""
    text = (ROOT / f"src/{engine}/engine.c").read_text()
    summary = re.search(rf"\.summary =\s*((?:{STRING}\s*)+)", text)
    return Option.unquote(summary[1], "") if summary else engine, re.search(r"\.abilities =[^,]*\bENGINE_SAMPLE\b", text) is not None


ROWS = {engine: row_of(engine) for engine in ENGINES}
ROWS["build"] = "atoms of crystals, cut to shapes, with defects, and of generated structures", False
SAMPLES = {engine for engine, (_, sample) in ROWS.items() if sample}


def tables():
    found = {engine: read_table(f"src/{engine}/options.def") for engine in ENGINES}
    found["build"] = read_table("src/matter/build/build_options.def")
    found["match"] = read_table("src/match/options.def")
    return found


# C ------------------------------------------------------------------------------------------------------------

HEADERS = ["status.h", "device.h", "context.h", "atoms.h", "build.h", "job.h", "result.h", "measure.h", "volume.h", "match.h"]
ELSEWHERE = ("sonde_fdtd_job", "sonde_ions_job")


def declarations():
    """The public headers as cffi reads them: without preprocessor, comments, and functions of structs of options."""
    text = "".join((ROOT / "include/sonde" / name).read_text() for name in HEADERS)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    constants = dict(re.findall(r"^#define (SONDE_[A-Z_]+) (\d+)\s*$", text, re.M))
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    text = re.sub(r"^\}\s*$", "", text, flags=re.M)
    text = text.replace("SONDE_API ", "").replace("sonde_build_options ", "void ").replace("sonde_match_options ", "void ")
    for name, value in constants.items():
        text = re.sub(rf"\b{name}\b", value, text)
    statements = [" ".join(part.split()) for part in re.split(r"(?<=;)\s*\n", text)]
    kept = [part for part in statements if part and not any(word in part for word in ELSEWHERE)]
    return "\n".join(kept) + "\n"


def write_cffi(folder):
    import cffi

    builder = cffi.FFI()
    builder.set_source("_cffi", None)
    builder.cdef(declarations())
    builder.emit_python_code(str(folder / "_cffi.py"))


# Python -------------------------------------------------------------------------------------------------------

TYPES = {
    "REAL": "float | str",
    "INTEGER": "int | str",
    "BOOLEAN": "bool",
    "GRID": "Grid",
    "VECTOR": "Vector",
    "SIZE": "int | str",
}


def type_of(option):
    if option.kind == "CHOICE":
        words = ", ".join(repr(word) for word in option.choices.split("|"))
        extra = " | str | os.PathLike[str]" if "or:" in option.traits else ""
        return f"Literal[{words}]{extra}"
    if option.kind == "TEXT":
        if option.choices == "file-or-value":
            return "str | os.PathLike[str] | float | Sequence[Any] | Mapping[Any, Any]"
        if option.choices in ("file", "new-file", "folder"):
            return "str | os.PathLike[str]"
        if option.choices == "items" or option.name == "bodies":
            return "str | Sequence[Mapping[str, Any]]"
        return "str | float | slice | Sequence[Any] | Mapping[Any, Any] | npt.ArrayLike" if option.choices or "verbatim" not in option.traits else "str"
    return TYPES[option.kind]


def wrap(text, indent, width=112):
    import textwrap

    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


MORE = {"bodies": " Or a list of mappings with the keys of `bodies` of jobs, lengths in Angstrom: "
                  "[{'material': 'Au', 'shape': 'sphere', 'radius': 50, 'center': (100, 0, 0)}]."}


def document(option):
    """The entry of an option in the documentation of a function."""
    head = option.name
    kind = "one of " + ", ".join(option.choices.split("|")) if option.kind == "CHOICE" else type_of(option).split(" | ")[0]
    head += f" : {kind}" + (f", in {option.unit}" if option.unit else "")
    if option.default:
        head += f", default {option.default}"
    help_text = re.sub(r"--([a-z][a-z0-9-]*)", lambda match: match[1].replace("-", "_"), option.help) + MORE.get(option.name, "")
    return head + "\n" + wrap(help_text, "    ")


SAMPLE_TEXT = """sample
    The atoms: an Atoms of ASE, a Structure or Molecule of pymatgen, a Universe or AtomGroup of MDAnalysis, a pair
    (symbols, positions) with positions in Angstrom as an array of shape (n, 3) of NumPy or of any library with DLPack,
    a sonde.Atoms, or the name of a file (structure, trajectory, list of structures, description)."""
COMMON_TEXT = """output : path
    Write the result to this file as well, in the format given by its ending (.h5, .csv ...).
overwrite : bool
    Replace an existing file.
progress : bool or callable
    Show a bar (tqdm), or call progress(stage, done, total, unit); default: a bar on a terminal and in notebooks, for
    runs of more than a second."""


def docstring(engine, rows, settings, sample):
    summary = ROWS[engine][0]
    parts = [summary[0].upper() + summary[1:] + ".", "", "Parameters", "----------"]
    if sample:
        parts.append(SAMPLE_TEXT)
        if engine != "build":
            parts.append("frame : int\n    Frame to read from a file with several, from 1; 0: it has one, or all are used.")
    parts += [document(row) for row in rows]
    parts += [f"{name} : {kind.partition('[')[0].partition(' |')[0]}\n" + wrap(text, "    ") for name, kind, text in PARTS.get(engine, ())]
    if engine != "build":
        parts.append(COMMON_TEXT)
    parts += [document(row) for row in settings]
    parts += ["", "Returns", "-------"]
    parts.append("Atoms" if engine == "build" else "Result\n    An xarray.Dataset whose variables have units, long names, and errors.")
    return "\n".join(parts)


def indent(text, by):
    return "\n".join(by + line if line else "" for line in text.split("\n"))


def write_engines(folder, found, settings):
    """The functions of engines, with all arguments by name."""
    lines = ['"""Made by python/generate.py from the tables of options: do not edit."""',
             "from . import _run", ""]
    for engine in ENGINES + ["build"]:
        if engine == "fdtd":
            continue
        rows = found[engine]
        sample = engine in SAMPLES
        arguments = ["sample"] if sample else []
        arguments += ["*"]
        arguments += [f"{row.name}=None" for row in rows]
        arguments += [f"{name}=None" for name, _, _ in PARTS.get(engine, ())]
        if sample:
            arguments.append("frame=0")
        if engine != "build":
            arguments += ["output=None", "overwrite=False", "progress=None"]
        else:
            arguments += ["progress=None"]
        arguments += [f"{row.name}=None" for row in settings]
        lines.append("@_run.proposes")
        lines.append(f"def {engine}({', '.join(arguments)}):")
        lines.append(indent('r"""' + docstring(engine, rows, settings, sample) + '\n"""', "    "))
        lines.append(f"    return _run.{'build' if engine == 'build' else 'engine'}({engine!r}, locals())")
        lines.append("\n")
    lines += write_match(found["match"])
    (folder / "_engines.py").write_text("\n".join(lines))


MATCH_FILES = """files : paths
    First the measured curves, then a library, or results of debye."""
MATCH_OUTPUT = """output : path
    Write everything to this HDF5 file as well, which sonde.read() reads.
overwrite : bool
    Replace an existing file."""


def python_name(name):
    """`with` is a word of Python."""
    return name + "_" if keyword.iskeyword(name) else name


def match_docstring(rows):
    entries = [document(row) for row in rows]
    entries = [python_name(row.name) + entry[len(row.name):] for row, entry in zip(rows, entries)]
    return "\n".join(["Fits measured curves with mixtures of the entries of a library, by the program.", "", "Parameters", "----------", MATCH_FILES,
                      *entries, MATCH_OUTPUT, "", "Returns", "-------", "dict", "    The summary of `sonde match --json`."])


def write_match(rows):
    """The lines of the function `match`, whose options are those of the program."""
    arguments = ", ".join(f"{python_name(row.name)}=None" for row in rows)
    return ["@_run.proposes", f"def match(*files, {arguments}, output=None, overwrite=False):", indent('r"""' + match_docstring(rows) + '\n"""', "    "),
            "    given = dict(locals())", "    from . import _program", "", "    return _program.match(given)", ""]


def write_tables(folder, found):
    """Kinds of options, for the conversion of values to text."""
    lines = ['"""Made by python/generate.py from the tables of options: do not edit."""', "", "TABLES = {"]
    everything = dict(found)
    for name, (_, path, unit) in ITEMS.items():
        everything[name] = read_table(path, unit)
    everything["program"] = read_table("src/job/program.def")
    for name, rows in everything.items():
        lines.append(f"    {name!r}: {{")
        lines += [f"        {row.name!r}: ({row.kind!r}, {row.choices!r}, {row.unit!r})," for row in rows]
        lines.append("    },")
    lines += ["}", "", f"ENGINES = {ENGINES!r}", f"SETTINGS = {SETTINGS!r}", ""]
    (folder / "_tables.py").write_text("\n".join(lines))


STUB = '''"""Made by python/generate.py from the tables of options: do not edit."""
import os
from typing import Any, Callable, Literal, Mapping, Sequence, Union

import numpy.typing as npt

from . import fdtd as fdtd
from ._atoms import Atoms as Atoms
from ._devices import Device as Device
from ._errors import DeviceError as DeviceError, InputError as InputError, SondeError as SondeError, SondeWarning as SondeWarning
from ._results import Result as Result

__version__: str
Grid = Union[str, float, tuple[float, float, int], Sequence[float], npt.ArrayLike]
Vector = Union[str, float, Sequence[float], npt.ArrayLike]
Sample = Any
Progress = Union[None, bool, Callable[[str, float, float, str], Any]]

def devices(device: str = ..., measure: bool = ...) -> list[Device]: ...
def read(path: str | os.PathLike[str]) -> Result: ...
def job(path: str | os.PathLike[str], engine: str, *, output: str | os.PathLike[str] | None = ..., overwrite: bool = ...,
        progress: Progress = ..., **settings: Any) -> Result: ...
def plan(engine: str, sample: Sample = ..., **options: Any) -> dict[str, Any]: ...
def program(*arguments: str | os.PathLike[str]) -> str: ...
def refine(job: str | os.PathLike[str], *, output: str | os.PathLike[str] | None = ..., structure: str | os.PathLike[str] | None = ...,
           overwrite: bool = ...) -> dict[str, Any]: ...
def library(description: str | os.PathLike[str], output: str | os.PathLike[str], *, overwrite: bool = ...) -> str: ...
def report(*results: Result | str | os.PathLike[str], output: str | os.PathLike[str], overwrite: bool = ...) -> str: ...
def voxels(path: str | os.PathLike[str], values: npt.ArrayLike, spacing: Vector, *, origin: Vector | None = ...,
           overwrite: bool = ...) -> str: ...
'''


def write_stub(folder, found, settings):
    lines = [STUB]
    for engine in ENGINES + ["build"]:
        if engine == "fdtd":
            continue
        sample = engine in SAMPLES
        lines.append(f"def {engine}(")
        if sample:
            lines.append("    sample: Sample,")
        lines.append("    *,")
        lines += [f"    {row.name}: {type_of(row)} | None = ...," for row in found[engine]]
        lines += [f"    {name}: {kind} | None = ...," for name, kind, _ in PARTS.get(engine, ())]
        if sample:
            lines.append("    frame: int = ...,")
        if engine != "build":
            lines += ["    output: str | os.PathLike[str] | None = ...,", "    overwrite: bool = ...,"]
        lines.append("    progress: Progress = ...,")
        lines += [f"    {row.name}: {type_of(row)} | None = ...," for row in settings]
        result = "Atoms" if engine == "build" else "Result"
        lines.append(f") -> {result}:")
        lines.append(indent('r"""' + docstring(engine, found[engine], settings, sample) + '\n"""', "    "))
        lines.append("    ...\n")
    lines += ["def match(", "    *files: str | os.PathLike[str],"]
    lines += [f"    {python_name(row.name)}: {type_of(row)} | None = ...," for row in found["match"]]
    lines += ["    output: str | os.PathLike[str] | None = ...,", "    overwrite: bool = ...,", ") -> dict[str, Any]:",
              indent('r"""' + match_docstring(found["match"]) + '\n"""', "    "), "    ...\n"]
    (folder / "__init__.pyi").write_text("\n".join(lines))
    stub = ['"""Made by python/generate.py from the tables of options: do not edit."""', "import os",
            "from typing import Any, Literal, Mapping, Sequence", "", "import numpy.typing as npt", "",
            "from . import Grid as Grid, Progress as Progress, Vector as Vector", "from ._results import Result", ""]
    for name, (_, path, unit) in ITEMS.items():
        stub += [f"class {name}(dict[str, Any]):", "    def __init__(", "        self,", "        *,"]
        stub += [f"        {row.name}: {type_of(row)} | None = ...," for row in read_table(path, unit)]
        stub += [f"        {argument}: {kind} | None = ...," for argument, kind in ARRAYS.get(name, ())]
        stub += ["        **more: Any,", "    ) -> None: ...", ""]
    stub += ["class Job:",
             "    boundaries: list[dict[str, Any]]", "    materials: list[dict[str, Any]]", "    bodies: list[dict[str, Any]]",
             "    sources: list[dict[str, Any]]", "    monitors: list[dict[str, Any]]", "    sample: str | None",
             "    build: dict[str, Any]", "    options: dict[str, Any]"]
    stub += [f"    {row.name}: {type_of(row)} | None" for row in found["fdtd"]]
    stub += ["    def __init__(", "        self,", "        *,"]
    stub += [f"        {row.name}: {type_of(row)} | None = ...," for row in found["fdtd"]]
    stub += [f"        {name}: Sequence[Mapping[str, Any]] = ...," for name, _, _ in ITEMS.values()]
    stub += ["        sample: str | os.PathLike[str] | None = ...,", "        build: Mapping[str, Any] | None = ...,",
             "    ) -> None: ...",
             "    @classmethod", "    def from_yaml(cls, source: str | os.PathLike[str]) -> Job: ...",
             "    def to_yaml(self, path: str | os.PathLike[str] | None = ..., *, overwrite: bool = ...) -> str: ...",
             "    def plan(self, **settings: Any) -> dict[str, Any]: ...",
             "    def run(self, *, output: str | os.PathLike[str] | None = ..., overwrite: bool = ..., progress: Progress = ...,",
             "            **settings: Any) -> Result: ...",
             "    def geometry(self) -> dict[str, Any]: ...",
             "    def show(self, ax: Any = ...) -> Any: ...", "",
             "# sonde.fdtd(job) is run(job); types of modules that can be called are unknown to type checkers",
             "def run(job: Job | Mapping[str, Any] | str | os.PathLike[str], *, output: str | os.PathLike[str] | None = ...,",
             "        overwrite: bool = ..., progress: Progress = ..., **settings: Any) -> Result: ...", ""]
    (folder / "fdtd.pyi").write_text("\n".join(stub))


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    found = tables()
    settings = [row for row in read_table("src/job/program.def") if row.name in SETTINGS]
    write_cffi(folder)
    write_tables(folder, found)
    write_engines(folder, found, settings)
    write_stub(folder, found, settings)


if __name__ == "__main__":
    main(sys.argv[1])
