"""Modules that are slow to load and seldom needed: named at the top of a file as usual, loaded at their first use."""

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


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
