#!/usr/bin/env python3
"""The package as files: a folder to import from, a wheel, a wheel with the tables of other owners, a source distribution.

    python/wheel.py stage FOLDER --library FILE --program FILE
    python/wheel.py wheel STAGE FOLDER --version V
    python/wheel.py data FOLDER --version V
    python/wheel.py sdist FOLDER --version V

Files have the same bytes each time: members are sorted, and have no time.
"""
import argparse
import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OLDEST_PYTHON = "3.10"
NAME = "sonde"
DATA_NAME = "sonde_noncommercial_data"
NONCOMMERCIAL = ["README.md", "stopping_srim13.i16", "stopping_dpass21.i16"]
NEEDS = ["cffi>=1.15", "numpy>=1.22", "xarray>=2022.6"]
EXTRAS = {"plot": ["matplotlib"], "progress": ["tqdm"], "yaml": ["pyyaml"], "all": ["matplotlib", "tqdm", "pyyaml"]}
EPOCH = (1980, 1, 1, 0, 0, 0)


def version_of_sources():
    return re.search(r"project\(sonde VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


# Stage --------------------------------------------------------------------------------------------------------


def strip(source, target):
    shutil.copy2(source, target)
    os.chmod(target, 0o755)
    tool = shutil.which(os.environ.get("STRIP", "strip"))  # those of the compiler, where its environment names them
    if tool:
        subprocess.run([tool, "--strip-unneeded", target], check=True)


def stage(folder, library, program):
    """A folder that contains the package `sonde`."""
    sys.path.insert(0, str(ROOT / "python"))
    import generate

    package = pathlib.Path(folder) / NAME
    shutil.rmtree(package, ignore_errors=True)
    (package / "lib").mkdir(parents=True)
    (package / "bin").mkdir()
    sources = ROOT / "python/sonde"
    for source in sorted(sources.rglob("*.py")) + [sources / "py.typed"]:
        target = package / source.relative_to(sources)
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, target)
    generate.main(package)
    strip(os.path.realpath(library), package / "lib/libsonde.so")
    strip(os.path.realpath(program), package / "bin/sonde")


# Wheels -------------------------------------------------------------------------------------------------------


def platform_tag(library, program):
    """manylinux_2_N by the newest symbol of the C library that is used; linux for libraries of the system that are not in the wheel."""
    machine = platform.machine()
    listed = subprocess.run([os.environ.get("OBJDUMP", "objdump"), "-p", "-T", library, program], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"^\s*NEEDED\s+(\S+)", listed, re.M))
    allowed = {library.name, "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libstdc++.so.6", "libgcc_s.so.1"}
    others = {name for name in needed if name not in allowed and not name.startswith("ld-linux")}
    if others:
        return f"linux_{machine}", others
    newest = max(int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", listed))
    return f"manylinux_2_{max(newest, 17)}_{machine}", set()


def metadata(name, version, summary, text, requires=(), extras=None):
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {summary}", "License: see LICENSE",
             f"Requires-Python: >={OLDEST_PYTHON}", "Classifier: Topic :: Scientific/Engineering :: Physics",
             "Classifier: Operating System :: POSIX :: Linux", "Classifier: Programming Language :: Python :: 3", "Classifier: Programming Language :: C"]
    lines += [f"Requires-Dist: {need}" for need in requires]
    for extra, needs in (extras or {}).items():
        lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {need}; extra == "{extra}"' for need in needs]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", text])


def metadata_of_package(version):
    return metadata(NAME, version, "What a probe sees of matter: powder patterns, potentials, ions, light", (ROOT / "docs/python.md").read_text(),
                    NEEDS, EXTRAS).encode()


