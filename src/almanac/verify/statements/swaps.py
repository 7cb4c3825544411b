"""Finds facts, names and other parts of a sentence that have swapped places."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import CJK, HAN, KATAKANA
from almanac.language.terms import stopwords
from almanac.verify.alignment import Alignment
from almanac.verify.dates.moments import NO_DATE_CONTEXT, DateContext, moments_match
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.names.mentions import TOKEN, NameMention, collect_han_cores, find_name_mentions
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import facts_swapped
from almanac.verify.sources import sentence_terms

_BREAK = lazy_regex(r"[,;:、,。()|]|\b(?:and|while|whereas|but|dan|manakala|tetapi)\b|而|和")
_LISTED = lazy_regex(r" ?(?:and|dan|or|atau|和|、|与|及|と|や|,|/|:|対|比|对) ?")
_PASSIVE = lazy_regex(r"(?i)\b(?:by|oleh|from|daripada)\b|\bdi\w{4}|被|遭|由|受")
_ORDER_WORDS = frozenset("first second third last next former latter pertama kedua ketiga terakhir".split())
_MUTUAL_ACTIONS = frozenset({"met", "join", "marri", "与", "和", "temu", "jumpa"})
_LONGEST_ACTION = 4
_CONVINCING = 2
_MAX_FACTS = 16  # a row of a table rather than a sentence: pairs of pairs would take too long
_MAX_PLACES = 12
_MARGIN = 3


def check_swapped_facts(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    """Report two figures, dates or names that the source has the other way round."""
    if len(facts.measured) > _MAX_FACTS:
        return []
    findings = _find_swapped_quantities(facts, alignment)
    return findings or _find_swapped_moments(facts, alignment) or _find_swapped_names(facts, alignment, language)


def _find_swapped_quantities(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    claimed = [(each, _context_words(facts, each.start, each.end)) for each in facts.quantities]
    sourced = [
        (each, _context_words(sentence.facts, each.start, each.end))
        for sentence in alignment.sentences
        for each in sentence.facts.quantities
    ]
    for (first, near_first), (second, near_second) in combinations(claimed, 2):
        if first.values == second.values or first.kind is not second.kind or _is_list(facts, first, second):
            continue
        first_places = [around for each, around in sourced if quantities_match(first, each)]
        second_places = [around for each, around in sourced if quantities_match(second, each)]
        if _fits_crosswise(near_first, near_second, first_places, second_places):
            return [facts_swapped(first.kind, first.text, second.text)]
    return []


def _is_list(facts: SentenceFacts, first: Quantity, second: Quantity) -> bool:
    """`2.1 and 0.4 million`: in a list, nothing says which belongs to what."""
    return bool(_LISTED.fullmatch(facts.text[first.end : second.start]))


def _find_swapped_moments(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    claimed = [(each, _context_words(facts, each.start, each.end)) for each in facts.moments]
    sourced = [
        (each, _context_words(sentence.facts, each.start, each.end))
        for sentence in alignment.sentences
        for each in sentence.facts.moments
    ]
    around = DateContext.from_moments(each for each, _ in sourced)
    for (first, near_first), (second, near_second) in combinations(claimed, 2):
        if first.kind is not second.kind or moments_match(first, second, NO_DATE_CONTEXT):
            continue
        first_places = [place for each, place in sourced if moments_match(first, each, around)]
        second_places = [place for each, place in sourced if moments_match(second, each, around)]
        if _fits_crosswise(near_first, near_second, first_places, second_places):
            return [facts_swapped(FindingKind.DATE, first.text, second.text)]
    return []


def _find_swapped_names(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    cores = collect_han_cores([facts, *(sentence.facts for sentence in alignment.sentences)], language)
    claimed = find_name_mentions(facts, cores)
    for sentence in alignment.sentences:
        sourced = find_name_mentions(sentence.facts, cores)
        for first, second in combinations(claimed, 2):
            mine, theirs = (
                first.keys - second.keys,
                second.keys - first.keys,
            )  # a shared role such as Coach isn't distinctive
            first_places = [place for place in sourced if place.keys & mine and not place.keys & theirs]
            second_places = [place for place in sourced if place.keys & theirs and not place.keys & mine]
            if not first_places or not second_places:
                continue
            crossed = _fits_crosswise(
                first.neighbours,
                second.neighbours,
                [place.neighbours for place in first_places],
                [place.neighbours for place in second_places],
            )
            if crossed or _is_reversed_action(
                (facts.text, first, second), (sentence.facts.text, first_places, second_places), language
            ):
                return [facts_swapped(FindingKind.NAME, first.text, second.text)]
    return []


def _is_reversed_action(
    claimed: tuple[str, NameMention, NameMention],
    sourced: tuple[str, Sequence[NameMention], Sequence[NameMention]],
    language: str,
) -> bool:
    """`A praised B` and `B praised A`: the same verb between the same names in reverse, in the active voice."""
    text, first, second = claimed
    source, first_places, second_places = sourced
    between = text[first.end : second.start]
    deed = sentence_terms(between) - _MUTUAL_ACTIONS
    if (
        language == "ja"
        or not deed
        or _BREAK.search(between)
        or _PASSIVE.search(between)
        or len(TOKEN.findall(between)) > _LONGEST_ACTION
    ):
        return False
    turned = [
        source[other.end : mine.start] for other in second_places for mine in first_places if other.end <= mine.start
    ]
    kept = [
        source[mine.end : other.start] for mine in first_places for other in second_places if mine.end <= other.start
    ]
    if any(deed & sentence_terms(passage) for passage in kept):
        return False
    return any(deed <= sentence_terms(passage) and not _PASSIVE.search(passage) for passage in turned)


def _context_words(facts: SentenceFacts, start: int, end: int) -> frozenset[str]:
    """The words of the clause on both sides, up to the next fact."""
    bare = facts.masked_text
    left = _BREAK.split(bare[:start])[-1]
    right = _BREAK.split(bare[end:], maxsplit=1)[0]
    edges = {f"<{token}" for token in TOKEN.findall(left)[-1:]} | {f">{token}" for token in TOKEN.findall(right)[:1]}
    order_words = {token for token in TOKEN.findall((left + right).casefold()) if token in _ORDER_WORDS}
    return sentence_terms(left) | sentence_terms(right) | frozenset(edges | order_words)


def _fits_crosswise(
    near_first: frozenset[str],
    near_second: frozenset[str],
    first_places: Sequence[frozenset[str]],
    second_places: Sequence[frozenset[str]],
) -> bool:
    """Whether each fits the other's place clearly better than its own."""
    rated = [
        _fit(near_first, near_second, first, second)
        for first in first_places[:_MAX_PLACES]
        for second in second_places[:_MAX_PLACES]
    ]
    own, crossed_first, crossed_second = max(rated, default=(0, 0, 0))
    return (
        crossed_first > 0
        and crossed_second > 0
        and crossed_first + crossed_second >= max(_CONVINCING, own + (_MARGIN if own else 0))
    )


