#!/usr/bin/env python3
"""Tables of options in docs/*.md, made from the .def files that hold them.

    scripts/option_tables.py            rewrites them
    scripts/option_tables.py --check    fails where one is not as its .def file says

A table stands between "<!-- NAME.def -->" and "<!-- end -->" in the manual of an engine, docs/ENGINE.md; its rows are those of src/ENGINE/NAME.def.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r'^OPTION\((\w+), (\w+), "([^"]*)", "([^"]*)", [^"]*, "([^"]*)", "[^"]*", "((?:[^"\\]|\\.)*)"\)$', re.M)
TABLE = re.compile(r"(<!-- (\w+\.def) -->\n)(.*?)(<!-- end -->)", re.S)


def table(path):
    text_of_file = path.read_text()
    options = ROW.findall(text_of_file)
    if len(options) != len(re.findall(r"^OPTION\(", text_of_file, re.M)):
        sys.exit(f"{path.relative_to(ROOT)}: rows that {pathlib.Path(__file__).name} does not understand")
    rows = ["| key | unit | default | meaning |", "|---|---|---|---|"]
    for kind, name, unit, default, choices, text in options:
        if kind == "CHOICE":
            text += " One of " + ", ".join(f"`{choice}`" for choice in choices.split("|")) + "."
        shown = f"`{default}`" if default not in ("", "0:0:1") else ""
        rows.append(f"| `{name.replace('_', '-')}` | {unit} | {shown} | {text} |")
    return "\n".join(rows) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        before = page.read_text()
        engine = ROOT / "src" / page.stem
        after = TABLE.sub(lambda m: m[1] + (table(engine / m[2]) if (engine / m[2]).exists() else m[3]) + m[4], before)
        if after != before:
            stale.append(page)
            if not check:
                page.write_text(after)
    for page in stale if check else []:
        print(f"{page.relative_to(ROOT)}: a table of options is not what its .def file says: run scripts/option_tables.py")
    return 1 if check and stale else 0


sys.exit(main())
