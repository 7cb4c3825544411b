"""Finds facts that have changed places: each is in the source, but beside the words of the other."""

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
    """Pairs of figures or names of the claim that the source has the other way round."""
    if len(facts.measured) > _MAX_FACTS:
        return []
    findings = _find_swapped_quantities(facts, alignment)
    return findings or _find_swapped_moments(facts, alignment) or _find_swapped_names(facts, alignment, language)


def _find_swapped_quantities(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    said = [(each, _context_words(facts, each.start, each.end)) for each in facts.quantities]
    meant = [
        (each, _context_words(sentence.facts, each.start, each.end))
        for sentence in alignment.sentences
        for each in sentence.facts.quantities
    ]
    for (one, near_one), (two, near_two) in combinations(said, 2):
        if one.values == two.values or one.kind is not two.kind or _is_list(facts, one, two):
            continue
        ones = [around for each, around in meant if quantities_match(one, each)]
        twos = [around for each, around in meant if quantities_match(two, each)]
        if _fits_crosswise(near_one, near_two, ones, twos):
            return [facts_swapped(one.kind, one.text, two.text)]
    return []


def _is_list(facts: SentenceFacts, one: Quantity, two: Quantity) -> bool:
    """`2.1 and 0.4 million`: side by side, nothing says which belongs to what."""
    return bool(_LISTED.fullmatch(facts.text[one.end : two.start]))


def _find_swapped_moments(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    said = [(each, _context_words(facts, each.start, each.end)) for each in facts.moments]
    meant = [
        (each, _context_words(sentence.facts, each.start, each.end))
        for sentence in alignment.sentences
        for each in sentence.facts.moments
    ]
    around = DateContext.from_moments(each for each, _ in meant)
    for (one, near_one), (two, near_two) in combinations(said, 2):
        if one.kind is not two.kind or moments_match(one, two, NO_DATE_CONTEXT):
            continue
        ones = [place for each, place in meant if moments_match(one, each, around)]
        twos = [place for each, place in meant if moments_match(two, each, around)]
        if _fits_crosswise(near_one, near_two, ones, twos):
            return [facts_swapped(FindingKind.DATE, one.text, two.text)]
    return []


def _find_swapped_names(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    cores = collect_han_cores([facts, *(sentence.facts for sentence in alignment.sentences)], language)
    said = find_name_mentions(facts, cores)
    for sentence in alignment.sentences:
        meant = find_name_mentions(sentence.facts, cores)
        for one, two in combinations(said, 2):
            mine, theirs = one.keys - two.keys, two.keys - one.keys  # a shared role such as Coach tells nothing
            ones = [place for place in meant if place.keys & mine and not place.keys & theirs]
            twos = [place for place in meant if place.keys & theirs and not place.keys & mine]
            if not ones or not twos:
                continue
            crossed = _fits_crosswise(
                one.neighbours,
                two.neighbours,
                [place.neighbours for place in ones],
                [place.neighbours for place in twos],
            )
            if crossed or _is_reversed_action((facts.text, one, two), (sentence.facts.text, ones, twos), language):
                return [facts_swapped(FindingKind.NAME, one.text, two.text)]
    return []


def _is_reversed_action(
    said: tuple[str, NameMention, NameMention],
    meant: tuple[str, Sequence[NameMention], Sequence[NameMention]],
    language: str,
) -> bool:
    """`A praised B` and `B praised A`: the same deed between the same names in the other order, in the active voice."""
    text, one, two = said
    source, ones, twos = meant
    between = text[one.end : two.start]
    deed = sentence_terms(between) - _MUTUAL_ACTIONS
    if (
        language == "ja"
        or not deed
        or _BREAK.search(between)
        or _PASSIVE.search(between)
        or len(TOKEN.findall(between)) > _LONGEST_ACTION
    ):
        return False
    turned = [source[other.end : mine.start] for other in twos for mine in ones if other.end <= mine.start]
    kept = [source[mine.end : other.start] for mine in ones for other in twos if mine.end <= other.start]
    if any(deed & sentence_terms(passage) for passage in kept):
        return False
    return any(deed <= sentence_terms(passage) and not _PASSIVE.search(passage) for passage in turned)


def _context_words(facts: SentenceFacts, start: int, end: int) -> frozenset[str]:
    """The words of the clause on both sides, up to the next fact, and the other sorts of facts within reach."""
    bare = facts.masked_text
    left = _last_part(bare[:start])
    right = _BREAK.split(bare[end:], maxsplit=1)[0]
    edges = {f"<{token}" for token in TOKEN.findall(left)[-1:]} | {f">{token}" for token in TOKEN.findall(right)[:1]}
    told = {token for token in TOKEN.findall((left + right).casefold()) if token in _ORDER_WORDS}
    return sentence_terms(left) | sentence_terms(right) | frozenset(edges | told)


def _last_part(text: str) -> str:
    return _BREAK.split(text)[-1]


def _fits_crosswise(
    near_one: frozenset[str], near_two: frozenset[str], ones: Sequence[frozenset[str]], twos: Sequence[frozenset[str]]
) -> bool:
    """Each fits the other's place better than its own, and by far."""
    rated = [_fit(near_one, near_two, one, two) for one in ones[:_MAX_PLACES] for two in twos[:_MAX_PLACES]]
    own, first, second = max(rated, default=(0, 0, 0))
    return first > 0 and second > 0 and first + second >= max(_CONVINCING, own + (_MARGIN if own else 0))


def _fit(
    near_one: frozenset[str], near_two: frozenset[str], one: frozenset[str], two: frozenset[str]
) -> tuple[int, int, int]:
    """How well two facts fit their own places and each other's, by what tells these places apart."""
    only_one, only_two = one - two, two - one
    own = len(near_one & only_one) + len(near_two & only_two)
    return own, len(near_one & only_two), len(near_two & only_one)


_TOKEN = lazy_regex(rf"[{CJK}]|[^\W_{CJK}]+(?:['.][^\W_{CJK}]+)*|[^\w\s]")
_CONTENT_CJK = lazy_regex(f"[{HAN}{KATAKANA}]")
# Between these, nothing says who acts: a list, a contrast, an equation, something done together.
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
    """The first two parts of the claim that the sentence it comes from has the other way round."""
    said = _tokens(facts)
    for sentence in alignment.sentences:
        for one, two in _find_exchanged_parts(said, _tokens(sentence.facts)):
            mine, theirs = (facts.text[part[0][1] : part[-1][2]] for part in (one, two))
            return [facts_swapped(FindingKind.NAME, mine, theirs)]
    return []


def _tokens(facts: SentenceFacts) -> list[Token]:
    """The words, characters and signs of a sentence, in lower case, with their places."""
    found = [(match[0].casefold(), *match.span()) for match in _TOKEN.finditer(facts.text)]
    return found[:_MAX_TOKENS]


def _find_exchanged_parts(said: list[Token], meant: list[Token]) -> Iterator[tuple[list[Token], list[Token]]]:
    """Pairs of parts X and Y: the claim has X M Y where the source has Y M X, with the same M."""
    mine, theirs = [token[0] for token in said], [token[0] for token in meant]
    for at, other, length in islice(_common_runs(mine, theirs), _MAX_RUNS):
        before = _match_length_before(mine, at, theirs, other + length)
        after = _match_length_before(theirs, other, mine, at + length)
        if before and not after and length >= _LONG_RUN:
            after = _match_length_earlier(theirs[:other], mine[at + length :])
        if not before or not after:
            continue
        one, two = said[at - before : at], said[at + length : at + length + after]
        tails = (mine[at + length + after :][:1], theirs[other + length + before :][:1])
        if _order_matters(mine[at : at + length], tails) and _has_content(one) and _has_content(two):
            yield one, two


def _common_runs(mine: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int]]:
    """The longest common runs of both, wherever they stand."""
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


def _match_length_before(one: list[str], end: int, two: list[str], start: int) -> int:
    """How many tokens before `end` in one are those from `start` on in two: the longest such part."""
    longest = min(end, len(two) - start, _LONGEST_PART)
    return next((size for size in range(longest, 0, -1) if one[end - size : end] == two[start : start + size]), 0)


def _match_length_earlier(earlier: list[str], mine: list[str]) -> int:
    """How many tokens at the beginning of mine stand together in what the source says earlier in its sentence."""
    for size in range(min(len(mine), _LONGEST_NAME), 0, -1):
        if any(earlier[at : at + size] == mine[:size] for at in range(len(earlier) - size + 1)):
            return size
    return 0


def _order_matters(kept: list[str], tails: tuple[list[str], list[str]]) -> bool:
    """Whether the words between say who did what to whom, so that the order matters."""
    if all(token in _SYMMETRIC_WORDS or not token.strip() for token in kept):
        return False
    if kept[-1] in _LIST_WORDS and len(kept) <= _LONGEST_ITEM:
        return False
    together = all(tail and tail[0] in _JOINT_WORDS for tail in tails)
    return not together


def _has_content(part: list[Token]) -> bool:
    """A name or a noun rather than a particle; figures are compared by their value elsewhere."""
    words = [token[0] for token in part]
    if any(character.isdigit() for word in words for character in word):
        return False
    if _CONTENT_CJK.search(words[0]):
        return len(words) >= _SHORTEST_CJK and all(_CONTENT_CJK.match(word) for word in words)
    idle = stopwords("en") | stopwords("ms")
    return any(word not in idle and word not in _SYMMETRIC_WORDS and len(word) > 1 and word.isalpha() for word in words)
