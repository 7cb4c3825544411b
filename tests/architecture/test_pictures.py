"""The pictures of docs/images are those that `make pictures` takes, and the README shows each of them."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def list_pictures():
    """The names in PICTURES of tests/pictures.py, which is read, not run: it needs a browser."""
    tree = ast.parse((ROOT / "tests/pictures.py").read_text("utf-8"))
    (value,) = [node.value for node in tree.body if isinstance(node, ast.AnnAssign) and node.target.id == "PICTURES"]
    return {key.value for key in value.keys}


def test_every_picture_is_taken_by_the_command():
    assert {path.stem for path in (ROOT / "docs/images").glob("*.png")} == list_pictures()


def test_the_readme_shows_every_picture():
    shown = re.findall(r"!\[[^\]]+\]\(docs/images/(\w+)\.png\)", (ROOT / "README.md").read_text("utf-8"))
    assert sorted(shown) == sorted(list_pictures())
