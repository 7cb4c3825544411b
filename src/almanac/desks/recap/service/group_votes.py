"""Votes by group: official results are brought from files, and shown with the decisions that they are certainly of."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from almanac.desks.recap.model.group_votes import OfficialVote, bind_votes, read_official_votes
from almanac.desks.recap.model.views import FullArticle
from almanac.desks.recap.store import group_votes as store
from almanac.desks.recap.store.articles import mark_votes_changed
from almanac.desks.recap.store.reads import RecapReads
from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.services import Services

_PLENARY = "本会議"
_MOST_BYTES = 200_000_000


async def import_votes(services: Services, place: Path, house: str) -> int:
    """Bring the official results of a house from a file or a folder of files; how many votes were kept."""
    votes = [vote for path in _list_files(place) for vote in _read_file(path)]
    async with services.database.unit() as unit:
        await store.put_votes(unit, house, votes)
    for day in sorted({vote.day.isoformat() for vote in votes}):
        await mark_votes_changed(services.tables, day, house, _PLENARY, services.clock.now())
    return len(votes)


async def load_group_votes(services: RecapReads, article: FullArticle) -> dict[int, OfficialVote]:
    """The votes by group of an article's decisions, by their index; nothing is read where no vote was counted."""
    decisions, meeting = article.recap.facts.decisions, article.meeting
    if meeting.meeting != _PLENARY or all(item.vote is None or item.vote.in_favour is None for item in decisions):
        return {}
    async with services.database.reading() as reading:
        return bind_votes(decisions, await store.list_votes(reading, meeting.house, meeting.date))


def _list_files(place: Path) -> list[Path]:
    files = sorted([*place.glob("*.json"), *place.glob("*.json.gz")]) if place.is_dir() else [place]
    if not files:
        raise InputError(gettext("%(place)s has no file that ends in .json or .json.gz.", place=str(place)))
    return files


def _read_file(path: Path) -> Iterator[OfficialVote]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from read_official_votes(json.loads(file.read(_MOST_BYTES)), path.name)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(gettext("%(place)s can't be read as results of votes.", place=str(path))) from error
