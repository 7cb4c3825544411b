"""Chooses chunks among the passages found: by relevance to a topic, limited per source, without duplicates.

Every dropped passage has a reason that a person can read.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import log

from almanac.citations.model import Passage
from almanac.desks.newsletter.model.chunks import DroppedChunk, RetrievalCoverage, RetrievedChunk, source_shares
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan
from almanac.desks.newsletter.model.topics import topic_words
from almanac.kit.text import counted
from almanac.language.terms import search_terms

MAX_DROPPED_LISTED = 200
MAX_NEW_LISTED = 50
_SAME_WORDS, _SAME_PAIRS = 0.7, 0.4
_RELEVANCE, _FRESHNESS, _FOCUS = 0.75, 0.15, 0.10
_USED_BEFORE = 0.8
_FEW_WORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalRequest:
    """What to retrieve, and what earlier issues cited."""

    topics: tuple[str, ...]
    plan: RetrievalPlan
    today: dt.date
    focus: str = ""
    used_before: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChunkSelection:
    """The chosen chunks, the best first, and the coverage report."""

    chunks: tuple[RetrievedChunk, ...]
    coverage: RetrievalCoverage


def select_chunks(passages: Iterable[Passage], request: RetrievalRequest) -> ChunkSelection:
    """Choose chunks, each under its best topic."""
    rated = sorted((_rate_passage(passage, request) for passage in passages), key=_sort_key)
    selector = _ChunkSelector(request.plan, _reserve_places(request, rated))
    for chunk in rated:
        selector.consider(chunk)
    taken = selector.settle()
    return ChunkSelection(tuple(taken), _coverage(request, len(rated), taken, selector.dropped))


def _sort_key(chunk: RetrievedChunk) -> tuple[float, str]:
    return -chunk.score, chunk.id


def _rate_passage(passage: Passage, request: RetrievalRequest) -> RetrievedChunk:
    """The passage under its best topic, with its score and the reason for it."""
    matches = {topic: _matching_words(passage, topic) for topic in request.topics}
    topic = max(request.topics, key=lambda name: (_relevance(passage, name, matches[name]), -len(topic_words(name))))
    relevance = _relevance(passage, topic, matches[topic])
    age = (request.today - passage.date).days if passage.date else None
    focus = _mentioned_region(passage, request.focus)
    score = _RELEVANCE * relevance + _FRESHNESS * _freshness(age, request.plan.days) + _FOCUS * bool(focus)
    used = request.used_before.get(passage.id, ())
    if relevance == 0:
        score = 0.0
    return RetrievedChunk(
        id=passage.id,
        topic=topic,
        source=passage.source,
        score=round(score * (_USED_BEFORE if used else 1), 3),
        content=passage.text,
        title=passage.title,
        url=passage.url,
        date=passage.date,
        place=passage.place,
        language=passage.language,
        used_in=used,
        why=_explain_score(topic, matches[topic], age, focus, used),
    )


def _matching_words(passage: Passage, topic: str) -> list[str]:
    """The words of the topic that the passage contains."""
    return [word for word in topic_words(topic) if _contains_word(passage, word)]


def _contains_word(passage: Passage, word: str) -> bool:
    terms = [term.text for term in search_terms(word)]
    return bool(terms) and all(term in passage.terms for term in terms)


def _relevance(passage: Passage, topic: str, matches: list[str]) -> float:
    """From 0 to 1: how many words of the topic occur and how often; three different ones are most of it."""
    if not matches:
        return 0.0
    breadth = min(1.0, len(matches) / min(_FEW_WORDS, len(topic_words(topic))))
    occurrences = sum(min(_count_word(passage, word), 4) for word in matches)
    return 0.7 * breadth + 0.3 * min(1.0, log(1 + occurrences) / log(9))


def _count_word(passage: Passage, word: str) -> int:
    return min((passage.terms.get(term.text, 0) for term in search_terms(word)), default=0)


def _mentioned_region(passage: Passage, focus: str) -> str:
    """The first word of the focus that the passage contains."""
    words = [word.strip(",.;-()") for word in focus.split()]
    return next((word for word in words if len(word) > _FEW_WORDS and _contains_word(passage, word)), "")


def _freshness(age: int | None, days: int) -> float:
    return 0.3 if age is None else max(0.0, min(1.0, 1 - age / max(days, 1)))


def _explain_score(topic: str, matches: list[str], age: int | None, focus: str, used: Sequence[str]) -> str:
    """The reason for a score as a sentence."""
    reasons = [f"matches {', '.join(matches[:4])}" if matches else f"was found for {topic}"]
    if focus:
        reasons.append(f"mentions {focus}")
    if age is not None:
        reasons.append("is from today" if age <= 0 else f"is {counted(age, 'day')} old")
    if used:
        reasons.append(f"was used before in {used[0]}")
    sentence = reasons[0] if len(reasons) == 1 else f"{', '.join(reasons[:-1])} and {reasons[-1]}"
    return f"{topic}: {sentence}."


def _reserve_places(request: RetrievalRequest, rated: Sequence[RetrievedChunk]) -> dict[str, int]:
    """The places reserved for each topic with results, so that one topic doesn't crowd out the others."""
    with_results = {chunk.topic for chunk in rated if chunk.score > 0}
    places_each = request.plan.chunks // (2 * len(with_results)) if with_results else 0
    return dict.fromkeys(with_results, places_each)