def _fit(
    near_first: frozenset[str], near_second: frozenset[str], first: frozenset[str], second: frozenset[str]
) -> tuple[int, int, int]:
    """How well two facts fit their own places and each other's, counting only words of one of the places."""
    only_first, only_second = first - second, second - first
    own = len(near_first & only_first) + len(near_second & only_second)
    return own, len(near_first & only_second), len(near_second & only_first)


_TOKEN = lazy_regex(rf"[{CJK}]|[^\W_{CJK}]+(?:['.][^\W_{CJK}]+)*|[^\w\s]")
_CONTENT_CJK = lazy_regex(f"[{HAN}{KATAKANA}]")
# Lists, contrasts, equations and joint actions: the order of both sides doesn't matter.
_SYMMETRIC_WORDS = frozenset(
    "and or nor plus with dan atau serta bersama dengan while whereas whilst but although manakala sementara sedangkan"
    " tetapi is are was were be been remains ialah adalah merupakan met meets joined bertemu versus vs"
    " と や か も の 和 与 與 及 跟 同 或 是 为 為 而 对 對 対 比 的 之 , ; : - / ( ) ・ 、 。 | \" '"
    " the a an its their his her of".split()
)
_JOINT_WORDS = frozenset("と 和 与 與 with dengan".split())
_LIST_WORDS = frozenset(", 、 and dan or atau と や 和 与 及".split())
_LONGEST_ITEM = 6
_LONGEST_NAME = 6
_LONGEST_PART = 30
_LONG_RUN = 4
_MAX_TOKENS = 400
_MAX_RUNS = 4000
_SHORTEST_CJK = 2

