"""The lists of words and characters in `data/`, between spaces or lines; `#` begins a remark."""

from functools import cache
from importlib.resources import files


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list; none where there is no such list."""
    file = files(__package__).joinpath("data", f"{name}.txt")
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def characters(name: str) -> frozenset[str]:
    """The characters of a list."""
    return frozenset(character for word in word_list(name) for character in word)
