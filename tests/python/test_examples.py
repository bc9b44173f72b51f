"""The examples of the documentation run."""
import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["debye", "fdtd", "ions"])
def test_example(name, sources, tmp_path):
    done = subprocess.run([sys.executable, sources / f"examples/python_{name}.py"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 1
