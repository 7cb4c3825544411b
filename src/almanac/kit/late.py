"""Patterns that are compiled when they are first used: there are many, and a program that starts needs few of them."""

import re
from typing import cast


class _Late:
    """Stands for a pattern; each of its methods is fetched once."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __getattr__(self, name: str) -> object:
        found: object = getattr(re.compile(self._source), name)
        self.__dict__[name] = found
        return found


def late_pattern(source: str) -> re.Pattern[str]:
    """The pattern, with every method of a compiled one."""
    return cast("re.Pattern[str]", _Late(source))
