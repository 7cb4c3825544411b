"""Names taken apart into words, whatever case they are written in."""

import re


def words(name: str) -> list[str]:
    """The words of a name in snake or camel case, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]
