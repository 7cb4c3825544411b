"""The lists of words and patterns in `data/`: one pattern to a line, or words between spaces; `#` begins a remark."""

from functools import cache
from importlib.resources import files


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(word for line in _lines(name) for word in line.split())


def alternatives(*names: str) -> str:
    """The patterns of one or more lists as one pattern that matches any of them."""
    return "(?:" + "|".join(line for name in names for line in _lines(name)) + ")"


def _lines(name: str) -> list[str]:
    text = files(__package__).joinpath("data", f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
