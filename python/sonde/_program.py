"""The program `sonde` that comes with the package: for its command line, and for what has no functions in the library yet."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from . import _errors, _values
from ._tables import TABLES

FOLDER = pathlib.Path(__file__).resolve().parent


def path():
    """The file of the program."""
    found = FOLDER / "bin" / "sonde"
    if not found.exists():
        raise _errors.SondeError(f"there is no program {found}: the package is not complete")
    return os.fspath(found)


def main():
    """Becomes the program: `sonde`, and `python -m sonde`."""
    os.execv(path(), ["sonde", *sys.argv[1:]])


def _message(line):
    """Of the line of an error, which is an object with --json."""
    try:
        words = json.loads(line)["error"]["message"].removeprefix("--")
    except (ValueError, KeyError, TypeError):
        words = re.sub(r"^sonde( [a-z]+)?: (--)?", "", line)
    return words.replace("add --force", "add overwrite=True")


def _present(*paths):
    """The names of files, which must exist."""
    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
    return paths


def program(*arguments):
    """Runs the program with these arguments, and returns what it writes to the standard output."""
    done = subprocess.run([path(), *(os.fspath(part) for part in arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode != 0:
        words = done.stderr.strip().splitlines() or ["the program failed"]
        words = _message(words[-1])
        raise _errors.error_of(_errors.INVALID if done.returncode == 2 else _errors.RESOURCE, words)
    return done.stdout


def _flags(table, given):
    flags = []
    for key, value in given.items():
        if value is None:
            continue
        text = _values.to_text(table, key, value)
        flag = "--" + key.replace("_", "-")
        if TABLES[table][key][0] == "BOOLEAN":
            flags += [flag] if text == "true" else []
        else:
            flags += [flag, text]
    return flags


def _summary(*arguments):
    """What the program prints with --json, as a dictionary."""
    return json.loads(program(*arguments, "--json").splitlines()[-1])


def _written(output, overwrite):
    return [] if output is None else ["--output", os.fspath(output), *(["--force"] if overwrite else [])]


def match(given):
    """With the arguments of the function that _engines.py has."""
    options = {key.rstrip("_"): value for key, value in given.items() if key not in ("files", "output", "overwrite")}
    return _summary("match", *_present(*given["files"]), *_flags("match", options), *_written(given["output"], given["overwrite"]))


def refine(job, *, output=None, structure=None, overwrite=False):
    """Refines the parameters of a structure, by the program: `job` is the file of a job of `sonde refine`, `structure` a file for the
    structure that was found (.xyz, .cif ...). Returns the summary of `--json` as a dictionary."""
    more = [] if structure is None else ["--structure", os.fspath(structure)]
    if more and output is None and overwrite:
        more.append("--force")
    return _summary("refine", *_present(job), *more, *_written(output, overwrite))


def library(description, output, *, overwrite=False):
    """Makes a library of computed curves from its description (a file of YAML), or extends it, by the program; `overwrite` begins
    anew. Returns the program's report."""
    return program("library", *_present(description), "--output", output, *(["--force"] if overwrite else []))


def report(*results, output, overwrite=False):
    """Writes results as one HTML page with interactive curves, maps and views, by the program (`sonde report`): results of this package,
    samples as sonde.debye takes them, and files of results, tables, and samples. Returns the page's path."""
    from ._atoms import atoms_of

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for result in results:
            if hasattr(result, "to_nexus"):
                files.append(os.path.join(folder, f"{result.attrs['engine']}_{len(files) + 1}.h5"))
                result.to_nexus(files[-1])
            elif isinstance(result, (str, os.PathLike)):
                files.append(os.fspath(*_present(result)))
            else:
                try:
                    atoms = atoms_of(result)
                except _errors.InputError:
                    raise _errors.InputError(f"results: {type(result).__name__} is neither a result, nor a sample, nor the name of a file",
                                             "results") from None
                files.append(os.path.join(folder, f"atoms_{len(files) + 1}.h5"))
                atoms.write(files[-1])
        program("report", *files, "--output", output, *(["--force"] if overwrite else []))
    return os.fspath(output)
