"""docs/reference/engine.md: its examples run, and its table of operations is the engine's."""

import re
from pathlib import Path

import pytest

from tablature.engine.operations import OPERATIONS

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "engine.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text("utf-8")


def test_the_examples_run_one_after_another(page):
    names: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) >= 4
    for example in examples:
        exec(compile(example, str(PAGE), "exec"), names)


def test_every_operation_is_listed_and_nothing_else(page):
    table = page.partition("## Operations")[2].partition("Every other operation")[0]
    assert sorted(re.findall(r"`(\w+)`", table)) == sorted(OPERATIONS)


def test_every_option_of_the_command_is_listed(page):
    options = Path(PAGE.parents[2] / "src/tablature/engine/__main__.py").read_text("utf-8")
    assert set(re.findall(r'"(--[\w-]+)"', options)) == set(re.findall(r"^\| `(--[\w-]+)", page, re.MULTILINE))
