"""How the desk asks for writing: chunks as sources, the configuration as wishes, sentences with their markers."""

import re
from collections.abc import Iterable

from almanac.desks.newsletter.model.chunks import Chunk
from almanac.desks.newsletter.model.configuration import AUDIENCES, Configuration
from almanac.desks.newsletter.model.description import manner
from almanac.kit.text import one_line
from almanac.language.scripts import is_cjk
from almanac.llm.sources import Cited, StepSource

DESK = "newsletter"
_HEADING_SIGNS = re.compile(r"^(?:#{1,6}\s+)+")


def as_source(chunk: Chunk) -> StepSource:
    return StepSource(
        id=chunk.id, text=chunk.content, title=chunk.title, language=chunk.language or None, date=chunk.date
    )


def audience_of(configuration: Configuration) -> str:
    return ", ".join(AUDIENCES.get(name, name).lower() for name in configuration.target_audience)


def tone_of(configuration: Configuration) -> str:
    return manner(configuration.tone)


def with_markers(sentences: Iterable[Cited]) -> str:
    """Running text in which each sentence is followed by the ids of its sources."""
    text = ""
    for sentence in sentences:
        # A sentence that begins like a heading would be taken for one, and headings are not checked.
        words = _HEADING_SIGNS.sub("", one_line(sentence.text))
        if not words:
            continue
        ids = dict.fromkeys(reference.source for reference in sentence.references)
        gap = "" if not text or is_cjk(words[0]) else " "
        text += gap + words + "".join(f"[@{name}]" for name in ids)
    return text
