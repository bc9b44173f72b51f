#!/usr/bin/env python3
"""The documentation as a site for reading in a browser, made by Sphinx without a network.

    scripts/site.py FOLDER          makes FOLDER/html from the pages of the repository and from pages made here:
                                    options (from the .def files), the C interface (from include/sonde), the gallery

A link to a file or a heading that does not exist ends it with an error. Needs Sphinx, Furo, and MyST (Debian: python3-sphinx, furo,
python3-myst-parser).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ROW = re.compile(r"^OPTION\(" + r",\s*".join([r"(\w+)", r"(\w+)", r'("[^"]*"|LENGTH)', r'"([^"]*)"', "([^,]*)", "([^,]*)", STRINGS, r'"([^"]*)"', STRINGS]) + r"\)", re.M)
TYPES = {"BOOLEAN": "yes or no", "SIZE": "bytes, as 2G", "VECTOR": "x,y,z", "REAL": "number", "INTEGER": "integer", "CHOICE": "word", "GRID": "first:last:points", "TEXT": "text"}
# what a table of options belongs to, in the order of the page
TABLES = {
    "Every command": "src/job/program.def",
    "build": "src/matter/build/build_options.def",
    "debye": "src/debye/options.def",
    "pattern": "src/pattern/options.def",
    "coulomb": "src/coulomb/options.def",
    "ions": "src/ions/options.def",
    "stopping": "src/stopping/options.def",
    "fdtd": "src/fdtd/options.def",
    "fdtd: sources": "src/fdtd/source.def",
    "fdtd: monitors": "src/fdtd/monitor.def",
    "fdtd: boundaries": "src/fdtd/boundary.def",
    "match": "src/match/options.def",
    "refine": "src/refine/options.def",
    "campaign": "src/campaign/options.def",
    "Samples": "src/matter/sample/sample.def",
    "Samples: materials": "src/matter/materials/material_options.def",
    "Samples: bodies": "src/matter/shape/body.def",
    "Samples: atoms from files": "src/matter/files/structure.def",
}


def tracked():
    """Files that belong to the site: the pages, their pictures, and what they link to."""
    try:
        names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
        return [name for name in names.stdout.split("\n") if name]
    except (OSError, subprocess.CalledProcessError):  # not a checkout
        return [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file() and "build" not in path.relative_to(ROOT).parts[0]]


def stage(source):
    shutil.rmtree(source, ignore_errors=True)
    for name in tracked():
        path = ROOT / name
        if path.is_file():
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copyfile(ROOT / "docs/site/index.md", source / "index.md")
    for page in [source / "docs/start.md", *sorted((source / "docs/tutorials").glob("*.md"))]:
        text = page.read_text(encoding="utf-8").replace("\n```csv\n", "\n```text\n")  # which the highlighter does not know
        page.write_text(with_tabs(text), encoding="utf-8")
    for path in sorted((source / "examples/notebooks").glob("*.ipynb")):
        path.with_suffix(".md").write_text(notebook_page(path), encoding="utf-8")
    for path in source.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        named = re.sub(r"\[[\w./]+\.md\]\(([\w./]+\.md)\)", lambda link: f"[{title_of(path.parent / link[1])}]({link[1]})", text)
        if named != text:
            path.write_text(named, encoding="utf-8")
    page = source / "examples/README.md"
    page.write_text(re.sub(r"\]\((notebooks/\w+)\.ipynb\)", r"](\1.md)", page.read_text(encoding="utf-8")), encoding="utf-8")


def title_of(path):
    """What a link to a page says that has the file's name otherwise: the command of the page, or its title."""
    title = path.read_text(encoding="utf-8").lstrip("# ").partition("\n")[0] if path.is_file() else path.name
    return title.partition(":")[0] if title.startswith("`") else title


def notebook_page(path):
    """A notebook as a page: its words, its code, and its picture; the notebook itself is one link away."""
    lines = ["---", "orphan: true", "---", ""]
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"]).strip("\n")
        if text:
            lines += [text, ""] if cell["cell_type"] == "markdown" else ["```python", text, "```", ""]
    if path.with_suffix(".png").exists():
        lines += [f"![what the notebook draws]({path.stem}.png)", ""]
    return "\n".join([*lines, f"The notebook: [{path.name}]({path.name}). The tests run it.", ""])


