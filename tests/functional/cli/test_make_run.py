"""`make run` says what it builds and how long that took; where nothing is to be built it is quiet."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# Stands in for Python: `-m venv` makes an environment whose programs do nothing.
PYTHON = """#!/bin/sh
[ "$2" = venv ] || exit 0
mkdir -p "$3/bin"
for name in python uv almanac; do
  printf '#!/bin/sh\\n[ "$1" = serve ] && echo served\\nexit 0\\n' > "$3/bin/$name"
  chmod +x "$3/bin/$name"
done
"""


@pytest.fixture
def checkout(tmp_path):
    if shutil.which("make") is None:
        pytest.skip("make isn't installed")
    for name in ("Makefile", "requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    return tmp_path


def run(checkout: Path) -> list[str]:
    done = subprocess.run(
        ["make", "--no-print-directory", "PYTHON=./python", "run"],
        cwd=checkout,
        text=True,
        capture_output=True,
        timeout=60,
        check=True,
    )
    return done.stdout.splitlines()


def test_the_first_run_tells_each_part_with_its_time(checkout):
    making, first, installing, second, served = run(checkout)
    assert making == "Making the Python environment in .venv"
    assert installing.startswith("Installing ")
    assert " packages into .venv" in installing
    assert all(line.strip().startswith("done in ") and line.endswith(" s") for line in (first, second))
    assert served == "served"


def test_the_second_run_is_quiet(checkout):
    run(checkout)
    assert run(checkout) == ["served"]
