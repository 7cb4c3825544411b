"""The version of the rules: it changes with every change of this package, its word lists, or how text is split."""

import hashlib
from functools import cache
from pathlib import Path

_FOLDERS = (Path(__file__).parent, Path(__file__).parent.parent / "language")
_ENDINGS = frozenset({".py", ".txt"})


@cache
def rules_version() -> str:
    """A hash of the rules and their word lists. A verdict reached by other rules must not be reused."""
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _ENDINGS:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
