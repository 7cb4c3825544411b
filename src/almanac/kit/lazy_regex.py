"""Regular expressions that are compiled on first use: there are many, and a process needs few of them at start."""

import re
from typing import cast


class _LazyRegex:
    """Stands in for a compiled pattern; each of its methods is looked up once."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __getattr__(self, name: str) -> object:
        method: object = getattr(re.compile(self._source), name)
        self.__dict__[name] = method
        return method


def lazy_regex(source: str) -> re.Pattern[str]:
    """A pattern with every method of a compiled one."""
    return cast("re.Pattern[str]", _LazyRegex(source))
