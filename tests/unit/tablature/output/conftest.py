"""The design of a small shop, and snapshots of what is written from it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tablature.cli.arguments import load_design
from tablature.design import Design

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def shop_file() -> str:
    return str(HERE / "shop.py")


@pytest.fixture(scope="session")
def shop(shop_file: str) -> Design:
    return load_design([shop_file])


@pytest.fixture
def snapshot() -> Callable[[str, str], None]:
    """Compares a text with the file that a person has looked at."""

    def compare(name: str, text: str) -> None:
        path = HERE / "snapshots" / name
        assert text == path.read_text("utf-8"), f"If the new text is right, write it to {path.relative_to(HERE)}."

    return compare
