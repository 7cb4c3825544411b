"""A draft as the source reader shows it: every sentence that needs a source, with the passages it cites."""

from collections.abc import Iterator, Mapping, Sequence

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import CheckedSection, SentenceStatus
from almanac.desks.newsletter.urls import newsletter_path
from almanac.kit.messages import gettext
from almanac.reader.model import ReadableDocument, ReadableSentence, ReadableSource
from almanac.verify import CheckedClaim, ClaimKind, Verdict

DESK = KIND = "newsletter"
_FREE_KINDS = frozenset({ClaimKind.HEADING, ClaimKind.OWN})
_REFUSED = frozenset({Verdict.CHANGED, Verdict.UNSUPPORTED})


def build_readable_draft(full: FullNewsletter, checked: Sequence[CheckedSection]) -> ReadableDocument:
    """The sentences of the draft; headings and the editor's own only where a source says otherwise."""
    chunks = {chunk.id: chunk for chunk in full.topics.chunks}
    return ReadableDocument(
        desk=DESK,
        id=full.code,
        kind=KIND,
        title=full.newsletter.title,
        path=newsletter_path(full.code, "draft"),
        sentences=tuple(
            _sentence(section.section.name, sentence, chunks) for section, _, sentence in _list_readable(checked)
        ),
    )


def number_sentences(checked: Sequence[CheckedSection]) -> Mapping[tuple[str, int], int]:
    """The number in the reader of each sentence, by the id of its section and its number there."""
    readable = enumerate(_list_readable(checked), 1)
    return {(section.section.id, at): number for number, (section, at, _) in readable}


def _list_readable(checked: Sequence[CheckedSection]) -> Iterator[tuple[CheckedSection, int, SentenceStatus]]:
    for section in checked:
        for at, sentence in enumerate(section.sentences):
            if sentence.checked.kind not in _FREE_KINDS or sentence.checked.verdict is not Verdict.SUPPORTED:
                yield section, at, sentence


def _sentence(group: str, sentence: SentenceStatus, chunks: Mapping[str, RetrievedChunk]) -> ReadableSentence:
    checked = sentence.checked
    reason = sentence.reason if checked.findings else ""
    refusal = ""
    if checked.verdict in _REFUSED:
        refusal = gettext("Checking it isn't enough. %(reason)s Rewrite the sentence or drop it.", reason=reason)
    return ReadableSentence(
        key=sentence.key,
        text=checked.text,
        group=group,
        sources=tuple(_source(name, chunks.get(name), checked) for name in checked.references),
        verdict=checked.verdict,
        reason=reason,
        judged_by=checked.judged_by,
        refusal=refusal,
    )


def _source(name: str, chunk: RetrievedChunk | None, checked: CheckedClaim) -> ReadableSource:
    """A cited passage. Its words are known where the check found them in it; elsewhere the reader looks for them."""
    if chunk is None:
        return ReadableSource(id=name, title=name, text="", is_gone=True)
    is_best = checked.best_source == name and checked.matched is not None
    is_carried = checked.verdict is Verdict.SUPPORTED
    return ReadableSource(
        id=name,
        title=chunk.title or chunk.source,
        text=chunk.content,
        spans=(checked.matched,) if is_best and is_carried and checked.matched else None,
        path=chunk.place.path if chunk.place else "",
        url=chunk.link,
        language=chunk.language,
    )
