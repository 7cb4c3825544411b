"""Finds a figure that the claim gives to another thing than the source: 支持率 for 不支持率, 売上高 for 純利益."""

from itertools import pairwise

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment, has_fact
from almanac.verify.dates.moments import Moment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.japanese.phrases import NounPhrase, noun_keys, noun_phrase_before
from almanac.verify.words.content import content_words, text_keys
from almanac.verify.words.morphemes import Morpheme, read_morphemes

_MARKS = frozenset({"は", "が", "も"})
_BREAK = frozenset({"、", "。", "一方"})
_DIRECTION = lazy_regex(
    "(?:(?P<up>増|上昇|上が|上げ|引き上げ|伸び|高ま|拡大|値上|膨ら|改善)|(?P<down>減|低下|下が|下げ|引き下げ|落ち|縮小|下落|値下|悪化))"
)
_SHARE = lazy_regex("(?:そのうち|この(?:うち|中)|うち)[^。]*?(?=[、。]|$)")
_FROM, _TO = lazy_regex("[ぁ-んァ-ン一-龥%]{0,6}から$"), lazy_regex("[^、。から]{0,6}(?:に|へ|まで|と)")


def check_figure_subjects(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a figure whose subject the source has with another figure of that kind, not with this one."""
    for claimed in facts.quantities:
        subject = _subject_of(facts, claimed)
        if subject is None or not subject.head_keys:
            continue
        homes = [each.facts for each in alignment.sentences if has_fact(each, claimed)]
        if not homes or any(_belongs(subject, claimed, home) for home in homes):
            continue
        denied = any(_turned(subject.head_keys) & _home_keys(claimed, home) for home in homes)
        if denied or any(_has_own_figure(subject, claimed, each.facts) for each in alignment.sentences):
            return [uncertain_difference(f"{subject.text} … {claimed.text}", homes[0].text)]
    return []


def _subject_of(facts: SentenceFacts, figure: Quantity) -> NounPhrase | None:
    """The noun phrase before は or が in front of a figure, with no other figure between."""
    morphemes = read_morphemes(facts.masked_text)
    at = _index_at(morphemes, figure.start)
    for place in range(at - 1, -1, -1):
        if morphemes[place].form in _MARKS and morphemes[place].kind == "助詞":
            return noun_phrase_before(morphemes, place)
        if any(place_of.start <= morphemes[place].start < place_of.end for place_of in facts.quantities):
            return None
    return None


def _index_at(morphemes: tuple[Morpheme, ...], start: int) -> int:
    return next((at for at, each in enumerate(morphemes) if each.end > start), len(morphemes))


def _belongs(subject: NounPhrase, claimed: Quantity, facts: SentenceFacts) -> bool:
    """Whether the source's figure has a noun of the subject in its own part of the sentence."""
    return bool(subject.head_keys & _home_keys(claimed, facts))


def _turned(keys: frozenset[str]) -> frozenset[str]:
    """The keys of 不支持率 for 支持率, and the reverse."""
    return frozenset(key.removeprefix("不:") if key.startswith("不:") else f"不:{key}" for key in keys)


def _home_keys(claimed: Quantity, facts: SentenceFacts) -> frozenset[str]:
    """The keys around the source's figures of the same value."""
    figures = (figure for figure in facts.quantities if quantities_match(claimed, figure))
    return frozenset[str]().union(*(_keys_around(facts, figure) for figure in figures))


def _keys_around(facts: SentenceFacts, figure: Quantity) -> frozenset[str]:
    """The keys of the nouns of a figure's part: back to its subject, on to the next break."""
    morphemes = read_morphemes(facts.masked_text)
    at = _index_at(morphemes, figure.start)
    start, marked = at, False
    while start and not (marked and morphemes[start - 1].surface in _BREAK):
        start -= 1
        marked = marked or (morphemes[start].form in _MARKS and morphemes[start].kind == "助詞")
    end = at
    while end < len(morphemes) and morphemes[end].surface not in _BREAK:
        end += 1
    places = (place for place in range(start, end) if morphemes[place].kind in {"名詞", "代名詞"})
    return frozenset[str]().union(*(noun_keys(morphemes, place) for place in places))


def _has_own_figure(subject: NounPhrase, claimed: Quantity, facts: SentenceFacts) -> bool:
    return any(
        subject.head_keys & _keys_around(facts, figure)
        for figure in facts.quantities
        if not quantities_match(claimed, figure) and figure.kind is claimed.kind
    )


def check_shares(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report the whole put for a part: 5人が重症 where 5人が感染し、うち2人が重症."""
    words = [word for word in content_words(facts.masked_text, "ja") if word.keys]
    for sentence in alignment.sentences:
        match = _SHARE.search(sentence.facts.text)
        if match is None:
            continue
        text, (start, end) = sentence.facts.masked_text, match.span()
        part = [each for each in sentence.facts.quantities if start <= each.start < end]
        whole = [each for each in sentence.facts.quantities if each.start < start]
        only_part = text_keys(text[start:end], "ja") - text_keys(text[:start], "ja")
        tells_part = any(word.keys & only_part for word in words)
        if tells_part and _has_any(facts, whole) and part and not _has_any(facts, part):
            return [uncertain_difference(facts.text, match[0])]
    return []


def _has_any(facts: SentenceFacts, figures: list[Quantity]) -> bool:
    return any(quantities_match(claimed, figure) for claimed in facts.quantities for figure in figures)


def check_figure_order(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a rise to a lower figure, or a fall to a higher one, unless the source says it so."""
    mismatch = _find_wrong_direction(facts)
    if mismatch is None or any(_find_wrong_direction(each.facts) for each in alignment.sentences):
        return []
    return [uncertain_difference(mismatch, alignment.best.text)]


def _find_wrong_direction(facts: SentenceFacts) -> str | None:
    figures: list[Quantity | Moment] = sorted(facts.measured, key=lambda each: each.start)
    for first, second in pairwise(figures):
        if not isinstance(first, Quantity) or not isinstance(second, Quantity) or first.kind is not second.kind:
            continue
        between = facts.text[first.end : second.start]
        move = _DIRECTION.search(facts.text, second.end, second.end + 12)
        if not _FROM.search(between) or move is None or not _TO.match(facts.text, second.end):
            continue
        rises = min(second.scaled) > max(first.scaled)
        falls = max(second.scaled) < min(first.scaled)
        if (rises and move["down"]) or (falls and move["up"]):
            return facts.text[first.start : move.end()]
    return None
