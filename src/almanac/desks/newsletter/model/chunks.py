"""Retrieved chunks: their text, origin and score, and the coverage report of a retrieval."""

import datetime as dt
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from almanac.citations.model import PassageLocation
from almanac.kit.messages import gettext, ngettext

KNOWLEDGE = "knowledge"
CHUNK_ID_CHARACTERS = 16
# The latest exclusions are remembered; those of chunks that are no longer retrieved are dropped first.
MAX_EXCLUDED = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedChunk:
    """A retrieved passage. `why` explains the choice in a sentence; `used_in` are earlier issues that cited it."""

    id: str
    topic: str
    source: str
    score: float
    content: str
    title: str = ""
    url: str = ""
    date: dt.date | None = None
    place: PassageLocation | None = None
    language: str = ""
    why: str = ""
    used_in: tuple[str, ...] = ()
    included: bool = True

    @property
    def kind(self) -> str:
        """The desk it is from; chunks retrieved by other programs count as knowledge."""
        return self.place.desk if self.place else KNOWLEDGE

    @property
    def link(self) -> str:
        """The address if it is http or https, otherwise empty: other programs store anything there."""
        return self.url if self.url.lower().startswith(("https://", "http://")) else ""


def derive_chunk_id(source: str, content: str) -> str:
    """The id of a chunk that was stored without one: a hash of its source and text."""
    digest = hashlib.sha256(f"{source}\n{content}".encode()).hexdigest()
    return f"chunk-{digest[:CHUNK_ID_CHARACTERS]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedChunk:
    """A passage that was found but not chosen, with the reason."""

    id: str
    title: str
    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceShare:
    """The share of the chosen passages that one source has."""

    source: str
    chunks: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalCoverage:
    """What a retrieval found, chose and dropped; ages are in days, and None if no date is known.

    `new` lists the titles that no earlier issue cited, the best first.
    """

    wanted: int
    days: int
    found: int
    taken: int
    dropped: tuple[DroppedChunk, ...] = ()
    sources: tuple[SourceShare, ...] = ()
    topics: tuple[tuple[str, int], ...] = ()
    empty_topics: tuple[str, ...] = ()
    newest_age: int | None = None
    oldest_age: int | None = None
    used_before: int = 0
    new: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The report as one sentence."""
        if not self.taken:
            return ngettext(
                "Nothing from the last %(num)s day matches these topics; add sources or choose other topics.",
                "Nothing from the last %(num)s days matches these topics; add sources or choose other topics.",
                self.days,
            )
        passages = ngettext("%(num)s passage", "%(num)s passages", self.found)
        sources = ngettext("%(num)s source", "%(num)s sources", len(self.sources))
        summary = ngettext(
            "%(num)s of %(passages)s found was selected, from %(sources)s",
            "%(num)s of %(passages)s found were selected, from %(sources)s",
            self.taken,
            passages=passages,
            sources=sources,
        )
        if not self.used_before:
            return gettext("%(summary)s.", summary=summary)
        new = self.taken - self.used_before
        return gettext(
            "%(summary)s; %(new)s and %(used)s.",
            summary=summary,
            new=ngettext("%(num)s is new", "%(num)s are new", new) if new else gettext("none are new"),
            used=ngettext("%(num)s was used before", "%(num)s were used before", self.used_before),
        )


def source_shares(chunks: Sequence[RetrievedChunk]) -> tuple[SourceShare, ...]:
    """The number of chunks per source, the largest first."""
    counts: dict[str, int] = {}
    for chunk in chunks:
        counts[chunk.source] = counts.get(chunk.source, 0) + 1
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(SourceShare(source=name, chunks=n, share=round(n / len(chunks), 3)) for name, n in ranked)


def included_chunks(chunks: Iterable[RetrievedChunk]) -> tuple[RetrievedChunk, ...]:
    """The chunks that outline and draft may use."""
    return tuple(chunk for chunk in chunks if chunk.included)
