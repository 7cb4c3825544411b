"""Where every sentence of an issue comes from, and whether its source still says so today."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from almanac.accounts.model import Principal
from almanac.citations import Place, WordsNow, version_of
from almanac.citations.quoting import address_of
from almanac.desks.news import public as news
from almanac.desks.newsletter.checks import checked_sections
from almanac.desks.newsletter.model.chunks import KNOWLEDGE
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.pipeline.retrieve import owners_eyes
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.tracing import Quoted, TracedSentence, traced_sentences
from almanac.desks.recap import public as recap
from almanac.knowledge.model import KnowledgeViewer
from almanac.services import Services

Standing = Literal["unchanged", "revised", "lost", "gone", "unknown"]
Name = tuple[str, str, str]
TOLD: Mapping[Standing, str] = {
    "unchanged": "The source still says this.",
    "revised": "The source was changed since; this sentence still stands in it.",
    "lost": "The source was changed since and no longer says this; these are its words when they were retrieved.",
    "gone": "The source is gone; these are its words when they were retrieved.",
    "unknown": "Where these words stand was not noted when they were retrieved.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What a sentence rests on, and what became of it.

    `start` and `end` count characters of the part that the passage was cut from, as it is now where the words still
    stand in it, and as it was where they don't; `path` opens it on them.
    """

    quoted: Quoted
    standing: Standing
    start: int
    end: int
    path: str

    @property
    def told(self) -> str:
        return TOLD[self.standing]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Every sentence that states something, each with what it rests on."""

    newsletter: FullNewsletter
    sentences: tuple[tuple[TracedSentence, tuple[Support, ...]], ...]


async def provenance_of(services: Services, principal: Principal, code: str) -> Provenance:
    """From each sentence of the draft to the passage, to the item it is from, to where that was published."""
    full = await open_newsletter(services, principal, code)
    traced = await asyncio.to_thread(lambda: traced_sentences(checked_sections(full), full.topics.chunks))
    supported = await supports(services, full, [one for sentence in traced for one in sentence.rests_on])
    told = iter(supported)
    return Provenance(
        newsletter=full,
        sentences=tuple((sentence, tuple(next(told) for _ in sentence.rests_on)) for sentence in traced),
    )


async def supports(services: Services, full: FullNewsletter, quoted: Sequence[Quoted]) -> list[Support]:
    """What became of some quoted words, seen with the eyes of the newsletter's owner."""
    places = {one.chunk.place for one in quoted if one.chunk.place and one.chunk.place.path}
    now = await _words_now(services, full.newsletter.owner_id, places)
    return [_support(one, now) for one in quoted]


async def _words_now(services: Services, owner_id: str, places: Iterable[Place]) -> dict[Name, WordsNow]:
    by_desk: dict[str, list[Place]] = {}
    for place in places:
        by_desk.setdefault(place.desk, []).append(place)
    now: dict[Name, WordsNow] = {}
    for desk, wanted in by_desk.items():
        if desk in _READERS:
            now |= {(desk, *name): words for name, words in (await _READERS[desk](services, owner_id, wanted)).items()}
    return now


_Reader = Callable[[Services, str, Sequence[Place]], Awaitable[Mapping[tuple[str, str], WordsNow]]]


async def _knowledge_now(
    services: Services, owner_id: str, places: Sequence[Place]
) -> Mapping[tuple[str, str], WordsNow]:
    chunks = await services.knowledge.find_chunks(KnowledgeViewer(owner_id), [place.part for place in places])
    return {
        place.name: WordsNow(text=chunks[place.part].text, version=version_of(chunks[place.part].text))
        for place in places
        if place.part in chunks
    }


async def _news_now(services: Services, owner_id: str, places: Sequence[Place]) -> Mapping[tuple[str, str], WordsNow]:
    return await news.current_story_texts(services, owners_eyes(owner_id), places)


async def _parliament_now(
    services: Services, owner_id: str, places: Sequence[Place]
) -> Mapping[tuple[str, str], WordsNow]:
    return await recap.words_now(services, owners_eyes(owner_id), places)


_READERS: Mapping[str, _Reader] = {
    KNOWLEDGE: _knowledge_now,
    news.STORY_KIND: _news_now,
    recap.KIND_NAME: _parliament_now,
}


def _support(quoted: Quoted, now: Mapping[Name, WordsNow]) -> Support:
    place = quoted.chunk.place
    if place is None or not place.path:
        return Support(quoted=quoted, standing="unknown", start=quoted.start, end=quoted.end, path="")
    words = now.get((place.desk, *place.name))
    start = place.start + quoted.start
    standing: Standing = "gone" if words is None else "unchanged" if words.version == place.version else "lost"
    if words is not None and standing == "lost" and quoted.text and (at := words.text.find(quoted.text)) >= 0:
        standing, start = "revised", at
    end = start + len(quoted.text)
    path = "" if words is None else place.path if standing == "lost" else address_of(place, start, end)
    return Support(quoted=quoted, standing=standing, start=start, end=end, path=path)
