"""Words that deny: those that surely turn a sentence round, and all that may say so in another language."""

import re
from collections.abc import Iterable, Iterator

from almanac.kit.lazy_regex import lazy_regex
from almanac.language.scripts import HAN

NOT = frozenset("not no never neither nor cannot without none tidak bukan tak belum tiada jangan tanpa".split())
NOT_ZH = lazy_regex("不(?![仅过断同少足到久管变])|没有?|未(?![来])|并非|无法|沒有?")
NOT_JA = lazy_regex("(?<!かもしれ)(?:ない|なかった)|(?<!かもしれ)ません|なく|なけれ|(?<![まわはせ必])ず(?=、|に|$)|ぬ")
# What stays as it was is told with a negation in one language and without in the next.
_PLAINLY = lazy_regex(r"(?i)\b(?:not|never|cannot|tidak|bukan|tak|belum|jangan)\b(?! (?:change|berubah))|n't\b")
_PLAINLY_ZH = lazy_regex("不[会會能得可必需是]|没有|沒有|并非|未能|无法")
_PLAINLY_JA = lazy_regex("(?<!変わら)(?<!変わり)(?:ない|なかった|ません)")
_PERHAPS_LATIN = lazy_regex(
    r"(?i)n't\b|\b(?:not?|n(?:ever|either|or|one|obody|othing)|cannot|without|un\w{4,}|fail\w*|refus\w*|reject\w*|lack\w*"
    r"|stop\w*|end(?:s|ed)?|bann?\w*|den(?:y|ies|ied)|avoid\w*|only|hardly|few|little|instead|until|exempt\w*|prevent\w*"
    r"|cancel\w*|suspend\w*|except|rather|too|\w{3,}less|tidak|bukan|tak|belum|tiada|jangan|tanpa|gagal|enggan|\w*tolak\w*"
    r"|\w*larang\w*|\w*henti\w*|\w*elak\w*|hanya|kecuali|\w*batal\w*|hingga)\b"
)
_PERHAPS_CJK = lazy_regex(
    "[不没沒未无無非免停禁拒缺欠只仅僅尚]|取消|中止|ない|なかった|なく|なけれ|ませ|だけ|のみ|まで|以外"
)
_VERB_JA = lazy_regex(
    rf"(?P<stem>[{HAN}][ぁ-ん]{{0,6}}?)(?<!かもしれ)(?<![少危])(?:ませ[んぬ](?!か[とどの。」])|ない(?!か[とどの。」])|なかった|なく|なけれ|(?<![は必])ず(?=[、に。]))"
)
_POLITE = (("てい", "てお"), ("し", "いたし"))
_LATIN_LETTER = lazy_regex("[A-Za-z]")


def plain_negation(text: str, language: str) -> re.Match[str] | None:
    """The first word that surely denies, in the language of a claim."""
    pattern = {"ja": _PLAINLY_JA, "zh": _PLAINLY_ZH}.get(language, _PLAINLY)
    return pattern.search(text)


def may_deny(text: str) -> bool:
    """Whether a sentence has anything that a translation might tell with a negation."""
    return bool(_PERHAPS_CJK.search(text)) or (bool(_LATIN_LETTER.search(text)) and bool(_PERHAPS_LATIN.search(text)))


def denies_anew(text: str, sources: Iterable[str]) -> bool:
    """Whether a text has a word that may deny and isn't only one, such as `cancelled`, that the sources have too."""
    found = [match[0].casefold() for pattern in (_PERHAPS_CJK, _PERHAPS_LATIN) for match in pattern.finditer(text)]
    there = " ".join(sources).casefold()
    return any(word in NOT or len(word) == 1 or word not in there for word in found)


def negated_stems(text: str) -> Iterator[str]:
    """The Japanese verbs that are negated, each as far as it is written the same without the negation."""
    return (match["stem"] for match in _VERB_JA.finditer(text))


def stands_affirmed(stem: str, text: str) -> bool:
    """Whether a text has this verb, in the same or in a more polite form; that it isn't negated there is known."""
    polite = [stem.removesuffix(plain) + other for plain, other in _POLITE if stem.endswith(plain)]
    return any(form in text for form in (stem, *polite))
