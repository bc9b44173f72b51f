"""The examples of the documentation run."""
import re
import subprocess
import sys

import pytest

from conftest import SOURCES

TUTORIALS = sorted((SOURCES / "docs/tutorials").glob("*.md"))


@pytest.mark.parametrize("name", ["debye", "fdtd", "ions"])
def test_example(name, sources, tmp_path):
    done = subprocess.run([sys.executable, sources / f"examples/python_{name}.py"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 1


def test_there_is_a_tutorial_for_each_engine():
    assert {"build", "coulomb", "debye", "fdtd", "ions", "match", "pattern", "stopping"} <= {path.stem for path in TUTORIALS}


@pytest.mark.parametrize("path", [SOURCES / "docs/start.md", *TUTORIALS], ids=lambda path: path.stem)
def test_tutorial(path, tmp_path, monkeypatch):
    """The blocks of Python in their order, with the files that the page gives; their last lines check the answer."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    for name, content in re.findall(r"`(\w+\.(?:yaml|csv))`:\n\n```(?:yaml|csv)\n(.*?)^```", text, re.M | re.S):
        (tmp_path / name).write_text(content, encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 2 and (path.stem == "start" or "assert " in "".join(blocks))
    names = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"{path.name}, block {number}", "exec"), names)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
