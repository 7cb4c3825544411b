"""Finds two parts of a sentence that have changed places around words that stayed: `left A for B`, `left B for A`.

It needs no list of names, so it works in every language, but only where the claim keeps the source's words.
"""

from collections.abc import Iterator
from itertools import islice

from almanac.kit.lazy_regex import lazy_regex
from almanac.language.content_words import stopwords
from almanac.language.scripts import CJK, HAN, KATAKANA
from almanac.verify.alignment import Alignment
from almanac.verify.facts import Facts
from almanac.verify.model import Finding, FindingKind
from almanac.verify.reasons import swapped

_TOKEN = lazy_regex(rf"[{CJK}]|[^\W_{CJK}]+(?:['.][^\W_{CJK}]+)*|[^\w\s]")
_CONTENT_CJK = lazy_regex(f"[{HAN}{KATAKANA}]")
# Between these, nothing says who acts: a list, a contrast, an equation, something done together.
_EVEN = frozenset(
    "and or nor plus with dan atau serta bersama dengan while whereas whilst but although manakala sementara sedangkan"
    " tetapi is are was were be been remains ialah adalah merupakan met meets joined bertemu versus vs"
    " と や か も の 和 与 與 及 跟 同 或 是 为 為 而 对 對 対 比 的 之 , ; : - / ( ) ・ 、 。 | \" '"
    " the a an its their his her of".split()
)
_TOGETHER = frozenset("と 和 与 與 with dengan".split())
_LISTED = frozenset(", 、 and dan or atau と や 和 与 及".split())
_LONGEST_ITEM = 6
_LONGEST_NAME = 6
_LONGEST_PART = 30
_LONG = 4
_MOST_TOKENS = 400
_MOST_RUNS = 4000
_SHORTEST_CJK = 2

Token = tuple[str, int, int]


def check_exchanges(facts: Facts, alignment: Alignment) -> list[Finding]:
    """The first two parts of the claim that the sentence it comes from has the other way round."""
    said = _tokens(facts)
    for sentence in alignment.chosen:
        for one, two in _exchanged(said, _tokens(sentence.facts)):
            mine, theirs = (facts.text[part[0][1] : part[-1][2]] for part in (one, two))
            return [swapped(FindingKind.NAME, mine, theirs)]
    return []


def _tokens(facts: Facts) -> list[Token]:
    """The words, characters and signs of a sentence, in lower case, with their places."""
    found = [(match[0].casefold(), *match.span()) for match in _TOKEN.finditer(facts.text)]
    return found[:_MOST_TOKENS]


def _exchanged(said: list[Token], meant: list[Token]) -> Iterator[tuple[list[Token], list[Token]]]:
    """Pairs of parts X and Y: the claim has X M Y where the source has Y M X, with the same M."""
    mine, theirs = [token[0] for token in said], [token[0] for token in meant]
    for at, other, length in islice(_kept(mine, theirs), _MOST_RUNS):
        before = _run_back(mine, at, theirs, other + length)
        after = _run_back(theirs, other, mine, at + length)
        if before and not after and length >= _LONG:
            after = _run_before(theirs[:other], mine[at + length :])
        if not before or not after:
            continue
        one, two = said[at - before : at], said[at + length : at + length + after]
        tails = (mine[at + length + after :][:1], theirs[other + length + before :][:1])
        if _is_telling(mine[at : at + length], tails) and _has_content(one) and _has_content(two):
            yield one, two


def _kept(mine: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int]]:
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


def _run_back(one: list[str], end: int, two: list[str], start: int) -> int:
    """How many tokens before `end` in one are those from `start` on in two: the longest such part."""
    longest = min(end, len(two) - start, _LONGEST_PART)
    return next((size for size in range(longest, 0, -1) if one[end - size : end] == two[start : start + size]), 0)


def _run_before(earlier: list[str], mine: list[str]) -> int:
    """How many tokens at the beginning of mine stand together in what the source says earlier in its sentence."""
    for size in range(min(len(mine), _LONGEST_NAME), 0, -1):
        if any(earlier[at : at + size] == mine[:size] for at in range(len(earlier) - size + 1)):
            return size
    return 0


def _is_telling(kept: list[str], tails: tuple[list[str], list[str]]) -> bool:
    """Whether the words between say who did what to whom, so that the order matters."""
    if all(token in _EVEN or not token.strip() for token in kept):
        return False
    if kept[-1] in _LISTED and len(kept) <= _LONGEST_ITEM:
        return False
    together = all(tail and tail[0] in _TOGETHER for tail in tails)
    return not together


def _has_content(part: list[Token]) -> bool:
    """A name or a noun rather than a particle; figures are compared by their value elsewhere."""
    words = [token[0] for token in part]
    if any(character.isdigit() for word in words for character in word):
        return False
    if _CONTENT_CJK.search(words[0]):
        return len(words) >= _SHORTEST_CJK and all(_CONTENT_CJK.match(word) for word in words)
    idle = stopwords("en") | stopwords("ms")
    return any(word not in idle and word not in _EVEN and len(word) > 1 and word.isalpha() for word in words)
