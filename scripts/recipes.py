#!/usr/bin/env python3
"""Recipes for packages, with what a checkout cannot know: the addresses of a release, its checksum, and who maintains the package.

    scripts/recipes.py FOLDER --archive URL --page URL --maintainer "NAME <ADDRESS>" --github NAME [--bug NUMBER]
                              makes FOLDER/sonde-VERSION.tar.gz, the source of the release, and from it
                              FOLDER/conda-forge, FOLDER/spack, FOLDER/nix, and FOLDER/debian
    scripts/recipes.py --check
                              compares the recipes of the checkout with its version, its options of CMake, and its license

--archive is where the source will be found (with its name), --page the page of the project, --github the maintainer's name there, and
--bug the number of Debian's bug "intent to package".
"""
import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECIPES = {"conda-forge": "contrib/conda-forge/recipe.yaml", "spack": "contrib/spack/package.py", "nix": "contrib/nix/default.nix"}
PLACEHOLDERS = ("example.org", "0" * 64, "your-name-on-github", "@localhost", "UNRELEASED")


def version():
    return re.search(r"project\(sonde VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def check():
    """Lines about what does not fit."""
    cmake = "\n".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))])
    found = []
    for name in [*RECIPES.values(), "debian/rules", "debian/changelog"]:
        text = (ROOT / name).read_text()
        for option in sorted(set(re.findall(r"\bSONDE_[A-Z_]+", text))):
            if not re.search(rf"\b{option}\b", cmake):
                found.append(f"{name}: CMake has no option {option}")
        for given in set(re.findall(r"(?:version\W+|sonde[- (]+)(\d+\.\d+\.\d+)", text)):
            if given != version():
                found.append(f"{name}: has version {given}, but CMakeLists.txt has {version()}")
    for name in re.findall(r"^    - (\S+LICENSE\S*)$", (ROOT / RECIPES["conda-forge"]).read_text(), re.M):
        if not (ROOT / name).exists():
            found.append(f"{RECIPES['conda-forge']}: there is no {name}")
    interface = ".".join(version().split(".")[:2])
    if not (ROOT / f"debian/libsonde{interface}.install").exists():
        found.append(f"debian: the package of the library is not libsonde{interface}")
    return found


def fill(text, where, replacements):
    for old, new in replacements.items():
        if old not in text:
            sys.exit(f"scripts/recipes.py: {where} does not contain {old}")
        text = text.replace(old, new)
    left = [word for word in PLACEHOLDERS if word in text]
    if left:
        sys.exit(f"scripts/recipes.py: {where} still contains {', '.join(left)}")
    return text


def write(folder, given):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(ROOT / "python/wheel.py"), "sdist", str(folder)], check=True)
    source = folder / f"sonde-{version()}.tar.gz"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    versioned = given.archive.replace(version(), "${{ version }}")
    addresses = {
        "conda-forge": {"https://example.org/sonde-${{ version }}.tar.gz": versioned, "https://example.org/sonde": given.page, "0" * 64: digest,
                        "your-name-on-github": given.github},
        "spack": {f"https://example.org/sonde-{version()}.tar.gz": given.archive, "https://example.org/sonde": given.page, "0" * 64: digest,
                  "your-name-on-github": given.github},
        "nix": {},
    }
    for name, path in RECIPES.items():
        target = folder / name / pathlib.Path(path).name
        target.parent.mkdir(exist_ok=True)
        target.write_text(fill((ROOT / path).read_text(), path, addresses[name]))
    debian = folder / "debian"
    shutil.rmtree(debian, ignore_errors=True)
    shutil.copytree(ROOT / "debian", debian)
    address = {"Sonde's authors <sonde@localhost>": given.maintainer}
    for name in ("control", "changelog"):
        more = {"UNRELEASED": "unstable", "Initial release.": "Initial release." + (f" (Closes: #{given.bug})" if given.bug else "")} if name == "changelog" else {
            "Standards-Version:": f"Homepage: {given.page}\nStandards-Version:"}
        (debian / name).write_text(fill((debian / name).read_text(), f"debian/{name}", {**address, **more}))
    print(f"{folder}: recipes of sonde {version()} for {given.archive}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    for name in ("--archive", "--page", "--maintainer", "--github"):
        parser.add_argument(name)
    parser.add_argument("--bug", type=int)
    given = parser.parse_args()
    found = check()
    for line in found:
        print(line, file=sys.stderr)
    if found or given.check:
        return 1 if found else 0
    missing = [name for name in ("folder", "archive", "page", "maintainer", "github") if not getattr(given, name)]
    if missing:
        parser.error(f"needs {', '.join(missing)}")
    if not re.fullmatch(r"[^<>]+ <[^<>@\s]+@[^<>@\s]+\.[^<>@\s]+>", given.maintainer):
        parser.error("--maintainer: not NAME <ADDRESS>")
    if not re.fullmatch(r"https?://\S+", given.archive) or version() not in given.archive:
        parser.error(f"--archive: not an address with the version, {version()}")
    write(given.folder, given)
    return 0


sys.exit(main())
