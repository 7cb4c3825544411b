"""Checks each sentence of a draft against the chunks it cites: what blocks completion, and which words support it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.citations.model import PassageCitation, PassageLocation
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.draft import DraftSection
from almanac.desks.newsletter.model.newsletter import FullNewsletter, Newsletter
from almanac.desks.newsletter.urls import newsletter_path
from almanac.kit.text import counted
from almanac.verify import CheckedClaim, CitedClaim, Verdict, VerificationReport, check, check_text

_MAX_QUOTE_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class CheckedSection:
    """A section with the verdict on each of its sentences."""

    section: DraftSection
    report: VerificationReport


@dataclass(frozen=True, slots=True)
class CompletionObstacle:
    """Why the newsletter can't be completed yet; `section` is empty if it concerns the whole draft."""

    section: str
    sentence: str


def check_sections(full: FullNewsletter) -> tuple[CheckedSection, ...]:
    """Every section of the draft, checked against all retrieved chunks."""
    return tuple(check_section(section, full.sources) for section in full.draft.draft.sections)


def check_section(section: DraftSection, sources: Mapping[str, str]) -> CheckedSection:
    return CheckedSection(section, check_text(section.text, sources))


def list_cited_chunks(checked: tuple[CheckedSection, ...]) -> tuple[str, ...]:
    """The ids of the cited chunks, in the order of first citation."""
    cited = (
        chunk_id for section in checked for sentence in section.report.sentences for chunk_id in sentence.references
    )
    return tuple(dict.fromkeys(cited))


def list_obstacles(full: FullNewsletter, checked: tuple[CheckedSection, ...]) -> list[CompletionObstacle]:
    """What blocks completion, in the order of the text."""
    if not any(section.section.text.strip() for section in checked):
        return [CompletionObstacle("", "There is no draft yet; generate one or write it yourself.")]
    planned = {section.id for section in full.outline.outline.to_write}
    missing = planned - {section.section.id for section in checked}
    obstacles = [_missing_sections(len(missing))] if missing else []
    return obstacles + [obstacle for section in checked if (obstacle := _section_obstacle(section)) is not None]


def list_remarks(checked: tuple[CheckedSection, ...]) -> list[str]:
    """What a person should know before exporting, but what doesn't block it."""
    empty = [section.section.name for section in checked if not section.section.text.strip()]
    return [f"“{name}” is empty and is left out of exports." for name in empty]


def _missing_sections(sections: int) -> CompletionObstacle:
    return CompletionObstacle(
        "", f"The outline has {counted(sections, 'section')} missing from the draft; generate it again."
    )


def _section_obstacle(checked: CheckedSection) -> CompletionObstacle | None:
    section, faults = checked.section, checked.report.faults
    if not faults:
        return None
    first = faults[0].findings[0].reason if faults[0].findings else "A sentence has no source."
    sentence = f"“{section.name}” has {counted(len(faults), 'sentence')} without support: {first}"
    return CompletionObstacle(section.id, sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedPassage:
    """The sentence of a passage that matches best, by its position; `number` is that of the reference."""

    number: int
    chunk: RetrievedChunk
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedSentence:
    """A sentence of the draft, numbered from 0 within its section, and the quotes that support it."""

    section: str
    section_name: str
    number: int
    text: str
    verdict: Verdict
    rests_on: tuple[QuotedPassage, ...]


def trace_sentences(checked: Sequence[CheckedSection], chunks: Sequence[RetrievedChunk]) -> tuple[TracedSentence, ...]:
    """Every sentence that makes a claim, in the order of the text; references are numbered as in exports."""
    by_id = {chunk.id: chunk for chunk in chunks}
    numbers: dict[str, int] = {}
    return tuple(sentence for section in checked for sentence in _trace_section(section, by_id, numbers))


def list_citation_uses(
    newsletter: Newsletter, traced: Sequence[TracedSentence], now: datetime
) -> list[tuple[PassageLocation, PassageCitation]]:
    """The passages of other desks that the issue cites, each once with its first quote."""
    uses: dict[str, tuple[PassageLocation, PassageCitation]] = {}
    for sentence in traced:
        for quoted in sentence.rests_on:
            chunk = quoted.chunk
            if chunk.place is not None and chunk.id not in uses:
                citation = PassageCitation(
                    code=newsletter.code,
                    title=newsletter.title,
                    owner_id=newsletter.owner_id,
                    passage=chunk.id,
                    path=f"{newsletter_path(newsletter.code, 'draft')}#section-{sentence.section}",
                    part=chunk.place.part,
                    quote=quoted.text[:_MAX_QUOTE_LENGTH],
                    cited_at=now,
                )
                uses[chunk.id] = (chunk.place, citation)
    return list(uses.values())


def find_quote(sentence: str, chunk: RetrievedChunk, number: int = 0) -> QuotedPassage:
    """The words of a chunk that match a sentence best."""
    (checked,) = check([CitedClaim(sentence, (chunk.id,))], {chunk.id: chunk.content}).sentences
    return _to_quote(checked, chunk, number)


def _trace_section(
    checked: CheckedSection, chunks: Mapping[str, RetrievedChunk], numbers: dict[str, int]
) -> Iterator[TracedSentence]:
    for number, sentence in enumerate(checked.report.sentences):
        cited = [chunks[name] for name in sentence.references if name in chunks]
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
            rests_on=tuple(_nearest_quote(sentence, chunk, numbers[chunk.id]) for chunk in cited),
        )


def _nearest_quote(sentence: CheckedClaim, chunk: RetrievedChunk, number: int) -> QuotedPassage:
    if sentence.best_source == chunk.id:
        return _to_quote(sentence, chunk, number)
    return find_quote(sentence.text, chunk, number)


def _to_quote(checked: CheckedClaim, chunk: RetrievedChunk, number: int) -> QuotedPassage:
    start, end = checked.matched or (0, 0)
    return QuotedPassage(number=number, chunk=chunk, text=chunk.content[start:end], start=start, end=end)
