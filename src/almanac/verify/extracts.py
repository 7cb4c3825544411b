"""Sentences taken from a Japanese source as they are, without clauses at their start or within.

A Japanese sentence has its negation, tense and hedge at its end, so what keeps the end keeps what is said of it.
"""

from collections.abc import Sequence
from functools import lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.sources import SourceText

_OUTER = " 。!?「」『』()○◯-・"
_END = frozenset("。!?」』)\n ")
_BORDER = frozenset("、。!?「『(」』) \n・:○◯-")
_PART = lazy_regex("(?<=、)")
_CONDITION = lazy_regex("(?:場合|れば|たら|なら|ならば|とき|時|際|限り|限って)(?:は|に|には|のみ)?、?$")
_NEW_SUBJECT = lazy_regex("[はが]、?")


def is_extract(facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]) -> bool:
    """Whether the claim is the end of a source sentence, or a sentence of which clauses within were left out.

    Conditions must not be left out, nor clauses with a subject of their own from within.
    """
    claimed = facts.text.strip(_OUTER)
    if not claimed:
        return False
    return any(_ends_sentence(claimed, source.normalized) for source in sources) or any(
        _drops_clauses(claimed, sentence.facts.text.strip(_OUTER)) for sentence in alignment.sentences
    )


def _ends_sentence(claimed: str, source: str) -> bool:
    """Whether the words stand in the source from a clause border to the end of a sentence."""
    start = source.find(claimed)
    while start >= 0:
        end = start + len(claimed)
        lead = source[max(0, start - 12) : start]
        is_whole = not lead or lead[-1] in _BORDER
        if is_whole and (end == len(source) or source[end] in _END) and not _CONDITION.search(lead.rstrip()):
            return True
        start = source.find(claimed, start + 1)
    return False


def _drops_clauses(claimed: str, sourced: str) -> bool:
    parts, wanted = _parts(sourced), _parts(claimed)
    if len(wanted) < 2 or wanted[-1] != parts[-1]:
        return False
    dropped = []
    at = 0
    for part in parts:
        if at < len(wanted) and part == wanted[at]:
            at += 1
        else:
            dropped.append(part)
    return at == len(wanted) and not any(_CONDITION.search(part) or _NEW_SUBJECT.search(part) for part in dropped)


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def _parts(text: str) -> tuple[str, ...]:
    return tuple(_PART.split(text))
