"""Finds facts that have changed places: each is in the source, but beside the words of the other."""

from collections.abc import Sequence
from itertools import combinations

from almanac.kit.lazy_regex import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import Facts
from almanac.verify.model import Finding, FindingKind
from almanac.verify.moments import NOTHING_AROUND, Surroundings, says_same_moment
from almanac.verify.named import Named, cores_of, names_in
from almanac.verify.neighbours import TOKEN
from almanac.verify.quantities import Quantity, says_same
from almanac.verify.reasons import swapped
from almanac.verify.sources import terms

_BREAK = lazy_regex(r"[,;:、,。()|]|\b(?:and|while|whereas|but|dan|manakala|tetapi)\b|而|和")
_LISTED = lazy_regex(r" ?(?:and|dan|or|atau|和|、|与|及|と|や|,|/|:|対|比|对) ?")
_PASSIVE = lazy_regex(r"(?i)\b(?:by|oleh|from|daripada)\b|\bdi\w{4}|被|遭|由|受")
_TELLING = frozenset("first second third last next former latter pertama kedua ketiga terakhir".split())
_MUTUAL = frozenset({"met", "join", "marri", "与", "和", "temu", "jumpa"})
_LONGEST_DEED = 4
_CONVINCING = 2
_MOST_FACTS = 16  # a row of a table rather than a sentence: pairs of pairs would take too long
_MOST_PLACES = 12
_MARGIN = 3


def check_binding(facts: Facts, alignment: Alignment, language: str) -> list[Finding]:
    """Pairs of figures or names of the claim that the source has the other way round."""
    if len(facts.measured) > _MOST_FACTS:
        return []
    findings = _swapped_quantities(facts, alignment)
    return findings or _swapped_moments(facts, alignment) or _swapped_names(facts, alignment, language)


def _swapped_quantities(facts: Facts, alignment: Alignment) -> list[Finding]:
    said = [(each, _around(facts, each.start, each.end)) for each in facts.quantities]
    meant = [
        (each, _around(sentence.facts, each.start, each.end))
        for sentence in alignment.chosen
        for each in sentence.facts.quantities
    ]
    for (one, near_one), (two, near_two) in combinations(said, 2):
        if one.values == two.values or one.kind is not two.kind or _is_list(facts, one, two):
            continue
        ones = [around for each, around in meant if says_same(one, each)]
        twos = [around for each, around in meant if says_same(two, each)]
        if _crossed(near_one, near_two, ones, twos):
            return [swapped(one.kind, one.text, two.text)]
    return []


def _is_list(facts: Facts, one: Quantity, two: Quantity) -> bool:
    """`2.1 and 0.4 million`: side by side, nothing says which belongs to what."""
    return bool(_LISTED.fullmatch(facts.text[one.end : two.start]))


def _swapped_moments(facts: Facts, alignment: Alignment) -> list[Finding]:
    said = [(each, _around(facts, each.start, each.end)) for each in facts.moments]
    meant = [
        (each, _around(sentence.facts, each.start, each.end))
        for sentence in alignment.chosen
        for each in sentence.facts.moments
    ]
    around = Surroundings.of(each for each, _ in meant)
    for (one, near_one), (two, near_two) in combinations(said, 2):
        if one.sort is not two.sort or says_same_moment(one, two, NOTHING_AROUND):
            continue
        ones = [place for each, place in meant if says_same_moment(one, each, around)]
        twos = [place for each, place in meant if says_same_moment(two, each, around)]
        if _crossed(near_one, near_two, ones, twos):
            return [swapped(FindingKind.DATE, one.text, two.text)]
    return []


def _swapped_names(facts: Facts, alignment: Alignment, language: str) -> list[Finding]:
    cores = cores_of([facts, *(sentence.facts for sentence in alignment.chosen)], language)
    said = names_in(facts, cores)
    for sentence in alignment.chosen:
        meant = names_in(sentence.facts, cores)
        for one, two in combinations(said, 2):
            mine, theirs = one.keys - two.keys, two.keys - one.keys  # a shared role such as Coach tells nothing
            ones = [place for place in meant if place.keys & mine and not place.keys & theirs]
            twos = [place for place in meant if place.keys & theirs and not place.keys & mine]
            if not ones or not twos:
                continue
            crossed = _crossed(
                one.beside, two.beside, [place.beside for place in ones], [place.beside for place in twos]
            )
            if crossed or _turned((facts.text, one, two), (sentence.facts.text, ones, twos), language):
                return [swapped(FindingKind.NAME, one.text, two.text)]
    return []


def _turned(said: tuple[str, Named, Named], meant: tuple[str, Sequence[Named], Sequence[Named]], language: str) -> bool:
    """`A praised B` and `B praised A`: the same deed between the same names in the other order, in the active voice."""
    text, one, two = said
    source, ones, twos = meant
    between = text[one.end : two.start]
    deed = terms(between) - _MUTUAL
    if (
        language == "ja"
        or not deed
        or _BREAK.search(between)
        or _PASSIVE.search(between)
        or len(TOKEN.findall(between)) > _LONGEST_DEED
    ):
        return False
    turned = [source[other.end : mine.start] for other in twos for mine in ones if other.end <= mine.start]
    kept = [source[mine.end : other.start] for mine in ones for other in twos if mine.end <= other.start]
    if any(deed & terms(passage) for passage in kept):
        return False
    return any(deed <= terms(passage) and not _PASSIVE.search(passage) for passage in turned)


def _around(facts: Facts, start: int, end: int) -> frozenset[str]:
    """The words of the clause on both sides, up to the next fact, and the other sorts of facts within reach."""
    bare = facts.bare
    left = _last_piece(bare[:start])
    right = _BREAK.split(bare[end:], maxsplit=1)[0]
    edges = {f"<{token}" for token in TOKEN.findall(left)[-1:]} | {f">{token}" for token in TOKEN.findall(right)[:1]}
    told = {token for token in TOKEN.findall((left + right).casefold()) if token in _TELLING}
    return terms(left) | terms(right) | frozenset(edges | told)


def _last_piece(text: str) -> str:
    return _BREAK.split(text)[-1]


def _crossed(
    near_one: frozenset[str], near_two: frozenset[str], ones: Sequence[frozenset[str]], twos: Sequence[frozenset[str]]
) -> bool:
    """Each fits the other's place better than its own, and by far."""
    rated = [_fit(near_one, near_two, one, two) for one in ones[:_MOST_PLACES] for two in twos[:_MOST_PLACES]]
    own, first, second = max(rated, default=(0, 0, 0))
    return first > 0 and second > 0 and first + second >= max(_CONVINCING, own + (_MARGIN if own else 0))


def _fit(
    near_one: frozenset[str], near_two: frozenset[str], one: frozenset[str], two: frozenset[str]
) -> tuple[int, int, int]:
    """How well two facts fit their own places and each other's, by what tells these places apart."""
    only_one, only_two = one - two, two - one
    own = len(near_one & only_one) + len(near_two & only_two)
    return own, len(near_one & only_two), len(near_two & only_one)
