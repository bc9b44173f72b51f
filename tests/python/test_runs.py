"""Errors, interruptions, threads, progress, the program, the interface with C."""
import ast
import importlib.metadata
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile

import numpy
import pytest
from conftest import assert_same

import sonde
from sonde import _library, _tables

PAIR = (["Co", "O"], [[0, 0, 0], [2.0, 0, 0]])


@pytest.mark.parametrize("argument, value", [
    ("q", "x"), ("q", (1, 0, 5)), ("q", [1, 2, 4]), ("tolerance", 5), ("tolerance", "wide"), ("tolerance", [1, 2]), ("method", "exct"),
    ("method", 3), ("counts", "perhaps"), ("counts", 2), ("error_blocks", 1.5), ("threads", -1), ("threads", "many"), ("device", "cuda:x"),
])
def test_errors_name_the_argument(argument, value):
    with pytest.raises(ValueError, match=f"^{argument}: ") as caught:
        sonde.debye(PAIR, **{argument: value})
    assert caught.value.argument == argument


def test_errors_name_paths(tmp_path):
    result = sonde.debye(PAIR, q=(1, 9, 8), device="cpu")
    for argument, function in (("output", lambda path: sonde.debye(PAIR, output=path)), ("path", result.write), ("path", sonde.Atoms(*PAIR).write)):
        for name in ("absent/a.h5", "a.unknown"):
            with pytest.raises(ValueError, match=f"^{argument}: ") as caught:
                function(tmp_path / name)
            assert caught.value.argument == argument
    for function in (lambda: sonde.match(tmp_path / "a.xy"), lambda: sonde.report(tmp_path / "a.h5", output=tmp_path / "a.html")):
        with pytest.raises(FileNotFoundError):
            function()
    result.write(tmp_path / "a.xy")
    with pytest.raises(ValueError, match="^no candidates"):  # not the line of JSON
        sonde.match(tmp_path / "a.xy")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.xy"]



def test_hints_and_unknown_arguments():
    with pytest.raises(ValueError, match="did you mean 'exact'"):
        sonde.debye(PAIR, method="exct")
    with pytest.raises(TypeError, match="radiaton"):
        sonde.debye(PAIR, radiaton="neutron")
    with pytest.raises(FileNotFoundError):
        sonde.debye(PAIR, compare="none.xy")
    with pytest.raises(ValueError, match="Xx"):
        sonde.debye((["Xx"], [[0, 0, 0]]))


def test_a_failure_leaves_no_file(tmp_path):
    with pytest.raises(ValueError):
        sonde.debye((["Xx"], [[0, 0, 0]]), output=tmp_path / "a.h5")
    with pytest.raises(ValueError, match="output|a.txt.bad"):
        sonde.debye(PAIR, output=tmp_path / "a.txt.bad")
    assert not list(tmp_path.iterdir())
    sonde.debye(PAIR, output=tmp_path / "a.csv", q=(1, 9, 5), device="cpu")
    with pytest.raises(ValueError, match="a.csv"):
        sonde.debye(PAIR, output=tmp_path / "a.csv", q=(1, 9, 5), device="cpu")


def test_memory_limit():
    with pytest.raises(MemoryError):
        sonde.coulomb((["Na"], [[0, 0, 0]]), charges={"Na": 1}, spacing=0.05, padding=10, host_memory="1M", device="cpu")


LONG = """
import numpy, sonde
sonde.debye((["Co"], [[0, 0, 0]]), q=(1, 2, 3), device="cpu")
atoms = numpy.array(["Au"] * 20000), numpy.random.default_rng(0).uniform(0, 100, (20000, 3))
print("begins", flush=True)
try:
    sonde.debye(atoms, method="reference", q=(1, 20, 2000), device="cpu", output="out.h5")
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(len(sonde.debye((["Co"], [[0, 0, 0]]), q=(1, 2, 3), device="cpu").q))
"""


