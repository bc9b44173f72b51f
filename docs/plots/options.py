#!/usr/bin/env python3
"""Writes the tables of options in docs/fdtd.md from src/fdtd/*.def: what stands between <!-- NAME.def --> and <!-- end --> is replaced.
    docs/plots/options.py
Nothing but Python itself is needed."""
import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(ROOT, "docs", "fdtd.md")
OPTION = re.compile(r'OPTION\((\w+), (\w+), "([^"]*)", "([^"]*)", ([^,]+), ([^,]+), "([^"]*)",\s*"((?:[^"\\]|\\.)*)"\)', re.S)


def rows(name):
    with open(os.path.join(ROOT, "src", "fdtd", name), encoding="utf-8") as file:
        text = re.sub(r'"\s*\n\s*"', "", file.read())
    yield "| key | unit | default | what |"
    yield "|---|---|---|---|"
    for kind, key, unit, default, _low, _high, choices, text in OPTION.findall(text):
        values = ""
        if kind == "CHOICE":
            values = " One of " + ", ".join("`%s`" % choice for choice in choices.split("|")) + "."
        shown = "" if default in ("", "0:0:1") else "`%s`" % default
        yield "| `%s` | %s | %s | %s%s |" % (key.replace("_", "-"), unit, shown, text.replace("|", "\\|"), values)


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    page = re.sub(r"(<!-- (\w+\.def) -->\n).*?(<!-- end -->)", lambda m: m[1] + "\n".join(rows(m[2])) + "\n" + m[3], page, flags=re.S)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
