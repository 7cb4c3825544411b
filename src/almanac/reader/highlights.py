"""Which words of its sources support a sentence: those the desk recorded, else the nearest ones the rules can find."""

from collections.abc import Sequence
from dataclasses import replace

from almanac.language.boilerplate import find_instructions
from almanac.reader.model import HighlightedSource, Precision, ReadableSentence, ReadableSource, TextSpan
from almanac.verify import CheckedClaim, CitedClaim, Verdict
from almanac.verify.checker import Checker


def highlight_sources(sentence: ReadableSentence) -> tuple[HighlightedSource, ...]:
    """The sources of a sentence with the characters to mark. Slow for long texts, so callers run it in a thread."""
    unmarked = {
        str(at): source.text for at, source in enumerate(sentence.sources) if source.spans is None and source.text
    }
    checker = Checker(unmarked, None, None) if unmarked else None
    checks = {name: _check(checker, sentence.text, (name,)) for name in unmarked} if checker else {}
    together = _check(checker, sentence.text, tuple(unmarked)) if checker and len(unmarked) > 1 else None
    is_carried = together is not None and together.verdict is Verdict.SUPPORTED
    highlighted = (
        _highlight(source, checks.get(str(at)), is_carried=is_carried) for at, source in enumerate(sentence.sources)
    )
    return tuple(replace(each, instructions=tuple(find_instructions(each.source.text))) for each in highlighted)


def _check(checker: Checker, text: str, names: Sequence[str]) -> CheckedClaim:
    return checker.check(CitedClaim(text, tuple(names)), 0, len(text))


def _highlight(source: ReadableSource, checked: CheckedClaim | None, *, is_carried: bool) -> HighlightedSource:
    if source.is_gone and not source.text:
        return HighlightedSource(source, (), "missing")
    if source.spans is not None:
        spans = _valid_spans(source.spans, len(source.text))
        return HighlightedSource(source, spans, "words" if spans else "passage")
    if checked is None or checked.matched is None:
        return HighlightedSource(source, (), "passage")
    precision: Precision = "words" if is_carried or checked.verdict is Verdict.SUPPORTED else "nearest"
    return HighlightedSource(source, _valid_spans((checked.matched,), len(source.text)), precision)


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
