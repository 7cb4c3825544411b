"""House habits that a machine can see: docstrings, sizes, names, and nothing in the tree that doesn't belong there."""

import ast
import re
import statistics
import subprocess
from pathlib import Path

import pytest

LONGEST_FUNCTION, LONGEST_FILE, LONGEST_TEST_FILE = 60, 500, 600
MEDIAN_FUNCTION, MEDIAN_FILE = 10, 150
NEW_LINE = "\n"


@pytest.fixture(scope="module")
def functions(modules) -> dict[str, int]:
    """How many lines each function has."""
    return {
        f"{name}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for name, module in modules.items()
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def tracked(root: Path, *patterns: str) -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    return [root / name for name in listing if (root / name).is_file()]


def test_every_module_says_what_it_owns(modules):
    silent = [name for name, module in modules.items() if not ast.get_docstring(module.tree)]
    assert not silent


def test_no_function_is_longer_than_a_screen(functions):
    assert not {name: length for name, length in functions.items() if length > LONGEST_FUNCTION}


def test_functions_are_short_in_general(functions):
    assert statistics.median(functions.values()) <= MEDIAN_FUNCTION


def test_no_file_is_too_long_to_read(modules, root):
    long = {name: lines(module.path) for name, module in modules.items() if lines(module.path) > LONGEST_FILE}
    long |= {str(p): lines(p) for p in root.glob("tests/**/*.py") if lines(p) > LONGEST_TEST_FILE}
    assert not long


def test_files_are_short_in_general(modules):
    assert statistics.median(lines(module.path) for module in modules.values()) <= MEDIAN_FILE


FOREIGN = [
    re.compile(r"--(extra-)?index-url"),
    re.compile(r"pypi\.org|pythonhosted|registry\.npmjs|deb\.debian", re.IGNORECASE),
    re.compile(r'"resolved": *"http'),
    re.compile(r"(?<![\w.])/(root|home)/\w"),
]


@pytest.fixture(scope="module")
def tracked_texts(root) -> dict[Path, str]:
    here, pictures = Path(__file__).resolve(), {".png", ".ico", ".woff2", ".gz"}
    paths = [path for path in tracked(root) if path != here and path.suffix not in pictures]
    return {path: path.read_text("utf-8", errors="replace") for path in paths}


@pytest.mark.parametrize("pattern", FOREIGN, ids=lambda pattern: pattern.pattern)
def test_no_file_names_a_package_host_or_a_private_path(root, tracked_texts, pattern):
    assert not [
        f"{path.relative_to(root)}:{text.count(NEW_LINE, 0, match.start()) + 1}"
        for path, text in tracked_texts.items()
        for match in pattern.finditer(text)
    ]
