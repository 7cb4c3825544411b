"""Lazy loading: modules that are imported and regular expressions that are compiled on first use."""

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, cast


class _Later(ModuleType):
    """Stands for a module. Importing it at each use takes the import's own lock, so no thread sees it half-made."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def lazy_module(name: str) -> ModuleType:
    """The module, loaded when one of its attributes is first read; a missing one fails here, not later."""
    if name in sys.modules:
        return sys.modules[name]
    if find_spec(name) is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _Later(name)


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
