"""Moves a reference to the passage of the same document that carries the sentence."""

from collections.abc import Iterable, Mapping, Sequence

from almanac.desks.newsletter.model.checks import VerdictCache
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.draft import ReferenceMove
from almanac.desks.newsletter.model.sentence_edits import replace_markers
from almanac.verify import CitedClaim, ClaimKind, Verdict
from almanac.verify.markers import PlacedClaim, read_claims

_MAX_TRIALS = 12


def move_references(
    text: str, chunks: Sequence[RetrievedChunk], cache: VerdictCache
) -> tuple[str, tuple[ReferenceMove, ...]]:
    """The text with moved references, and what was moved.

    A reference is moved only where its passage doesn't carry the sentence and another one of the document does.
    """
    by_id = {chunk.id: chunk for chunk in chunks}
    placed = [each for each in read_claims(text) if each.claim.kind is ClaimKind.SENTENCE and each.claim.references]
    moves: list[ReferenceMove] = []
    for each, checked in reversed(list(zip(placed, cache.check(placed), strict=True))):
        if checked.verdict is Verdict.SUPPORTED:
            continue
        move = _find_move(each, by_id, cache)
        if move is not None:
            moves.append(move)
            text = replace_markers(text, each, _moved_references(each.claim, move, by_id))
    return text, tuple(reversed(moves))


def _find_move(placed: PlacedClaim, chunks: Mapping[str, RetrievedChunk], cache: VerdictCache) -> ReferenceMove | None:
    claim = placed.claim
    for old in claim.references:
        for new in _same_document(old, claim.references, chunks.values(), chunks)[:_MAX_TRIALS]:
            move = ReferenceMove(sentence=claim.text, old=old, new=new)
            trial = CitedClaim(claim.text, _moved_references(claim, move, chunks))
            if cache.check_claim(trial).verdict is Verdict.SUPPORTED:
                return move
    return None


def _same_document(
    cited: str, references: Sequence[str], candidates: Iterable[RetrievedChunk], chunks: Mapping[str, RetrievedChunk]
) -> list[str]:
    """The other included chunks of the document that a chunk is from."""
    document = _document_of(chunks[cited]) if cited in chunks else None
    return [
        chunk.id
        for chunk in candidates
        if document is not None and chunk.included and chunk.id not in references and _document_of(chunk) == document
    ]


def _document_of(chunk: RetrievedChunk) -> tuple[str, ...] | None:
    """What identifies the document of a chunk; None if that isn't known."""
    if chunk.place is not None:
        return chunk.place.desk, chunk.place.item
    return (chunk.source, chunk.url) if chunk.url else None


def _moved_references(claim: CitedClaim, move: ReferenceMove, chunks: Mapping[str, RetrievedChunk]) -> tuple[str, ...]:
    """The references with the moved one in place of all those to its document; other documents stay cited."""
    document = _document_of(chunks[move.new])
    kept = [
        move.new if name == move.old else name
        for name in claim.references
        if name == move.old or name not in chunks or _document_of(chunks[name]) != document
    ]
    return tuple(dict.fromkeys(kept))
