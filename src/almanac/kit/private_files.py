"""File modes of what an installation keeps: readable by the account that runs it, and by nobody else.

Secrets lie in many of its files: one-time links in the outbox, sessions in backups, customers in the tables.
"""

import logging
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO
_PASSING = stat.S_IXGRP

logger = logging.getLogger(__name__)


def make_private_folder(folder: Path) -> None:
    """Create a folder and its parents if they are missing; from now on this process creates private files only.

    The file mode creation mask is set for the whole process, because libraries and child processes also write there.
    """
    os.umask(OTHERS)
    folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)


def list_exposed(folder: Path, *, trusted: Collection[str] = ()) -> Iterator[Path]:
    """Paths in a folder, itself included, that other accounts have a right to.

    A subfolder named in `trusted` isn't searched if it is private itself, because nobody else gets through. The folder
    may let its group pass, as PostgreSQL's account must when Almanac runs as root. One that everybody may write, such
    as /tmp, isn't ours to close.
    """
    mode = folder.stat().st_mode
    if mode & (OTHERS & ~_PASSING) and not mode & stat.S_ISVTX:
        yield folder
    for entry in sorted(folder.iterdir()):
        # A link at the top moves a part of the data to another disk.
        path = entry.resolve()
        with suppress(OSError):
            is_exposed = _is_exposed(path)
            if is_exposed:
                yield path
            if path.is_dir() and (is_exposed or entry.name not in trusted):
                yield from _list_exposed_inside(path)


def _list_exposed_inside(folder: Path) -> Iterator[Path]:
    for above, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(above, name)
            # Files come and go while an installation runs.
            with suppress(FileNotFoundError):
                if _is_exposed(path):
                    yield path


def _is_exposed(path: Path) -> bool:
    mode = path.lstat().st_mode
    return bool(mode & OTHERS) and (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def close_exposed(folder: Path, *, trusted: Collection[str] = ()) -> None:
    """Take other accounts' rights to a folder and all in it, and warn about what they could read until now."""
    closed: list[Path] = []
    refused: list[Path] = []
    for path in list_exposed(folder, trusted=trusted):
        try:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
            closed.append(path)
        except FileNotFoundError:
            continue
        except OSError:
            refused.append(path)
    if closed:
        logger.warning(
            "Other accounts of this machine could read %d paths in %s, such as %s; now only this account can. "
            "If strangers have accounts here, sign everybody out and replace passwords and tokens.",
            len(closed),
            folder,
            closed[-1],
        )
    if refused:
        logger.warning(
            "Other accounts of this machine can read %d paths in %s, such as %s, and this account may not change that; "
            "let their owner run: chmod -R go= %s",
            len(refused),
            folder,
            refused[-1],
            folder,
        )