def test_ctrl_c(tmp_path):
    (tmp_path / "long.py").write_text(LONG)
    with subprocess.Popen([sys.executable, "long.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - began < 5
        assert process.stdout.readline() == "3\n"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".h5"] == []


def test_threads():
    expected = [sonde.debye((PAIR[0], scale * numpy.array(PAIR[1])), q=(1, 9, 50), device="cpu") for scale in range(1, 5)]
    found = [None] * 4

    def work(number):
        for _ in range(3):
            found[number] = sonde.debye((PAIR[0], (number + 1) * numpy.array(PAIR[1])), q=(1, 9, 50), device="cpu")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for ours, theirs in zip(found, expected):
        assert_same(ours, theirs)


def test_the_interpreter_runs_on():
    """The library works without the interpreter's lock."""
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    atoms = numpy.array(["Au"] * 3000), numpy.random.default_rng(0).uniform(0, 60, (3000, 3))
    result = sonde.debye(atoms, method="exact", q=(1, 20, 400), device="cpu", threads=1)
    seen = counted[0]
    stop.set()
    other.join()
    assert seen > 20 * min(result.attrs["seconds"], 1)


def test_progress_and_its_errors():
    atoms = numpy.array(["Au"] * 4000), numpy.random.default_rng(0).uniform(0, 60, (4000, 3))
    seen = []
    sonde.debye(atoms, method="exact", q=(1, 20, 400), device="cpu", progress=lambda *state: seen.append(state))
    assert seen and all(0 <= done <= total for _, done, total, _ in seen) and isinstance(seen[0][0], str)

    def fail(*_):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        sonde.debye(atoms, method="exact", q=(1, 20, 400), device="cpu", progress=fail)
    assert len(sonde.debye(PAIR, q=(1, 2, 3), device="cpu").q) == 3


def test_short_runs_are_made_by_the_main_thread():
    """From the second one of a kind on; Ctrl-C is seen there, too."""
    threads = []

    def interrupt(*_):
        threads.append(threading.current_thread())
        os.kill(os.getpid(), signal.SIGINT)

    expected = [sonde.debye(PAIR, q=(1, 9, 47), device="cpu") for _ in range(2)]
    with pytest.raises(KeyboardInterrupt):
        sonde.debye(PAIR, q=(1, 9, 47), device="cpu", progress=interrupt)
    assert threads == [threading.main_thread()]
    assert_same(sonde.debye(PAIR, q=(1, 9, 47), device="cpu"), expected[0])
    assert_same(*expected)


def test_devices():
    found = sonde.devices("cpu")
    assert [device.name for device in found if device.chosen] == ["cpu"]
    assert all(device.threads > 0 for device in found if device.usable)


def test_program(tmp_path):
    shown = subprocess.run([sys.executable, "-m", "sonde", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert sonde.__version__ in shown
    assert importlib.metadata.version("sonde") == sonde.__version__
    script = pathlib.Path(sys.prefix) / "bin" / "sonde"
    assert subprocess.run([script, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout == shown
    with pytest.raises(ValueError, match="unknown|not"):
        sonde.program("debye", "--nothing")
    (tmp_path / "a.xy").write_text("1 2\n2 3\n")
    with pytest.raises(sonde.InputError, match="^background: 99 is out of range") as found:
        sonde.match(tmp_path / "a.xy", tmp_path / "a.xy", background=99)
    assert found.value.argument == "background"
    with pytest.raises(FileNotFoundError):
        sonde.refine(tmp_path / "none.yaml")


def test_import_is_quick():
    """Nothing that takes time is imported before it is needed."""
    script = "import time; t = time.perf_counter(); import sonde; sonde.debye; sonde.__version__; print(time.perf_counter() - t); " \
             "import sys; assert not {'xarray', 'numpy', 'pandas', 'matplotlib'} & set(sys.modules)"
    times = [float(subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE, text=True).stdout) for _ in range(3)]
    assert min(times) < 0.3


def test_stubs_and_functions_have_all_options():
    package = pathlib.Path(sonde.__file__).parent
    functions = {node.name: node for node in ast.parse((package / "__init__.pyi").read_text()).body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in ast.parse((package / "fdtd.pyi").read_text()).body if isinstance(node, ast.ClassDef)}
    import inspect

    for engine in (*_tables.ENGINES, "build"):
        if engine == "fdtd":
            continue
        real = inspect.signature(getattr(sonde, engine)).parameters
        assert set(_tables.TABLES[engine]) <= set(real)
        assert [argument.arg for argument in functions[engine].args.args + functions[engine].args.kwonlyargs] == list(real)
        for name in _tables.TABLES[engine]:
            assert re.search(rf"^ *{name} : ", getattr(sonde, engine).__doc__, re.M), (engine, name)
    real = inspect.signature(sonde.match).parameters
    assert [argument.arg for argument in functions["match"].args.kwonlyargs] == list(real)[1:] and "with_" in real
    assert {name + ("_" if name == "with" else "") for name in _tables.TABLES["match"]} <= set(real)
    assert {"Job", "Body", "Source", "Monitor", "Material", "Boundary"} <= set(classes)


def test_structs_of_c_are_those_of_the_headers(tmp_path, sources):
    """The declarations that cffi was given have the sizes and offsets of a C compiler."""
    headers = sources / "include"
    compiler = next((name for name in ("cc", "gcc", "clang") if subprocess.run(["which", name], stdout=subprocess.DEVNULL).returncode == 0), None)
    if compiler is None:
        pytest.skip("there is no compiler here")
    ffi = _library.ffi
    lines = []
    for name in ("sonde_request", "sonde_dataset", "sonde_attribute", "sonde_contents", "sonde_progress", "sonde_device_description",
                 "sonde_device_speed"):
        lines.append(f"_Static_assert(sizeof({name}) == {ffi.sizeof(name)}, \"{name}\");")
        for member, field in ffi.typeof(name).fields:
            lines.append(f"_Static_assert(offsetof({name}, {member}) == {field.offset}, \"{name}.{member}\");")
            lines.append(f"_Static_assert(sizeof((({name} *)0)->{member}) == {ffi.sizeof(field.type)}, \"{name}.{member}\");")
    for number, name in enumerate(("SONDE_OK", "SONDE_INVALID", "SONDE_RESOURCE", "SONDE_CANCELLED", "SONDE_INTERNAL", "SONDE_SUSPENDED")):
        lines.append(f"_Static_assert({name} == {number}, \"{name}\");")
    for number, name in enumerate(("SONDE_REAL", "SONDE_SINGLE", "SONDE_COMPLEX", "SONDE_SINGLE_COMPLEX", "SONDE_INTEGER", "SONDE_INDEX", "SONDE_TEXT")):
        lines.append(f"_Static_assert({name} == {number}, \"{name}\");")
    # headers of options are not needed for these structs
    text = "\n".join(re.sub(r"^#include \"sonde/.*\"$", "", (headers / "sonde" / name).read_text(), flags=re.M)
                     for name in ("status.h", "device.h", "context.h"))
    result = (headers / "sonde/result.h").read_text()
    text += "\ntypedef struct sonde_atoms sonde_atoms;\ntypedef struct sonde_job sonde_job;\n" + re.sub(r"^#include \"sonde/.*\"$", "", result, flags=re.M)
    (tmp_path / "layout.c").write_text("#include <stddef.h>\n" + text + "\n" + "\n".join(lines) + "\n")
    assert len(lines) > 60
    subprocess.run([compiler, "-std=c11", "-fsyntax-only", tmp_path / "layout.c"], check=True)


STOPPING = 'import sonde; print(float(sonde.stopping(ion="H", target="C@2.253", stopping="srim13", energies="100keV").electronic[0]))'


def test_tables_of_other_owners_are_a_package_of_their_own(tmp_path, sources):
    """Without it the tables are asked for; with it, and its notice, they are used."""
    package = pathlib.Path(sonde.__file__).parent
    if (package / "share").exists():
        pytest.skip("the tables are installed")
    with pytest.raises(ValueError, match="srim13"):
        sonde.stopping(ion="H", target="C", stopping="srim13")
    subprocess.run([sys.executable, sources / "python/wheel.py", "data", tmp_path], check=True, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(next(tmp_path.glob("sonde_noncommercial_data-*.whl"))) as archive:
        notice = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        assert "not under Sonde's license" in archive.read(notice).decode()
        archive.extractall(tmp_path / "site")
    shutil.copytree(package, tmp_path / "site/sonde", dirs_exist_ok=True)
    done = subprocess.run([sys.executable, "-c", STOPPING], env={**os.environ, "PYTHONPATH": str(tmp_path / "site")}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # 14.6396 eV/(10^15 atoms/cm^2) in tests/data/ions/srim_H_in_C.csv, and 1.1296 10^23 atoms/cm^3
    assert abs(float(done.stdout) / (14.6396 * 1.1296) - 1) < 2e-3
