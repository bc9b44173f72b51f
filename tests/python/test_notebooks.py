"""The notebooks of the examples run: by nbclient where it is installed with a kernel, else their cells one after the other."""
import ast
import importlib.util
import json
import pathlib
import sys

import pytest

from conftest import SOURCES

NOTEBOOKS = sorted((SOURCES / "examples/notebooks").glob("*.ipynb"))


def show(value):
    """What a notebook does with the value of the last line of a cell."""
    page = getattr(value, "_repr_html_", None)
    assert isinstance(page() if page is not None else repr(value), str)


def run_cells(cells, name):
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        tree = ast.parse("".join(cell["source"]), f"{name}, cell {number}")
        last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{name}, cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(last, f"{name}, cell {number}", "eval"), names)
            if value is not None:
                show(value)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: pathlib.Path, tmp_path, monkeypatch):
    # data are next to the folder of the notebooks
    for name in ("platinum_match", "helix_potential"):
        (tmp_path / name).symlink_to(SOURCES / "examples" / name)
    folder = tmp_path / "notebooks"
    folder.mkdir()
    monkeypatch.chdir(folder)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4 and all(not cell.get("outputs") for cell in notebook["cells"])
    if all(importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel")):
        import nbclient
        import nbformat

        nbclient.NotebookClient(nbformat.read(path, 4), timeout=120, kernel_name="python3").execute(cwd=folder)
        return
    pytest.importorskip("matplotlib")
    run_cells([cell for cell in notebook["cells"] if cell["cell_type"] == "code"], path.stem)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 11
