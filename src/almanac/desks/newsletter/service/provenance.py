"""Where every sentence of an issue comes from, and whether its source still says so."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, desk_permission
from almanac.citations.model import CurrentText, PassageLocation
from almanac.citations.passages import quote_url, text_version
from almanac.desks.news import public as news
from almanac.desks.newsletter.model.chunks import KNOWLEDGE
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import QuotedPassage, TracedSentence, open_cache, trace_sentences
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.recap import public as recap
from almanac.kit.messages import gettext
from almanac.knowledge.model import KnowledgeViewer
from almanac.search import SearchViewer
from almanac.services import Services

QuoteStatus = Literal["unchanged", "revised", "lost", "gone", "unknown"]
Name = tuple[str, str, str]
STATUS_SENTENCES: Mapping[QuoteStatus, str] = {
    "unchanged": gettext("The source still says this."),
    "revised": gettext("The source was changed since; it still contains this sentence."),
    "lost": gettext(
        "The source was changed since and no longer says this; these are its words at the time of retrieval."
    ),
    "gone": gettext("The source is gone; these are its words at the time of retrieval."),
    "unknown": gettext("The position of these words was not recorded."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteSupport:
    """A quote that supports a sentence, and whether its source still says so.

    `start` and `end` are characters of the part that the passage was cut from: as it is now if it still contains
    the quote, otherwise as it was. `path` opens the item there.
    """

    quoted: QuotedPassage
    status: QuoteStatus
    start: int
    end: int
    path: str

    @property
    def sentence(self) -> str:
        return STATUS_SENTENCES[self.status]


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueProvenance:
    """Every sentence but headings, with its verdict, who confirmed it, and the closest words of its sources."""

    newsletter: FullNewsletter
    sentences: tuple[tuple[TracedSentence, tuple[QuoteSupport, ...]], ...]


async def get_provenance(services: Services, principal: Principal, code: str) -> IssueProvenance:
    """Trace each sentence of the draft to the passage, the item it is from, and where that was published."""
    full = await open_newsletter(services, principal, code)
    cache = open_cache(full)
    checked = await check_draft(services, full, cache)
    traced = await asyncio.to_thread(trace_sentences, checked, full.topics.chunks, cache)
    supported = await check_quotes(services, full, [quote for sentence in traced for quote in sentence.rests_on])
    next_support = iter(supported)
    return IssueProvenance(
        newsletter=full,
        sentences=tuple((sentence, tuple(next(next_support) for _ in sentence.rests_on)) for sentence in traced),
    )


async def check_quotes(services: Services, full: FullNewsletter, quoted: Sequence[QuotedPassage]) -> list[QuoteSupport]:
    """Whether the sources still say the quoted words, as far as the newsletter's owner may see them."""
    places = {quote.chunk.place for quote in quoted if quote.chunk.place and quote.chunk.place.path}
    now = await _read_current_words(services, full.newsletter.owner_id, places)
    return [_check_quote(quote, now) for quote in quoted]


async def _read_current_words(
    services: Services, owner_id: str, places: Iterable[PassageLocation]
) -> dict[Name, CurrentText]:
    by_desk: dict[str, list[PassageLocation]] = {}
    for place in places:
        by_desk.setdefault(place.desk, []).append(place)
    now: dict[Name, CurrentText] = {}
    for desk, wanted in by_desk.items():
        if desk in _SOURCE_READERS:
            now |= {
                (desk, *name): words
                for name, words in (await _SOURCE_READERS[desk](services, owner_id, wanted)).items()
            }
    return now


_Reader = Callable[[Services, str, Sequence[PassageLocation]], Awaitable[Mapping[tuple[str, str], CurrentText]]]


async def _read_knowledge(
    services: Services, owner_id: str, places: Sequence[PassageLocation]
) -> Mapping[tuple[str, str], CurrentText]:
    chunks = await services.knowledge.find_chunks(KnowledgeViewer(owner_id), [place.part for place in places])
    return {
        place.name: CurrentText(text=chunks[place.part].text, version=text_version(chunks[place.part].text))
        for place in places
        if place.part in chunks
    }


# Compares what an issue already quotes; nothing else of the source is shown.
_SOURCE_VIEWER = SearchViewer(permissions=frozenset(desk_permission(desk, "read") for desk in DESKS))


async def _read_news(
    services: Services, _owner_id: str, places: Sequence[PassageLocation]
) -> Mapping[tuple[str, str], CurrentText]:
    return await news.current_story_texts(services, _SOURCE_VIEWER, places)


async def _read_parliament(
    services: Services, _owner_id: str, places: Sequence[PassageLocation]
) -> Mapping[tuple[str, str], CurrentText]:
    return await recap.get_current_texts(services, _SOURCE_VIEWER, places)


_SOURCE_READERS: Mapping[str, _Reader] = {
    KNOWLEDGE: _read_knowledge,
    news.STORY_KIND: _read_news,
    recap.KIND_NAME: _read_parliament,
}


def _check_quote(quoted: QuotedPassage, now: Mapping[Name, CurrentText]) -> QuoteSupport:
    place = quoted.chunk.place
    if place is None or not place.path:
        return QuoteSupport(quoted=quoted, status="unknown", start=quoted.start, end=quoted.end, path="")
    words = now.get((place.desk, *place.name))
    start = place.start + quoted.start
    status: QuoteStatus = "gone" if words is None else "unchanged" if words.version == place.version else "lost"
    if words is not None and status == "lost" and quoted.text and (at := words.text.find(quoted.text)) >= 0:
        status, start = "revised", at
    end = start + len(quoted.text)
    path = "" if words is None else place.path if status == "lost" else quote_url(place, start, end)
    return QuoteSupport(quoted=quoted, status=status, start=start, end=end, path=path)
