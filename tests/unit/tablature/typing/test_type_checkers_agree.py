"""mypy and pyright, both strict, see the same types in a declared entity and refuse the same mistakes."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
FILES = ("sample.py", "mistakes.py")
FIRST_MISTAKE = 5


def mypy(folder: Path) -> dict[str, set[int]]:
    """Lines with errors by file."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", *FILES]
    environment = {"MYPYPATH": f"{ROOT / 'src'}:{folder}", "PATH": ""}
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False).stdout
    return _by_file(re.findall(r"(\w+\.py):(\d+): error", output))


def pyright(folder: Path) -> dict[str, set[int]]:
    """The same by pyright, in the build that carries everything it needs."""
    settings = {"extraPaths": [str(ROOT / "src")], "typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [Path(sys.executable).parent / "basedpyright", "--outputjson"]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    errors = [e for e in json.loads(answer)["generalDiagnostics"] if e["severity"] == "error"]
    return _by_file([(Path(e["file"]).name, e["range"]["start"]["line"] + 1) for e in errors])


def _by_file(output):
    lines: dict[str, set[int]] = {}
    for file, line in output:
        lines.setdefault(file, set()).add(int(line))
    return lines


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_declared_entity_has_precise_types_and_mistakes_are_found(checker, tmp_path):
    for name in FILES:
        shutil.copy(HERE / name, tmp_path)
    mistakes = (HERE / "mistakes.py").read_text("utf-8").splitlines()
    assert checker(tmp_path) == {"mistakes.py": set(range(FIRST_MISTAKE, len(mistakes) + 1))}
