"""Word lists of the desk, as files beside the code."""

from functools import cache
from importlib.resources import files


@cache
def idle_words() -> frozenset[str]:
    """Words of every debate, which say nothing about this one."""
    return frozenset((files(__package__) / "data" / "idle_words.txt").read_text("utf-8").split())


@cache
def category_words() -> dict[str, tuple[str, ...]]:
    """The words that speak for each category, by its name."""
    lines = (files(__package__) / "data" / "categories.txt").read_text("utf-8").splitlines()
    split = (line.partition(":") for line in lines if line)
    return {name: tuple(word.strip() for word in words.split("|")) for name, _, words in split}