Token = tuple[str, int, int]


def check_swapped_parts(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report the first two parts that the aligned sentence has the other way round.

    Needs no list of names, so it works in every language, but only where the claim keeps the source's words: `left A
    for B`, `left B for A`.
    """
    claimed = _tokens(facts)
    for sentence in alignment.sentences:
        for first, second in _find_exchanged_parts(claimed, _tokens(sentence.facts)):
            mine, theirs = (facts.text[part[0][1] : part[-1][2]] for part in (first, second))
            return [facts_swapped(FindingKind.NAME, mine, theirs)]
    return []


def _tokens(facts: SentenceFacts) -> list[Token]:
    """Casefolded words, characters and signs of a sentence with their offsets."""
    tokens = [(match[0].casefold(), *match.span()) for match in _TOKEN.finditer(facts.text)]
    return tokens[:_MAX_TOKENS]


def _find_exchanged_parts(claimed: list[Token], sourced: list[Token]) -> Iterator[tuple[list[Token], list[Token]]]:
    """Pairs of parts X and Y: the claim has X M Y where the source has Y M X, with the same M."""
    mine, theirs = [token[0] for token in claimed], [token[0] for token in sourced]
    for at, other, length in islice(_common_runs(mine, theirs), _MAX_RUNS):
        before = _match_length_before(mine, at, theirs, other + length)
        after = _match_length_before(theirs, other, mine, at + length)
        if before and not after and length >= _LONG_RUN:
            after = _match_length_earlier(theirs[:other], mine[at + length :])
        if not before or not after:
            continue
        first, second = claimed[at - before : at], claimed[at + length : at + length + after]
        tails = (mine[at + length + after :][:1], theirs[other + length + before :][:1])
        if _order_matters(mine[at : at + length], tails) and _has_content(first) and _has_content(second):
            yield first, second


def _common_runs(mine: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int]]:
    """The common runs of both as (claim index, source index, length)."""
    places: dict[str, list[int]] = {}
    for number, token in enumerate(theirs):
        places.setdefault(token, []).append(number)
    for at, token in enumerate(mine):
        for other in places.get(token, ()):
            if at and other and mine[at - 1] == theirs[other - 1]:
                continue
            length = 1
            while (
                at + length < len(mine) and other + length < len(theirs) and mine[at + length] == theirs[other + length]
            ):
                length += 1
            yield at, other, length


def _match_length_before(first: list[str], end: int, second: list[str], start: int) -> int:
    """The longest run that ends before `end` in the first and starts at `start` in the second."""
    longest = min(end, len(second) - start, _LONGEST_PART)
    return next((size for size in range(longest, 0, -1) if first[end - size : end] == second[start : start + size]), 0)


def _match_length_earlier(earlier: list[str], mine: list[str]) -> int:
    """How many tokens at the start of `mine` occur together earlier in the source's sentence."""
    for size in range(min(len(mine), _LONGEST_NAME), 0, -1):
        if any(earlier[at : at + size] == mine[:size] for at in range(len(earlier) - size + 1)):
            return size
    return 0


def _order_matters(kept: list[str], tails: tuple[list[str], list[str]]) -> bool:
    """Whether the words between say who does what to whom."""
    if all(token in _SYMMETRIC_WORDS or not token.strip() for token in kept):
        return False
    if kept[-1] in _LIST_WORDS and len(kept) <= _LONGEST_ITEM:
        return False
    together = all(tail and tail[0] in _JOINT_WORDS for tail in tails)
    return not together


def _has_content(part: list[Token]) -> bool:
    """Whether it is a name or a noun rather than a particle. Figures are compared elsewhere."""
    words = [token[0] for token in part]
    if any(character.isdigit() for word in words for character in word):
        return False
    if _CONTENT_CJK.search(words[0]):
        return len(words) >= _SHORTEST_CJK and all(_CONTENT_CJK.match(word) for word in words)
    idle = stopwords("en") | stopwords("ms")
    return any(word not in idle and word not in _SYMMETRIC_WORDS and len(word) > 1 and word.isalpha() for word in words)
