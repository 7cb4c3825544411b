"""The labelled pairs of a sentence and a source, and a short way to check one sentence."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from almanac.verify import CheckedClaim, CitedClaim, check

PAIRS = Path(__file__).parent / "pairs"


@dataclass(frozen=True)
class Pair:
    """A sentence, its source, and whether it has a fault of which kind."""

    language: str
    held_out: bool
    source: str
    text: str
    kind: str
    is_fault: bool

    def check(self) -> CheckedClaim:
        reference = "elsewhere" if self.kind == "dangling" else "source"
        return check([CitedClaim(self.text, (reference,))], {"source": self.source}).sentences[0]


def load_pairs() -> list[Pair]:
    return [
        Pair(file.name[:2], "held-out" in file.name, case["source"], text, kind, label == "fault")
        for file in sorted(PAIRS.glob("*.toml"))
        for case in tomllib.loads(file.read_text("utf-8"))["case"]
        for label, kind, text in case["pairs"]
    ]


@pytest.fixture(scope="session")
def labelled():
    return load_pairs()


@pytest.fixture(scope="session")
def judged(labelled):
    return [(pair, pair.check()) for pair in labelled]


@pytest.fixture
def verdict_of():
    """Checks one sentence against one source."""

    def checked(text, source, **options) -> CheckedClaim:
        return check([CitedClaim(text, ("s",))], {"s": source}, **options).sentences[0]

    return checked
