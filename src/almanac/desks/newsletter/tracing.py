"""From each sentence of a draft to the very words that it rests on, as they were when they were retrieved.

What became of those words since is asked by `service.provenance`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.citations import Place, Use
from almanac.desks.newsletter.checks import CheckedSection
from almanac.desks.newsletter.model.chunks import Chunk
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.verify import CheckedClaim, Claim, Verdict, check

PAGES = "/newsletter"
_LONGEST_QUOTE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """The sentence of a passage that comes nearest, by its place in the passage; `number` is that of the reference."""

    number: int
    chunk: Chunk
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedSentence:
    """A sentence of the draft, counted from 0 within its section, and what it rests on."""

    section: str
    section_name: str
    number: int
    text: str
    verdict: Verdict
    rests_on: tuple[Quoted, ...]


def traced_sentences(checked: Sequence[CheckedSection], chunks: Sequence[Chunk]) -> tuple[TracedSentence, ...]:
    """Every sentence that states something, in the order of the text; references are numbered as in print."""
    known = {chunk.id: chunk for chunk in chunks}
    numbers: dict[str, int] = {}
    return tuple(sentence for one in checked for sentence in _of_section(one, known, numbers))


def uses_in(newsletter: Newsletter, traced: Sequence[TracedSentence], now: datetime) -> list[tuple[Place, Use]]:
    """What the issue cites of other desks, each passage once with the first words that it is cited for."""
    found: dict[str, tuple[Place, Use]] = {}
    for sentence in traced:
        for quoted in sentence.rests_on:
            chunk = quoted.chunk
            if chunk.place is not None and chunk.id not in found:
                use = Use(
                    code=newsletter.code,
                    title=newsletter.title,
                    owner_id=newsletter.owner_id,
                    passage=chunk.id,
                    path=f"{PAGES}/{newsletter.code}/draft#section-{sentence.section}",
                    part=chunk.place.part,
                    quote=quoted.text[:_LONGEST_QUOTE],
                    cited_at=now,
                )
                found[chunk.id] = (chunk.place, use)
    return list(found.values())


def quoted_in(sentence: str, chunk: Chunk, number: int = 0) -> Quoted:
    """The words of a passage that come nearest to a sentence."""
    (checked,) = check([Claim(sentence, (chunk.id,))], {chunk.id: chunk.content}).sentences
    return _quoted(checked, chunk, number)


def _of_section(
    checked: CheckedSection, known: Mapping[str, Chunk], numbers: dict[str, int]
) -> Iterator[TracedSentence]:
    for number, sentence in enumerate(checked.report.sentences):
        cited = [known[name] for name in sentence.references if name in known]
        if not sentence.needs_source and not cited:
            continue
        for chunk in cited:
            numbers.setdefault(chunk.id, len(numbers) + 1)
        yield TracedSentence(
            section=checked.section.id,
            section_name=checked.section.name,
            number=number,
            text=sentence.text,
            verdict=sentence.verdict,
            rests_on=tuple(_nearest(sentence, chunk, numbers[chunk.id]) for chunk in cited),
        )


def _nearest(sentence: CheckedClaim, chunk: Chunk, number: int) -> Quoted:
    if sentence.best_source == chunk.id:
        return _quoted(sentence, chunk, number)
    return quoted_in(sentence.text, chunk, number)


def _quoted(checked: CheckedClaim, chunk: Chunk, number: int) -> Quoted:
    start, end = checked.matched or (0, 0)
    return Quoted(number=number, chunk=chunk, text=chunk.content[start:end], start=start, end=end)
