"""Votes by group from official results, bound to the decisions of a record by title and counts, or not at all."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from almanac.desks.recap.model.record import HouseDecision
from almanac.kit.lazy import lazy_regex

_AGENDA_NUMBER = lazy_regex(r"\A日程第\d+\s*")
_NOTE = lazy_regex(r"\([^()]*\)")
_DAY = lazy_regex(r"(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})日")


class GroupVote(msgspec.Struct, frozen=True):
    """How many members of a group voted for and against."""

    name: str
    in_favour: int
    against: int


class OfficialVote(msgspec.Struct, frozen=True, kw_only=True):
    """One vote as its house published it."""

    day: date
    title: str
    total: int
    in_favour: int
    against: int
    groups: tuple[GroupVote, ...]
    source: str


def fold_title(title: str) -> str:
    """A title without its number on the agenda, notes in brackets, width and spaces."""
    plain = _AGENDA_NUMBER.sub("", unicodedata.normalize("NFKC", title).strip())
    while plain != (bare := _NOTE.sub("", plain)):
        plain = bare
    return re.sub(r"\s+", "", plain)


def read_official_votes(session: Mapping[str, Any], source: str) -> Iterator[OfficialVote]:
    """The counted votes of a session's results whose groups add up to the whole; others can't be shown."""
    for topic in session.get("topics") or ():
        whole, day = topic.get("whole_result"), _DAY.search(str(topic.get("topic_date", "")))
        if not isinstance(whole, Mapping) or day is None:
            continue
        groups = tuple(
            GroupVote(str(group["party_name"]), int(group["yay"]), int(group["nay"]))
            for group in topic.get("voting_results") or ()
        )
        vote = OfficialVote(
            day=date(*map(int, day.groups())),
            title=str(topic["topic_title"]).strip(),
            total=int(whole["total_votes"]),
            in_favour=int(whole["yay"]),
            against=int(whole["nay"]),
            groups=groups,
            source=source,
        )
        if _adds_up(vote):
            yield vote


def _adds_up(vote: OfficialVote) -> bool:
    return (
        vote.total == vote.in_favour + vote.against
        and vote.in_favour == sum(group.in_favour for group in vote.groups)
        and vote.against == sum(group.against for group in vote.groups)
    )


def bind_votes(decisions: Sequence[HouseDecision], votes: Sequence[OfficialVote]) -> dict[int, OfficialVote]:
    """The official vote of decisions by their index: the only one of that title and those counts, for the only such
    decision. Anything less certain is left out.
    """
    named = Counter(_decision_key(decision) for decision in decisions)
    official: dict[tuple[str, int | None, int | None], list[OfficialVote]] = {}
    for vote in votes:
        official.setdefault((fold_title(vote.title), vote.in_favour, vote.against), []).append(vote)
    bound: dict[int, OfficialVote] = {}
    for index, decision in enumerate(decisions):
        key = _decision_key(decision)
        matching = official.get(key, ()) if key else ()
        counted = decision.vote.total if decision.vote else None
        if key and named[key] == 1 and len(matching) == 1 and counted in (None, matching[0].total):
            bound[index] = matching[0]
    return bound


def _decision_key(decision: HouseDecision) -> tuple[str, int | None, int | None] | None:
    vote, title = decision.vote, fold_title(decision.subject)
    if not title or vote is None or vote.in_favour is None or vote.against is None:
        return None
    return title, vote.in_favour, vote.against