def write_wheel(path, members, distribution, tag, pure):
    """members: name -> (bytes, whether it is executable)"""
    info = f"{distribution}.dist-info"
    root = "true" if pure else "false"
    members[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: sonde\nRoot-Is-Purelib: {root}\nTag: {tag}\n".encode(), False)
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(members, key=lambda name: (".dist-info/" in name, name)):
            content, executable = members[name]
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
            _add(archive, name, content, executable)
        record.append(f"{info}/RECORD,,")
        _add(archive, f"{info}/RECORD", ("\n".join(record) + "\n").encode(), False)


def _add(archive, name, content, executable):
    member = zipfile.ZipInfo(name, EPOCH)
    member.external_attr = (0o100755 if executable else 0o100644) << 16
    member.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(member, content)


def wheel(staged, folder, version):
    package = pathlib.Path(staged) / NAME
    platform_name, others = platform_tag(package / "lib/libsonde.so", package / "bin/sonde")
    if others:
        print(f"the wheel needs libraries of this system: {', '.join(sorted(others))}", file=sys.stderr)
    tag = f"py3-none-{platform_name}"
    members = {}
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            members[f"{NAME}/{path.relative_to(package)}"] = (path.read_bytes(), os.access(path, os.X_OK))
    info = f"{NAME}-{version}.dist-info"
    members[f"{info}/METADATA"] = (metadata_of_package(version), False)
    members[f"{info}/entry_points.txt"] = (b"[console_scripts]\nsonde = sonde._program:main\n", False)
    members[f"{info}/licenses/LICENSE"] = ((ROOT / "LICENSE").read_bytes(), False)
    for name, content in carried_licenses():
        members[f"{info}/licenses/{name}"] = (content, False)
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for old in pathlib.Path(folder).glob(f"{NAME}-*.whl"):
        old.unlink()
    path = pathlib.Path(folder) / f"{NAME}-{version}-{tag}.whl"
    write_wheel(path, members, f"{NAME}-{version}", tag, False)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return path.name


def carried_licenses():
    """Notices of the libraries inside, where the system keeps them."""
    for package in ("libhdf5-dev", "libhdf5-103-1", "libyaml-dev", "libpng-dev", "zlib1g-dev", "libaec-dev", "libcairo2-dev", "libpixman-1-dev",
                    "libfontconfig-dev", "libfreetype-dev", "libbrotli-dev", "libexpat1-dev"):
        path = pathlib.Path("/usr/share/doc") / package / "copyright"
        if path.exists():
            yield f"{package}.txt", path.read_bytes()
    for path in sorted((ROOT / "data/third_party").glob("*.LICENSE.txt")):
        yield path.name, path.read_bytes()


def data(folder, version):
    """The tables of stopping whose owners set terms, as a package of their own, into the folder in which the program and the library
    look for them."""
    members = {f"{NAME}/share/sonde/noncommercial/{name}": ((ROOT / "data/noncommercial" / name).read_bytes(), False) for name in NONCOMMERCIAL}
    notice = (ROOT / "data/noncommercial/README.md").read_text()
    distribution = f"{DATA_NAME}-{version}"
    members[f"{distribution}.dist-info/METADATA"] = (metadata(DATA_NAME.replace("_", "-"), version, "Tables of stopping powers for sonde, with terms of their owners",
                                                              notice, [f"sonde=={version}"]).encode(), False)
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    path = pathlib.Path(folder) / f"{distribution}-py3-none-any.whl"
    write_wheel(path, members, distribution, "py3-none-any", True)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return path.name


# Sources ------------------------------------------------------------------------------------------------------


def source_files():
    try:
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
        names = [name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):  # an unpacked source distribution
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file() and not path.relative_to(ROOT).parts[0].startswith(("build", ".git"))]
    unneeded = ("tests/data/", "tests/golden/", "tests/oracles/", "tests/fuzz/", "data/noncommercial/")
    return sorted(name for name in names if not name.startswith(unneeded) and name != "PKG-INFO" and (ROOT / name).is_file())


def sdist(folder, version):
    base = f"{NAME}-{version}"
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    path = pathlib.Path(folder) / f"{base}.tar.gz"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        contents = {name: (ROOT / name).read_bytes() for name in source_files()}
        contents["PKG-INFO"] = metadata_of_package(version)
        for name, content in contents.items():
            member = tarfile.TarInfo(f"{base}/{name}")
            member.size = len(content)
            member.mode = 0o755 if (ROOT / name).exists() and os.access(ROOT / name, os.X_OK) else 0o644
            archive.addfile(member, io.BytesIO(content))
    with open(path, "wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as zipped:
        zipped.write(packed.getvalue())
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return path.name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["stage", "wheel", "data", "sdist"])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--library")
    parser.add_argument("--program")
    parser.add_argument("--version", default=version_of_sources())
    given = parser.parse_args()
    if given.what == "stage":
        stage(given.folders[0], given.library, given.program)
    elif given.what == "wheel":
        wheel(given.folders[0], given.folders[1], given.version)
    else:
        {"data": data, "sdist": sdist}[given.what](given.folders[0], given.version)


if __name__ == "__main__":
    main()
