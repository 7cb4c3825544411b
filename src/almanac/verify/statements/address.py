"""Finds English sentences that no source can carry: talk of oneself, and remarks without any content."""

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.names.check import without_quotations
from almanac.verify.quotations import find_quotations
from almanac.verify.reasons import uncovered_words
from almanac.verify.statements.parallels import stated_words

_SPEAKER = lazy_regex(
    r"\bI(?:'m|'ve|'d|'ll)?\b(?![.\w]| (?:and|or|see|agree|do)\b)"
    r"|\b(?:[Mm]y|myself|[Mm]e|mine|[Ww]e|(?<!the )us|[Oo]urs?)\b"
    r"|(?:^|[.,!?] ?|(?:but|and|so|yes|yeah) )i(?:'m|'ve|'d|'ll)?(?= (?!see|agree|do\b)[a-z])"
)
# An opening that only leads up to a statement.
_LEAD = lazy_regex(
    r"(?i)\bdid you know\b.*|\bi(?:'m| am) (?:not )?(?:sure|aware)\b|\byou(?:'re| are) right\b|^me too\b"
    r"|\bi (?:don't |do n't |do not )?(?:know|see|agree|think|believe|heard|read)\b(?: that)?"
)


def check_address(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """A finding for a sentence that speaks of its writer, or says nothing that could be in a source."""
    text = _LEAD.sub("", without_quotations(facts))
    speaks = _SPEAKER.search(text)
    if speaks and not any(_SPEAKER.search(sentence.facts.text) for sentence in alignment.sentences):
        return [uncovered_words([speaks[0]])]
    if not stated_words(facts) and not facts.measured and not facts.latin_names and not find_quotations(facts.text):
        return [uncovered_words([facts.text])]
    return []
