#!/usr/bin/env python3
"""Tables of options in docs/*.md, generated from their .def files.

    scripts/option_tables.py            rewrites them
    scripts/option_tables.py --check    fails if one differs from its .def file

A table stands between "<!-- NAME.def -->" and "<!-- end -->" in the manual of an engine, docs/ENGINE.md; its rows are those of src/ENGINE/NAME.def,
or, of lists that several engines read, of src/matter/, where LENGTH is the engine's unit of length.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r'^OPTION\((\w+), (\w+), ("[^"]*"|LENGTH), "([^"]*)", [^"]*, "([^"]*)", "[^"]*", "((?:[^"\\]|\\.)*)"\)$', re.M)
LENGTHS = {"fdtd": "m", "ions": "Å", "sample": "Å"}
TABLE = re.compile(r"(<!-- (\w+\.def) -->\n)(.*?)(<!-- end -->)", re.S)


def path_of(engine, name):
    """The .def file of a table, or None."""
    of_engine = ROOT / "src" / engine / name
    return of_engine if of_engine.exists() else next((ROOT / "src/matter").rglob(name), None)


def table(path, engine):
    text_of_file = path.read_text()
    options = ROW.findall(text_of_file)
    if len(options) != len(re.findall(r"^OPTION\(", text_of_file, re.M)):
        sys.exit(f"{path.relative_to(ROOT)}: rows that {pathlib.Path(__file__).name} cannot parse")
    rows = ["| key | unit | default | meaning |", "|---|---|---|---|"]
    for kind, name, unit, default, choices, text in options:
        if kind == "CHOICE":
            text += " One of " + ", ".join(f"`{choice}`" for choice in choices.split("|")) + "."
        unit = LENGTHS[engine] if unit == "LENGTH" else unit.strip('"')
        shown = f"`{default}`" if default not in ("", "0:0:1") else ""
        rows.append(f"| `{name.replace('_', '-')}` | {unit} | {shown} | {text} |")
    return "\n".join(rows) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        before = page.read_text()
        engine = page.stem

        def replacement(match):
            path = path_of(engine, match[2])
            return match[1] + (table(path, engine) if path else match[3]) + match[4]

        after = TABLE.sub(replacement, before)
        if after != before:
            stale.append(page)
            if not check:
                page.write_text(after)
    for page in stale if check else []:
        print(f"{page.relative_to(ROOT)}: a table of options differs from its .def file: run scripts/option_tables.py")
    return 1 if check and stale else 0


sys.exit(main())
