#!/usr/bin/env python3
"""Draws the pictures of the notebooks that the gallery of the documentation shows: of each notebook its last figure.

    examples/notebooks/pictures.py [NAME ...]       runs the notebooks, by default all, and writes NAME.png next to them
"""
import json
import os
import pathlib
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def last_figure(path):
    """Runs the cells of a notebook, in a folder that has the data of the examples next to it."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder:
        for data in ("platinum_match", "helix_potential"):
            os.symlink(HERE.parent / data, pathlib.Path(folder, data))
        work = pathlib.Path(folder, "notebooks")
        work.mkdir()
        os.chdir(work)
        for cell in cells:
            if cell["cell_type"] == "code":
                plt.figure(figsize=(6.4, 4.0), dpi=100)  # as in a notebook, each cell draws into its own
                exec("".join(cell["source"]), names)
        os.chdir(HERE)
    drawn = [plt.figure(number) for number in plt.get_fignums() if plt.figure(number).axes]
    return drawn[-1] if drawn else None


def main():
    for path in sorted(HERE.glob("*.ipynb")):
        if len(sys.argv) > 1 and path.stem not in sys.argv[1:]:
            continue
        figure = last_figure(path)
        if figure is not None:
            figure.tight_layout()
            figure.savefig(path.with_suffix(".png"))
        plt.close("all")
        print(path.stem, "drawn" if figure is not None else "has no figure")


main()
