"""Word lists as files in a package's `data` folder: words between spaces or line breaks; `#` starts a comment line."""

from functools import cache
from importlib.resources import files


@cache
def read_lines(package: str, file_name: str) -> tuple[str, ...]:
    """The lines of a list, without blank lines and comments. Raises FileNotFoundError if there is no such file."""
    lines = files(package).joinpath("data", file_name).read_text("utf-8").splitlines()
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))


@cache
def read_words(package: str, file_name: str) -> frozenset[str]:
    """The words of a list. Raises FileNotFoundError if there is no such file."""
    return frozenset(word for line in read_lines(package, file_name) for word in line.split())


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of one of this package's lists; empty if it has no such list, as for an unsupported language."""
    exists = files(__package__).joinpath("data", f"{name}.txt").is_file()
    return read_words(__package__, f"{name}.txt") if exists else frozenset()


def characters(name: str) -> frozenset[str]:
    """The characters of one of this package's lists."""
    return frozenset(character for word in word_list(name) for character in word)
