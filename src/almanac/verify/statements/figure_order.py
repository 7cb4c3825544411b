"""Finds a rise or fall that goes against its own figures: `rose from 347 to 312`."""

from almanac.kit.lazy import lazy_regex
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.marked_sentences import mark_sentence

_FROM = {
    "ms": lazy_regex(r"(?i)\b(?:daripada|dari)(?: (?:hanya|kira-kira|sekitar|lebih|paras|tahap))? $"),
    "zh": lazy_regex("[从由自](?:[^,。;|]{0,8})?$"),
}
_TO = {
    "ms": lazy_regex(
        r"(?i)\b(?:kepada|ke|menjadi|mencecah|mencapai)(?: (?:hanya|kira-kira|sekitar|lebih|paras|tahap))? $"
    ),
    "zh": lazy_regex("[至到为](?:约|近)?$"),
}


def check_figure_order(facts: SentenceFacts, language: str) -> list[ClaimFinding]:
    """A finding where a claim with one direction has figures that go the other way."""
    claim = mark_sentence(facts, language)
    rises, falls = claim.has("direction-up"), claim.has("direction-down")
    starts = [each for each in facts.quantities if _FROM[language].search(facts.text[: each.start])]
    ends = [each for each in facts.quantities if _TO[language].search(facts.text[: each.start])]
    if rises == falls or len(starts) != 1 or len(ends) != 1 or starts == ends:
        return []
    before, after = max(starts[0].scaled), max(ends[0].scaled)
    if before == after or (before < after) == rises:
        return []
    marker = claim.markers("direction-up" if rises else "direction-down")[0]
    return [uncertain_difference(marker.text, f"{starts[0].text} → {ends[0].text}")]
