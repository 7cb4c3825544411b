"""Questions, and sentences in the first person where the source has none: no source can carry them.

English is in `address`, which knows its talk.
"""

from collections.abc import Sequence

from almanac.kit.lazy import lazy_regex
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.names.check import without_quotations
from almanac.verify.reasons import uncarried_question, uncovered_words
from almanac.verify.sources import SourceText, base_language

_QUESTION = lazy_regex(r"[?？]")
_FIRST_PERSON = {
    "ms": lazy_regex(r"(?i)\b(?:saya|aku|kami|kita)\b"),
    "zh": lazy_regex("我们?"),
    "ja": lazy_regex("私(?![立的有費学道鉄営物法人財])(?:たち|達|ども)?|僕|俺|我々|われわれ"),
}


def check_voice(facts: SentenceFacts, sources: Sequence[SourceText], language: str) -> list[ClaimFinding]:
    """A finding for a question, or for the first person that no source uses; quotations are left out."""
    text = without_quotations(facts)
    if _QUESTION.search(text) and not any(_QUESTION.search(source.text) for source in sources):
        return [uncarried_question(facts.text)]
    person = _FIRST_PERSON.get(base_language(language))
    spoken = person.search(text) if person else None
    if person is None or spoken is None or any(person.search(source.normalized) for source in sources):
        return []
    return [uncovered_words([spoken[0]])]
