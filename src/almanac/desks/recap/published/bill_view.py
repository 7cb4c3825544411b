"""Bills as lists show them: how many meetings dealt with each, where it stands, and who spoke about it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from almanac.desks.recap.model.recap import Reaction
from almanac.desks.recap.model.speech_filters import SpeechFilter
from almanac.desks.recap.model.speech_views import SpeechFacetValue, SpeechHit
from almanac.desks.recap.model.views import FacetValue, MeetingTimeline
from almanac.desks.recap.service import articles, speeches
from almanac.desks.recap.store.reads import RecapReads
from almanac.errors import NotFound
from almanac.kit.lazy import lazy_regex
from almanac.language.segmentation import split_sentences
from almanac.search import SnippetSpan
from tablature.kept_reads import KeptReads

MOST_BILLS, _PEOPLE, _SIDED, _QUOTED = 40, 16, 20, 3
_FOR: Reaction = "賛成"
_AGAINST: Reaction = "反対"
# “In favour” or “against”, with what makes it a stance: a position, a debate, a reason, or a verb.
_STANCE = lazy_regex(r"(?:賛成|反対)[^。]{0,12}(?:立場|討論|理由|いたし|しま|する|です|であ|申し)")


@dataclass(frozen=True, slots=True)
class BillRow:
    """A bill in the list: how many meetings dealt with it, and where it stands."""

    key: str
    title: str
    meetings: int
    last: str
    house: str
    outcome: str


_ROWS: KeptReads[list[BillRow]] = KeptReads()


async def list_bill_rows(services: RecapReads, bills: Sequence[FacetValue]) -> list[BillRow]:
    """Bills by the day on which they moved last."""

    async def load() -> list[BillRow]:
        timelines = await asyncio.gather(*(_timeline(services, bill.value) for bill in bills))
        lines = [_line(timeline) for timeline in timelines if timeline and timeline.entries]
        return sorted(lines, key=lambda line: (line.last, line.key), reverse=True)

    return await _ROWS.get(services.tables, tuple(bill.value for bill in bills), load)


async def get_bill_title(services: RecapReads, key: str) -> str:
    """The title of a bill, or its key where it is known no more."""
    timeline = await _timeline(services, key)
    return timeline.title if timeline else key


async def _timeline(services: RecapReads, key: str) -> MeetingTimeline | None:
    try:
        return await articles.get_bill_timeline(services, key)
    except NotFound:
        return None


def _line(timeline: MeetingTimeline) -> BillRow:
    last = timeline.entries[-1]
    return BillRow(
        key=timeline.key,
        title=timeline.title,
        meetings=len(timeline.entries),
        last=last.card.date,
        house=last.card.name_of_house or "",
        outcome=last.outcome,
    )


@dataclass(frozen=True, slots=True)
class BillSpeeches:
    """Who spoke about a bill, and the speeches for and against it, each with the words in which it takes its side."""

    people: Sequence[SpeechFacetValue] = ()
    in_favour: Sequence[SpeechHit] = ()
    against: Sequence[SpeechHit] = ()


async def load_bill_speeches(services: RecapReads, key: str) -> BillSpeeches:
    """Who spoke about a bill, the most frequent first, and who for it and against it."""
    everybody = await speeches.list_speeches(services, SpeechFilter(bill=(key,)), facets=("person",), limit=1)
    sided = await speeches.list_speeches(services, SpeechFilter(bill=(key,), reaction=(_FOR, _AGAINST)), limit=_SIDED)
    quoted = [replace(hit, snippet=(SnippetSpan(quote_stance(hit.text)),)) for hit in sided.items]
    return BillSpeeches(
        people=everybody.facets.get("person", ())[:_PEOPLE],
        in_favour=[hit for hit in quoted if hit.reaction == _FOR],
        against=[hit for hit in quoted if hit.reaction == _AGAINST],
    )


def quote_stance(text: str) -> str:
    """The sentences in which a speaker takes a side and those that follow, as they were said; else the beginning."""
    sentences = [sentence.text.strip() for sentence in split_sentences(text, "ja")]
    first = next((at for at, sentence in enumerate(sentences) if _STANCE.search(sentence)), 0)
    kept = sentences[first : first + _QUOTED]
    return ("…" if first else "") + "".join(kept) + ("…" if first + _QUOTED < len(sentences) else "")
