"""Finds Japanese quantifiers that differ: 全員 where the source says 一部, or 一部 left out."""

from collections.abc import Sequence

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.japanese.phrases import noun_keys
from almanac.verify.words.morphemes import Morpheme, read_morphemes

_STRENGTHS = {
    "all": "全員 全て 全部 皆 全 各 あらゆる 毎 全会 満場 一切 総員 全面 全体 両方 双方 何れ 一律 どれ 両 完全 誰 ずつ",
    "most": "殆ど 大半 大部分 大多数 多く 過半数 大方 大抵 多数 半数以上",
    "some": "一部 幾つ 数人 若干 半数 半分 一部分 数名 何人",
    "few": "少数 僅か 極 ごく",
    "none": "皆無",
}
_STRENGTH_OF = {word: strength for strength, words in _STRENGTHS.items() for word in words.split()}
# Words that say nothing but how many.
_PLAIN = frozenset("全員 全て 全部 殆ど 大半 大部分 大多数 過半数 皆無 全会 満場 総員".split())
_PARTIAL = frozenset({"most", "some", "few"})
_REACH = 3


def check_quantifiers(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a quantifier of another strength for the same noun, and one that was left out."""
    claimed = read_morphemes(facts.masked_text)
    mine = _read(claimed)
    nouns = frozenset[str]().union(*(noun_keys(claimed, at) for at, each in enumerate(claimed) if each.kind == "名詞"))
    added = _find_added(claimed, mine, alignment)
    if added is not None:
        return [uncertain_difference(claimed[added].surface, alignment.best.text)]
    for sentence in alignment.sentences:
        sourced = read_morphemes(sentence.facts.masked_text)
        theirs = _read(sourced)
        strengths = {strength for strength, _ in theirs}
        for strength, at in mine:
            if theirs and strength not in strengths and not _is_figure_beside(claimed, at):
                return [uncertain_difference(claimed[at].surface, sourced[theirs[0][1]].surface)]
        for strength, at in theirs:
            left_out = strength in _PARTIAL and not mine and sentence is alignment.best and not facts.quantities
            if left_out and _quantified(sourced, at) & nouns:
                return [uncertain_difference(facts.text, _excerpt(sourced, at))]
    return []


def _find_added(claimed: Sequence[Morpheme], mine: list[tuple[str, int]], alignment: Alignment) -> int | None:
    """Where the claim says all, most or none and no aligned sentence says how many."""
    texts = [sentence.facts.masked_text for sentence in alignment.sentences]
    strengths = {strength for text in texts for strength, _ in _read(read_morphemes(text))}
    places = (at for strength, at in mine if strength in {"all", "most", "none"} and strength not in strengths)
    return next((at for at in places if claimed[at].kind in {"名詞", "副詞"} and claimed[at].form in _PLAIN), None)


def _read(morphemes: Sequence[Morpheme]) -> list[tuple[str, int]]:
    return [
        (_STRENGTH_OF[each.form], at)
        for at, each in enumerate(morphemes)
        if each.form in _STRENGTH_OF and not _is_amendment(morphemes, at)
    ]


def _is_amendment(morphemes: Sequence[Morpheme], at: int) -> bool:
    """A law of which a part is amended is called so: 法律の一部を改正する法律案."""
    return any(each.form == "改正" for each in morphemes[at + 1 : at + 3])


def _quantified(morphemes: Sequence[Morpheme], at: int) -> frozenset[str]:
    """The noun that is quantified: 一部の世帯, 世帯の一部."""
    after = range(at + 1, min(len(morphemes), at + 1 + _REACH))
    if len(after) > 1 and morphemes[after[0]].form == "の":
        place = next((each for each in after[1:] if morphemes[each].kind == "名詞"), None)
        return noun_keys(morphemes, place) if place is not None else frozenset()
    if at > 1 and morphemes[at - 1].form == "の" and morphemes[at - 2].kind == "名詞":
        return noun_keys(morphemes, at - 2)
    return frozenset()


def _is_figure_beside(morphemes: Sequence[Morpheme], at: int) -> bool:
    return any("|" in each.surface for each in morphemes[max(0, at - 1) : at + 2])


def _excerpt(morphemes: Sequence[Morpheme], at: int) -> str:
    return "".join(each.surface for each in morphemes[max(0, at - 2) : at + 4])
