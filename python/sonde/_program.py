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
    """Of a line of the program: a message, or an object of JSON with it."""
    if line.startswith("{"):
        try:
            return json.loads(line)["error"]["message"]
        except (ValueError, KeyError, TypeError):
            pass
    return re.sub(r"^sonde( [a-z]+)?: ", "", line)


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


def match(*files, output=None, overwrite=False, **options):
    """Fits measured curves with mixtures of the entries of a library, by the program: files and options are those of `sonde match`
    (`with_` for `with`), first the measured curves, then the library or results of debye. Returns the summary of `--json` as a dictionary;
    with `output`, everything is in that file as well."""
    flags = _flags("match", {key.rstrip("_"): value for key, value in options.items()})
    if output is not None:
        flags += ["--output", os.fspath(output)] + (["--force"] if overwrite else [])
    lines = program("match", *_present(*files), *flags, "--json").splitlines()
    return json.loads(lines[-1])


def library(description, output, *, overwrite=False):
    """Makes a library of computed curves from its description (a file of YAML), or extends it, by the program; `overwrite` begins
    anew. Returns the program's report."""
    return program("library", *_present(description), "--output", output, *(["--force"] if overwrite else []))


def report(*results, output, overwrite=False):
    """Writes results as one HTML page with interactive curves, maps and views, by the program (`sonde report`): results of this package,
    and files of results, tables, and samples. Returns the page's path."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for result in results:
            if hasattr(result, "to_nexus"):
                files.append(os.path.join(folder, f"{result.attrs['engine']}_{len(files) + 1}.h5"))
                result.to_nexus(files[-1])
            else:
                files.append(os.fspath(*_present(result)))
        program("report", *files, "--output", output, *(["--force"] if overwrite else []))
    return os.fspath(output)
