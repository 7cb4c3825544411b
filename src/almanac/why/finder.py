"""Asks every source: which subjects words can mean, best first, and the trace of one of them."""

import asyncio
import re
from collections.abc import Sequence

from almanac.errors import InputError, NotAllowed, NotFound
from almanac.search import SearchHit, SearchViewer
from almanac.why.model import WhyQuestion, WhyReader, WhySubject, WhyTrace
from almanac.why.port import UNKNOWN_SUBJECT, WhySource

MOST_SUBJECTS, _MOST_HITS, _SHORTEST = 8, 20, 2
_ASKING = r"(?:why|warum|wieso|weshalb|kenapa|mengapa|なぜ|どうして|为什么|為什麼)"
_BEFORE = re.compile(rf"^(?:{_ASKING}\b[\s:：,、,]*|{_ASKING}(?=[^\x00-\x7f])|[??]\s*)", re.IGNORECASE)
# What else a whole question is made of, around the name of the thing.
_FILLER_BEFORE = re.compile(
    r"^(?:(?:is|are|was|were|did|does|do|has|have|can|can['’]t|cannot|isn['’]t|wasn['’]t|didn['’]t|hasn['’]t|the|my)\s+)+",
    re.IGNORECASE,
)
_FILLER_AFTER = re.compile(
    r"(?:\s+(?:not|never|yet|again|reminded|here|read|listed|missing|blocked|failed|fail|broken|break|broke|ended|end"
    r"|approve|send|write|arrive|arrived|collected|published|finished|supported))+$",
    re.IGNORECASE,
)
_AFTER = re.compile(rf"\s*(?:[,、,]?\s*{_ASKING})?\s*[??]*$", re.IGNORECASE)


def parse_question(text: str) -> WhyQuestion:
    """What is asked about: “why lotus”, “why is lotus not reminded?” and “lotus?” ask about lotus, a bare name only
    may.
    """
    text = text.strip()
    words = _AFTER.sub("", _BEFORE.sub("", text)).strip()
    if words == text:
        return WhyQuestion(words=words, is_asked=False)
    return WhyQuestion(words=_FILLER_AFTER.sub("", _FILLER_BEFORE.sub("", words)))


async def search_documents(reader: WhyReader, words: str) -> Sequence[SearchHit]:
    """The documents for a question; none where the words can't be a query."""
    if len(words) < _SHORTEST:
        return ()
    index = reader.services.search
    viewer = SearchViewer.for_principal(reader.principal)
    for query in (f"{words}*", words) if words[-1].isalnum() else (words,):
        try:
            return (await index.find(query, viewer=viewer, limit=_MOST_HITS, forgiving=True)).hits
        except InputError:
            continue
    return ()


async def find_subjects(reader: WhyReader, sources: Sequence[WhySource], question: WhyQuestion) -> list[WhySubject]:
    """What the words can mean, of what the reader may see: exact matches, else things of that name, else the rest."""
    if not question.words:
        return []
    readable = [source for source in sources if reader.may(source.permission)]
    recognized = await asyncio.gather(*(source.find(reader, question) for source in readable))
    subjects = [subject for listed in recognized for subject in listed]
    if exact := [subject for subject in subjects if subject.is_exact]:
        return exact[:MOST_SUBJECTS]
    kinds = frozenset[str]().union(*(source.documents for source in readable))
    hits = [hit for hit in question.hits if hit.kind in kinds]
    named = [hit for hit in hits if has_name(hit.title, question.words)]
    labels = reader.services.search.kinds
    subjects += [
        WhySubject(kind=hit.kind, id=hit.id, title=hit.title or hit.path, label=labels[hit.kind].title)
        for hit in named or ([] if subjects or not question.is_asked else hits)
    ]
    return list({subject.about: subject for subject in subjects}.values())[:MOST_SUBJECTS]


def has_name(title: str, words: str) -> bool:
    """Whether each word begins a word of the title; in scripts without spaces, whether the title contains it."""
    titled, typed = (re.findall(r"\w+", text.casefold()) for text in (title, words))
    return bool(typed) and all(
        any(other.startswith(word) for other in titled) or (not word.isascii() and word in title.casefold())
        for word in typed
    )


async def explain_subject(reader: WhyReader, sources: Sequence[WhySource], about: str) -> WhyTrace | None:
    """The trace of `kind:id`; None where no source explains such a kind.

    Raises NotFound, with the same sentence for what doesn't exist as for what the reader may not see.
    """
    kind, _, subject_id = about.partition(":")
    source = next((source for source in sources if kind in source.traces), None)
    if source is None or not subject_id:
        return None
    try:
        reader.principal.require(source.permission)
        return await source.traces[kind](reader, subject_id)
    except (NotFound, NotAllowed) as missing:
        raise NotFound(UNKNOWN_SUBJECT) from missing
