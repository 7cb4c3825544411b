"""Near-duplicate texts by MinHash: a signature of 64 numbers, keys by which alike texts meet, and how alike two are.

One hash for each shingle, sorted into 64 bins, keeps this fast in plain Python; empty bins borrow from their neighbour.
The figures of a text are part of its signature too: reports that differ only in them tell different stories.
"""

import re
from array import array
from itertools import pairwise
from operator import eq
from zlib import crc32

BINS, ROWS, FIGURES = 64, 4, 16
SIMILARITY_THRESHOLD, SAME_FIGURES, FEWEST_FIGURES = 0.6, 0.5, 3
FEWEST_SHINGLES = 12
_WORD = re.compile(r"[^\W\d_]{2,}|\d+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_FIGURE = re.compile(r"\d[\d.,]*\d")
_MIX = 0x9E3779B97F4A7C15
_MASK = 0xFFFFFFFFFFFFFFFF


def minhash_signature(text: str) -> bytes | None:
    """The signature of a text; None for one too short to be told apart from others."""
    shingles = set(_shingles(text.lower()))
    if len(shingles) < FEWEST_SHINGLES:
        return None
    least: list[int | None] = [None] * BINS
    for shingle in shingles:
        mixed = (crc32(shingle.encode()) * _MIX) & _MASK
        place, value = mixed >> 58, (mixed >> 20) & 0xFFFFFFFF
        current = least[place]
        if current is None or value < current:
            least[place] = value
    return array("I", [*_filled(least), *_figures(text)]).tobytes()


def lsh_bands(signed: bytes) -> list[int]:
    """Keys of which alike texts share at least one; each fits a signed 64-bit number."""
    return [
        (number << 32) | crc32(signed[at : at + 4 * ROWS]) for number, at in enumerate(range(0, 4 * BINS, 4 * ROWS))
    ]


def estimate_similarity(first: bytes, second: bytes) -> float:
    """The share of shingles that two texts have in common, estimated; nothing where their figures are different."""
    left, right = array("I", first), array("I", second)
    if not _same_figures(set(left[BINS:]) - {0}, set(right[BINS:]) - {0}):
        return 0.0
    shared: int = sum(map(eq, left[:BINS], right[:BINS]))
    return shared / BINS


def _same_figures(first: set[int], second: set[int]) -> bool:
    if min(len(first), len(second)) < FEWEST_FIGURES:
        return True
    return len(first & second) >= SAME_FIGURES * max(len(first), len(second))


def _figures(text: str) -> list[int]:
    """The smallest hashes of the figures of a text, so that texts with the same figures keep the same ones."""
    hashes = sorted({crc32(figure.encode()) | 1 for figure in _FIGURE.findall(text)})[:FIGURES]
    return hashes + [0] * (FIGURES - len(hashes))


def _shingles(text: str) -> list[str]:
    shingles = [run[at : at + 3] for run in _CJK.findall(text) for at in range(max(1, len(run) - 2))]
    return shingles + [f"{a} {b}" for a, b in pairwise(_WORD.findall(_CJK.sub(" ", text)))]


def _filled(least: list[int | None]) -> list[int]:
    """Bins without a shingle take the value of the next one that has some, marked by the distance."""
    filled: list[int] = []
    for place in range(BINS):
        distance = next(step for step in range(BINS) if least[(place + step) % BINS] is not None)
        value = least[(place + distance) % BINS] or 0
        filled.append((value + distance * 0x9E3779B1) & 0xFFFFFFFF)
    return filled
