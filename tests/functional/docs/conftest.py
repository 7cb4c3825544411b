"""The documentation as data: pages, their fenced blocks, and the generator of the reference."""

import re
import runpy
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Page:
    """One page of the documentation."""

    path: Path

    @property
    def text(self):
        return self.path.read_text("utf-8")

    def blocks(self, language):
        return [body for kind, body in FENCE.findall(self.text) if kind == language]

    def __str__(self):
        return self.path.relative_to(ROOT).as_posix()


PAGES = [Page(path) for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]]


@pytest.fixture(params=PAGES, ids=str)
def page(request):
    return request.param


@pytest.fixture(scope="session")
def generator():
    """docs/generate.py as a module's contents."""
    return runpy.run_path(str(ROOT / "docs" / "generate.py"))


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def all_pages():
    return PAGES
