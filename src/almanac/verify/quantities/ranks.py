"""Checks `first`, `second` and `only`, which say that something has no equal or where it stands.

Other ordinals are numbers and checked as such; these two are often adverbs, so they count only before a noun.
"""

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.reasons import fact_not_in_source, uncovered_words

_BEFORE = "".join(f"|(?<=\\b{word} )" for word in "the a his her its their our my only".split())
_RANK = lazy_regex(
    rf"(?i)(?:(?<='s ){_BEFORE})(?P<en>first|second)\b(?= (?P<noun>[a-z]+))|\b(?P<ms>pertama|kedua)\b(?!-)"
    r"|(?<=\bthe )(?P<only>only|sole)\b(?= (?P<thing>[a-z]+))|\b(?P<satu>satu-satunya)\b|(?P<cjk>唯一)"
)
_SAME = {
    "first": lazy_regex(
        r"(?i)\b(?:first|1st|firstly|initial|initially|inaugural|maiden|debut\w*|earliest|premiere\w*|original\w*|begin\w*"
        r"|began|start\w*|open\w*|new|pertama|perdana|sulung|mula\w*|awal\w*)\b|初|第[一1]|首"
    ),
    "second": lazy_regex(r"(?i)\b(?:second|2nd|two|another|other|again|twice|kedua|dua|ke-2)\b|第[二2]|再|二"),
    "only": lazy_regex(
        r"(?i)\b(?:only|sole|solely|single|singular|unique|lone|alone|except|exclusive\w*|just|no other|one of a kind"
        r"|satu-satunya|hanya|tunggal|saja|sahaja|kecuali)\b|唯一|只有|仅|のみ|だけ|しか|独"
    ),
}
_WORDS = {"pertama": "first", "kedua": "second", "sole": "only", "satu-satunya": "only", "唯一": "only"}
_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|[0-9]+(?:st|nd|rd|th)|last|next|only"
_OTHER = lazy_regex(rf"(?i)\b(?P<rank>{_ORDINALS}) (?P<noun>[a-z]+)")


def check_ranks(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a rank that no aligned sentence has: as changed where the same thing has another one, else in doubt."""
    near = " ".join(sentence.facts.text for sentence in alignment.sentences)
    for match in _RANK.finditer(facts.masked_text):
        written = next(match[group] for group in ("en", "ms", "only", "satu", "cjk") if match[group])
        rank = _WORDS.get(written.lower(), written.lower())
        if _SAME[rank].search(near):
            continue
        noun = (match["noun"] or match["thing"] or "").lower()
        others = [other["rank"] for other in _OTHER.finditer(near) if other["noun"].lower() == noun]
        if others:
            return [fact_not_in_source(FindingKind.NUMBER, written, others[0])]
        return [uncovered_words([written])]
    return []
