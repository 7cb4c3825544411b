"""Which words of its sources support a sentence: those the desk recorded, else the nearest ones the rules can find."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from almanac.language.boilerplate import find_instructions
from almanac.language.segmentation import split_sentences
from almanac.reader.model import HighlightedSource, Precision, ReadableSentence, ReadableSource, TextSpan
from almanac.verify import CheckedClaim, CitedClaim, Verdict
from almanac.verify.checker import Checker

# Parsing a long speech takes a second, and whoever reads goes through its sentences one by one.
_KEPT_CHECKERS = 4
# Shorter pieces, such as the name of a speaker in brackets, are found anywhere.
_SHORTEST_PIECE = 12


def highlight_sources(sentence: ReadableSentence) -> tuple[HighlightedSource, ...]:
    """The sources of a sentence with the characters to mark. Slow for long texts, so callers run it in a thread."""
    searched = _search(sentence)
    highlighted = (searched.get(at) or _recorded(source) for at, source in enumerate(sentence.sources))
    return tuple(replace(each, instructions=tuple(find_instructions(each.source.text))) for each in highlighted)


def _recorded(source: ReadableSource) -> HighlightedSource:
    """A source whose words are known, or of which there is nothing to search."""
    if not source.text:
        return HighlightedSource(source, (), "missing")
    spans = _valid_spans(source.spans or (), len(source.text))
    return HighlightedSource(source, spans, "words" if spans else "passage")


def _search(sentence: ReadableSentence) -> Mapping[int, HighlightedSource]:
    """The sources whose words no desk recorded, by their index."""
    texts = {at: source.text for at, source in enumerate(sentence.sources) if source.spans is None and source.text}
    if not texts:
        return {}
    checker = _checker(tuple(texts.values()))
    names = {at: str(number) for number, at in enumerate(texts)}
    alone = {at: _check(checker, sentence.text, (name,)) for at, name in names.items()}
    is_said_alone = any(checked.verdict is Verdict.SUPPORTED for checked in alone.values())
    is_said_together = (
        len(texts) > 1
        and not is_said_alone
        and _check(checker, sentence.text, tuple(names.values())).verdict is Verdict.SUPPORTED
    )
    searched = {}
    for at, checked in alone.items():
        source = sentence.sources[at]
        spans = _valid_spans(_matched_spans(checker, checked, names[at]), len(source.text))
        precision: Precision = "part" if is_said_together else "nearest"
        if checked.verdict is Verdict.SUPPORTED:
            precision = "words"
        searched[at] = HighlightedSource(source, spans, precision if spans else "passage")
    return searched


@lru_cache(maxsize=_KEPT_CHECKERS)
def _checker(texts: tuple[str, ...]) -> Checker:
    return Checker({str(number): text for number, text in enumerate(texts)}, None, None)


def _check(checker: Checker, text: str, names: Sequence[str]) -> CheckedClaim:
    return checker.check(CitedClaim(text, tuple(names)), 0, len(text))


def _matched_spans(checker: Checker, whole: CheckedClaim, name: str) -> list[TextSpan]:
    """What matches the claim; where it is several sentences joined, what says each of them."""
    pieces = [piece.text for piece in split_sentences(whole.text) if len(piece.text) >= _SHORTEST_PIECE]
    checks = [_check(checker, piece, (name,)) for piece in pieces] if len(pieces) > 1 else []
    spans = [each.matched for each in checks if each.matched and each.verdict is Verdict.SUPPORTED]
    return spans or ([whole.matched] if whole.matched else [])


def _valid_spans(spans: Sequence[TextSpan], length: int) -> tuple[TextSpan, ...]:
    """Spans inside the text in order; overlapping ones are joined."""
    joined: list[TextSpan] = []
    for start, end in sorted(spans):
        begin, stop = max(0, start), min(end, length)
        if begin >= stop:
            continue
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((begin, stop))
    return tuple(joined)
