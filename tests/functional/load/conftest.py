"""The load driver of tests/load, whose modules stand beside each other as those of a program do."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

LOAD = Path(__file__).resolve().parents[2] / "load"


@pytest.fixture(scope="session")
def driver_folder() -> Path:
    return LOAD


@pytest.fixture(scope="session")
def on_the_path() -> Iterator[None]:
    sys.path.insert(0, str(LOAD))
    yield
    sys.path.remove(str(LOAD))


@pytest.fixture(scope="session")
def leaks(on_the_path: None) -> ModuleType:
    return importlib.import_module("leaks")


@pytest.fixture(scope="session")
def documented(on_the_path: None) -> ModuleType:
    return importlib.import_module("documented")


@pytest.fixture(scope="session")
def capacity(on_the_path: None) -> ModuleType:
    return importlib.import_module("capacity")


@pytest.fixture(scope="session")
def content(on_the_path: None) -> ModuleType:
    return importlib.import_module("content")


@pytest.fixture(scope="session")
def served_here(on_the_path: None) -> ModuleType:
    return importlib.import_module("served_here")