def with_tabs(text):
    """Pairs of blocks, "**Program:**" and "**Python:**", as tabs, of which a reader sees one: two radio buttons, without scripts."""
    count = 0

    def tabs(match):
        nonlocal count
        count += 1
        buttons, blocks = [], []
        for which, name, block in (("first", "Program", match[1]), ("second", "Python", match[2])):
            checked = " checked" if which == "first" else ""
            buttons.append(f'<input type="radio" name="tabs-{count}" id="tabs-{count}-{which}" class="{which}"{checked}>'
                           f'<label for="tabs-{count}-{which}">{name}</label>')
            blocks += [f'<div class="tab {which}">', "", block, "", "</div>"]
        return "\n".join(['<div class="tabs">', *buttons, *blocks, "</div>"])

    return re.sub(r"^\*\*Program:\*\*\n\n(```sh\n.*?^```)\n\n\*\*Python:\*\*\n\n(```python\n.*?^```)$", tabs, text, flags=re.M | re.S)



def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def definitions():
    """Headings and their tables. A table that is not listed above is an error, so that none is forgotten."""
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.def") if re.search(r"^OPTION\(", path.read_text(encoding="utf-8"), re.M)}
    missing, gone = found - set(TABLES.values()), set(TABLES.values()) - found
    if missing or gone:
        sys.exit(f"scripts/site.py: tables of options that its list lacks: {sorted(missing)}; that are not there: {sorted(gone)}")
    return {heading: ROOT / path for heading, path in TABLES.items()}


def options_page():
    lines = ["# Options of all commands", "",
             "Generated from the tables that the program, job files, the C structs, and the provenance of results share. On the command line an",
             "option is written `--name value`, in a job file `name: value`, in C `options.name` with underscores. The page of each command explains",
             "them in context.", ""]
    for command, path in definitions().items():
        text = path.read_text(encoding="utf-8")
        rows = ROW.findall(text)
        if len(rows) != len(re.findall(r"^OPTION\(", text, re.M)):
            sys.exit(f"{path.relative_to(ROOT)}: has rows that {pathlib.Path(__file__).name} cannot parse")
        lines += [f"## {command}", "", "| option | type | unit | default | range or choices | meaning |", "|---|---|---|---|---|---|"]
        for kind, name, unit, default, low, high, choices, _, meaning in rows:
            choices = joined(choices)
            limits = ", ".join(f"`{choice}`" for choice in choices.split("|")) if kind == "CHOICE" else limits_of(low.strip(), high.strip(), kind)
            shown = f"`{default}`" if default else ""
            lines.append(f"| `{name.replace('_', '-')}` | {TYPES.get(kind, kind.lower())} | {cell(unit.strip(chr(34)))} | {cell(shown)} | {cell(limits)} | {cell(escaped(joined(meaning)))} |")
        lines.append("")
    return "\n".join(lines)


def joined(strings):
    """The text of adjacent string literals of C."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings)).replace('\\"', '"').replace("\\\\", "\\")


def limits_of(low, high, kind):
    if kind in ("BOOLEAN", "TEXT", "CHOICE") or (low == "0" and high == "0"):
        return ""
    bounds = [] if "-INFINITY" in low or low.startswith("-1e3") else [f"≥ {low}"]
    if "INFINITY" not in high and not high.startswith("1e3"):
        bounds.append(f"≤ {high}")
    return ", ".join(bounds)


def escaped(text):
    """A help text is plain, with names of options in backquotes: other characters that Markdown would read are escaped."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([*_<>\[\]$#])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


def declarations(body):
    """Pairs of a comment at the left margin and the declarations that follow it, up to a blank line or the next such comment."""
    for block in re.split(r"\n\s*\n", body):
        for part in re.split(r"^(?=/\*)", block, flags=re.M):
            if part.strip():
                comment = re.match(r"/\*(.*?)\*/[ \t]*\n?", part, re.S)
                yield (comment[1], part[comment.end():]) if comment else ("", part)


def interface_page():
    """The headers of the C interface with their comments, a heading for each function."""
    lines = ["# C interface", "",
             "The public headers, `#include <sonde/sonde.h>` has them all: what each declares, with the comments that give shapes, units, ownership,",
             "and errors. [How to use it](../docs/library.md) has examples.", ""]
    for header in sorted((ROOT / "include/sonde").glob("*.h")):
        text = header.read_text(encoding="utf-8")
        lines += [f"## {header.name}", ""]
        parts = re.match(r"(/\*.*?\*/)?\s*", text, re.S)
        if parts[1]:
            lines += ["```text", "\n".join(re.sub(r"^(/\*| \*/?) ?", "", line).rstrip(" */") for line in parts[1].split("\n")).strip(), "```", ""]
        body = re.sub(r'^#(ifdef __cplusplus.*?#endif|ifndef SONDE_\w+_H|define SONDE_\w+_H$|include.*?$)', "", text[parts.end():], flags=re.S | re.M)
        body = re.sub(r"^#endif\s*\Z", "", body.strip(), flags=re.M)
        # a comment at the left margin and the declarations up to the next one
        for comment, code in declarations(body):
            name = re.search(r"\b(sonde_\w+)\(", re.sub(r"/\*.*?\*/", "", code, flags=re.S)) if "SONDE_API" in code or "#define sonde" in code else None
            if name:
                lines += [f"### {name[1]}()", ""]
            if comment:
                lines += [escaped(" ".join(re.sub(r"^ *\*? ?", "", line) for line in comment.split("\n")).strip()), ""]
            if code.strip():
                lines += ["```c", re.sub(r"\bSONDE_API ", "", code.strip("\n")), "```", ""]
    return "\n".join(lines)


def first_sentence(text):
    """The first sentence of a paragraph of Markdown, without links."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    return re.split(r"(?<=[.:?])\s", plain)[0].rstrip(":")


def cards(items):
    """Pictures side by side, each with its title and a line below it, that lead to where they come from."""
    lines = ['<div class="gallery">', ""]
    for picture, title, page, words in items:
        lines += ['<div class="card">', "", f"[![{title}]({picture})]({page})", "", f"[{title}]({page})", "", words, "", "</div>"]
    return [*lines, "</div>", ""]


def examples_of_scripts():
    text = (ROOT / "examples/README.md").read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        name, _, rest = section.partition("\n")
        picture = re.search(r"!\[([^\]]*)\]\(([^)]+)\)", rest)
        if picture:
            yield f"examples/{picture[2]}", picture[1], f"examples/README.md#{name.strip().lower()}", f"`{name.strip()}`"


def examples_of_notebooks():
    for path in sorted((ROOT / "examples/notebooks").glob("*.ipynb")):
        if path.with_suffix(".png").exists():
            head = next(cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "markdown")
            title, _, rest = "".join(head["source"]).partition("\n")
            yield f"examples/notebooks/{path.stem}.png", title.lstrip("# "), f"examples/notebooks/{path.stem}.md", first_sentence(rest.strip().split("\n\n")[0])


def tutorials():
    for path in sorted((ROOT / "docs/tutorials").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        picture = re.search(r"!\[([^\]]*)\]\(([^)]+)\)", text)
        if picture:
            title = text.partition("\n")[0].partition(": ")[2]
            yield f"docs/tutorials/{picture[2]}", title[0].upper() + title[1:], f"docs/tutorials/{path.name}", picture[1]


def gallery_page():
    """The pictures of the examples, the notebooks, and the tutorials."""
    lines = ["# Gallery", "", "Each picture is drawn by an example that the tests run; its page explains how, and what to look for.", ""]
    for heading, items in (("Examples", examples_of_scripts()), ("Notebooks", examples_of_notebooks()), ("Tutorials", tutorials())):
        lines += [f"## {heading}", "", *cards(items)]
    return "\n".join(lines)


def complete(static):
    """What Debian's Furo takes from elsewhere: its script is a module of two files, which a page cannot load as it does, and a style has an
    address that only Debian's servers know. Without them there is no dark mode to be switched, and no list of headings that follows."""
    script, style = static / "scripts/furo.js", static / "styles/furo.css"
    text = script.read_text(encoding="utf-8")
    imports = re.search(r'^import \w+ from "\./([\w-]+\.js)";\n', text)
    if imports:
        script.write_text((static / "scripts" / imports[1]).read_text(encoding="utf-8") + text[imports.end():], encoding="utf-8")
    text = style.read_text(encoding="utf-8")
    for address in set(re.findall(r'/javascript/[\w./-]+\.css', text)):
        shutil.copyfile("/usr/share" + address, static / "styles" / pathlib.PurePosixPath(address).name)
        text = text.replace(address, pathlib.PurePosixPath(address).name)
    # the colors of the dark mode for systems that are dark, too
    dark = re.search(r'body\[data-theme="dark"\] \{([^{}]*)\}', text)
    if dark and "prefers-color-scheme" not in text:
        text += '\n@media not print { @media (prefers-color-scheme: dark) { body:not([data-theme="light"]) {' + dark[1] + "} } }\n"
    style.write_text(text, encoding="utf-8")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    source, html = folder / "source", folder / "html"
    stage(source)
    (source / "reference").mkdir()
    for name, page in (("reference/options.md", options_page()), ("reference/interface.md", interface_page()), ("gallery.md", gallery_page())):
        (source / name).write_text(page, encoding="utf-8")
    sphinx = shutil.which("sphinx-build")
    if sphinx is None:
        sys.exit("scripts/site.py: sphinx-build is missing; install python3-sphinx, furo, and python3-myst-parser")
    status = subprocess.run([sphinx, "-b", "html", "-q", "-W", "--keep-going", "-c", str(ROOT / "docs/site"), str(source), str(html)],
                            env=dict(os.environ, SONDE_SOURCE=str(ROOT))).returncode
    if status == 0:
        complete(html / "_static")
    return status


sys.exit(main())