@dataclass(frozen=True, slots=True)
class _WordProfile:
    """The words and word pairs of a passage, to detect near-duplicates."""

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def from_text(cls, text: str) -> "_WordProfile":
        terms = [term.text for term in search_terms(text)]
        return cls(frozenset(terms), frozenset(pairwise(terms)))

    def is_like(self, other: "_WordProfile") -> bool:
        """Whether the shorter text is contained in the longer. Word pairs prevent false matches of short texts."""
        return _overlap(self.words, other.words) >= _SAME_WORDS and _overlap(self.pairs, other.pairs) >= _SAME_PAIRS


def _overlap(some: frozenset[object], others: frozenset[object]) -> float:
    """The share of the smaller set that is in the larger; 1 if the smaller set is empty."""
    fewest = min(len(some), len(others))
    return len(some & others) / fewest if fewest else 1.0


class _ChunkSelector:
    """Chooses chunks one by one, the best first, and records why others were dropped."""

    def __init__(self, plan: RetrievalPlan, reserved: dict[str, int]) -> None:
        self._plan = plan
        self._reserved = reserved
        self._taken: list[RetrievedChunk] = []
        self._later: list[RetrievedChunk] = []
        self._known: list[tuple[RetrievedChunk, _WordProfile]] = []
        self._by_source: dict[str, int] = {}
        self.dropped: list[DroppedChunk] = []

    def consider(self, chunk: RetrievedChunk) -> None:
        if chunk.score <= 0:
            self._drop(chunk, "It mentions none of the topics.")
            return
        wording = _WordProfile.from_text(chunk.content)
        duplicate = next((other for other, seen in self._known if wording.is_like(seen)), None)
        if duplicate is not None:
            self._drop(chunk, f"It says the same as “{duplicate.title or duplicate.source}”.")
            return
        self._known.append((chunk, wording))
        if chunk.used_in or self._has_enough(chunk) or not self._has_room(chunk):
            self._later.append(chunk)
            return
        self._take(chunk)

    def settle(self) -> list[RetrievedChunk]:
        """Fill free places with deferred chunks, unused ones first, and drop the rest."""
        for chunk in sorted(self._later, key=lambda chunk: bool(chunk.used_in)):
            if len(self._taken) < self._plan.chunks:
                self._take(chunk)
            elif chunk.used_in:
                self._drop(chunk, f"It was used before in {chunk.used_in[0]}, and there are enough new passages.")
            elif self._has_enough(chunk):
                self._drop(chunk, f"Enough passages from “{chunk.source}” are already included.")
            else:
                self._drop(chunk, f"The best {self._plan.chunks} were chosen, and this one scored lower.")
        return sorted(self._taken, key=_sort_key)

    def _has_enough(self, chunk: RetrievedChunk) -> bool:
        return self._by_source.get(chunk.source, 0) >= self._plan.chunks_per_source

    def _has_room(self, chunk: RetrievedChunk) -> bool:
        reserved = sum(places for topic, places in self._reserved.items() if topic != chunk.topic)
        return len(self._taken) + reserved < self._plan.chunks

    def _take(self, chunk: RetrievedChunk) -> None:
        self._taken.append(chunk)
        self._by_source[chunk.source] = self._by_source.get(chunk.source, 0) + 1
        if self._reserved.get(chunk.topic, 0) > 0:
            self._reserved[chunk.topic] -= 1

    def _drop(self, chunk: RetrievedChunk, reason: str) -> None:
        if len(self.dropped) < MAX_DROPPED_LISTED:
            title = chunk.title or chunk.source
            self.dropped.append(DroppedChunk(id=chunk.id, title=title, source=chunk.source, reason=reason))


def _coverage(
    request: RetrievalRequest, found_count: int, taken: Sequence[RetrievedChunk], dropped: Sequence[DroppedChunk]
) -> RetrievalCoverage:
    ages = [(request.today - chunk.date).days for chunk in taken if chunk.date]
    counts = {topic: sum(chunk.topic == topic for chunk in taken) for topic in request.topics}
    return RetrievalCoverage(
        wanted=request.plan.chunks,
        days=request.plan.days,
        found=found_count,
        taken=len(taken),
        dropped=tuple(dropped),
        sources=source_shares(taken),
        topics=tuple((topic, count) for topic, count in counts.items() if count),
        empty_topics=tuple(topic for topic, count in counts.items() if not count),
        newest_age=max(0, min(ages)) if ages else None,
        oldest_age=max(ages) if ages else None,
        used_before=sum(bool(chunk.used_in) for chunk in taken),
        new=tuple(dict.fromkeys(chunk.title or chunk.source for chunk in taken if not chunk.used_in))[:MAX_NEW_LISTED],
    )


def keep_cited_chunks(
    old: Sequence[RetrievedChunk], new: Sequence[RetrievedChunk], cited: Iterable[str]
) -> tuple[RetrievedChunk, ...]:
    """The new chunks, followed by earlier ones that the outline or draft still cites."""
    new_ids, needed = {chunk.id for chunk in new}, set(cited)
    cited_chunks = [
        replace(chunk, why="Kept from an earlier retrieval because the outline or draft cites it.")
        for chunk in old
        if chunk.id in needed and chunk.id not in new_ids
    ]
    return (*new, *cited_chunks)
