"""Finds negations that were added or dropped, and words that may express a negation in another language."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN
from almanac.language.terms import stopwords
from almanac.verify.alignment import Alignment, coverage_for_language
from almanac.verify.facts import SentenceFacts
from almanac.verify.names.latin import latin_words
from almanac.verify.sources import stem_word

NEGATION_WORDS = frozenset(
    "not no never neither nor cannot without none tidak bukan tak belum tiada jangan tanpa".split()
)
_NEGATION_ZH = lazy_regex("不(?![仅过断同少足到久管变])|没有?|未(?![来])|并非|无法|沒有?")
# `not change` may be translated without a negation, so it isn't certain.
_PLAINLY = lazy_regex(r"(?i)\b(?:not|never|cannot|tidak|bukan|tak|belum|jangan)\b(?! (?:change|berubah))|n't\b")
_PLAINLY_ZH = lazy_regex("不[会會能得可必需是]|没有|沒有|并非|未能|无法")
_PLAINLY_JA = lazy_regex("(?<!変わら)(?<!変わり)(?:ない|なかった|ません)")
_PERHAPS_LATIN = lazy_regex(
    r"(?i)n't\b|\b(?:not?|n(?:ever|either|or|one|obody|othing)|cannot|without|un\w{4,}|fail\w*|refus\w*|reject\w*|lack\w*"
    r"|stop\w*|cuts?|lo(?:se|ses|st|sing)|end(?:s|ed)?"
    r"|bann?\w*|den(?:y|ies|ied)|avoid\w*|only|hardly|few|little|instead|until|exempt\w*|prevent\w*"
    r"|cancel\w*|suspend\w*|except|rather|too|\w{3,}less|tidak|bukan|tak|belum|tiada|jangan|tanpa|gagal|enggan|\w*tolak\w*"
    r"|\w*larang\w*|\w*henti\w*|\w*elak\w*|hanya|kecuali|\w*batal\w*|hingga|\w*ragu\w*)\b"
)
_PERHAPS_CJK = lazy_regex(
    "[不没沒未无無非免停禁拒缺欠只仅僅尚]|存疑|取消|中止|ない|なかった|なく|なけれ|ませ|だけ|のみ|まで|以外"
)
_LATIN_LETTER = lazy_regex("[A-Za-z]")


def find_plain_negation(text: str, language: str) -> re.Match[str] | None:
    """The first certain negation in the language of a claim; None without one."""
    pattern = {"ja": _PLAINLY_JA, "zh": _PLAINLY_ZH}.get(language, _PLAINLY)
    return pattern.search(text)


def may_be_negative(text: str) -> bool:
    """Whether a sentence has any word that a translation might express with a negation."""
    return bool(_PERHAPS_CJK.search(text)) or (bool(_LATIN_LETTER.search(text)) and bool(_PERHAPS_LATIN.search(text)))


def _adds_negation(text: str, sources: Iterable[str]) -> bool:
    """Whether a text has a possible negation that isn't just a word of the sources, such as `cancelled`."""
    negations = [match[0].casefold() for pattern in (_PERHAPS_CJK, _PERHAPS_LATIN) for match in pattern.finditer(text)]
    source_text = " ".join(sources).casefold()
    return any(word in NEGATION_WORDS or len(word) == 1 or word not in source_text for word in negations)


# Verbs that say without a negation that something isn't there, or isn't done.
_DEPRIVING = frozenset(
    "cut cuts cutting lose loses lost losing lack lacks lacked lacking fail fails failed failing refuse refuses refused"
    " deny denies denied stop stops stopped end ends ended halt halts halted ban bans banned bar bars barred"
    " reject rejects rejected miss misses missed missing unable avoid avoids avoided prevent prevents prevented"
    " ineligible excluded exempt cancelled canceled abandoned dropped scrapped".split()
)
_DENIAL_COVERAGE = 0.8
_REACH = 2
_PASSING = frozenset(
    "be been being is are was were do does did has have had will would can could may might must shall should yet any"
    " the a an to of ever so far been telah sudah lagi akan pernah dapat boleh ada pun yang lagi pernah".split()
)
# After `not only` or `no later than`, what follows isn't negated.
_BOUND = frozenset(
    "only just merely until till unless more less fewer later earlier longer sooner matter doubt exception"
    " hanya sahaja kurang lebih lewat mustahil".split()
)
_DENIED_ZH = lazy_regex(
    f"(?:尚未|从未|并未|未能|未|没有|沒有|并非|无法|不[会能得予再])(?:任何|人员|得到|被|有)?(?P<word>[{HAN}]{{2}})"
)
_NOT_ZH = lazy_regex("[不没沒未无無非免拒否尚]有?")


@dataclass(frozen=True, slots=True)
class _NegatedWords:
    """The words that a text negates, and a test whether it affirms a word."""

    denied: frozenset[str]
    text: str
    affirms: Callable[[str], bool]


def find_denial_mismatch(facts: SentenceFacts, alignment: Alignment, language: str) -> tuple[str, str] | None:
    """A word negated on one side and only affirmed on the other, where the claim keeps most of the source's words."""
    if max(coverage_for_language(facts, alignment, language), alignment.best_coverage) < _DENIAL_COVERAGE:
        return None
    read = _chinese_negations if language == "zh" else _latin_negations
    claimed = read(facts.text)
    sourced = [read(sentence.facts.text) for sentence in alignment.sentences]
    return _find_added_denial(claimed, sourced) or _find_dropped_denial(claimed, sourced)


def _find_added_denial(claimed: _NegatedWords, sourced: Sequence[_NegatedWords]) -> tuple[str, str] | None:
    for word in sorted(claimed.denied):
        homes = [each for each in sourced if each.affirms(word)]
        if homes and not any(may_be_negative(each.text) for each in sourced):
            return claimed.text, homes[0].text
    return None


def _find_dropped_denial(claimed: _NegatedWords, sourced: Sequence[_NegatedWords]) -> tuple[str, str] | None:
    if _adds_negation(claimed.text, (each.text for each in sourced)):
        return None
    for each in sourced:
        for word in sorted(each.denied):
            if claimed.affirms(word) and not any(other.affirms(word) for other in sourced):
                return claimed.text, each.text
    return None


def _latin_negations(text: str) -> _NegatedWords:
    words = [word.key for word in latin_words(text)]
    places = set(_negated_positions(words))
    roots = [stem_word(word) for word in words]
    return _NegatedWords(
        frozenset(roots[place] for place in places),
        text,
        lambda word: any(each == word and place not in places for place, each in enumerate(roots)),
    )


def _negated_positions(words: Sequence[str]) -> Iterator[int]:
    """The first content word after each negation, past auxiliaries and articles."""
    for at, word in enumerate(words):
        if word not in NEGATION_WORDS and not word.endswith("n't"):
            continue
        after = [place for place in range(at + 1, len(words)) if words[place] not in _PASSING][:1]
        for place in after:
            is_content_word = words[place] not in _BOUND and words[place] not in stopwords("en") | stopwords("ms")
            if is_content_word and place - at <= _REACH + 1:
                yield place


def _chinese_negations(text: str) -> _NegatedWords:
    spans = [match.span("word") for match in _DENIED_ZH.finditer(text)]
    return _NegatedWords(
        frozenset(text[start:end] for start, end in spans),
        text,
        lambda word: any(
            text.startswith(word, at)
            and (at, at + len(word)) not in spans
            and not _NOT_ZH.search(text[max(0, at - 6) : at])
            for at in range(len(text))
        ),
    )


_AUXILIARY = frozenset(
    "do does did will would has have had is are was were be been can could the a an to any telah sudah akan"
    " masih".split()
)
LONGEST_NEGATION = 7


def find_negation(claimed: str, sourced: str, language: str) -> tuple[str, str] | None:
    """The words around a negation that only one of two nearly equal sentences has, as (claim, source)."""
    return _find_chinese_negation(claimed, sourced) if language == "zh" else _find_latin_negation(claimed, sourced)


def _split_words(text: str) -> list[str]:
    return [word for key in (word.key for word in latin_words(text)) for word in (_split_contraction(key))]


def _split_contraction(key: str) -> list[str]:
    """`didn't` is two words."""
    return [key.removesuffix("n't"), "not"] if key.endswith("n't") else [key]


def _find_latin_negation(claimed: str, sourced: str) -> tuple[str, str] | None:
    claimed_words, sourced_words = _split_words(claimed), _split_words(sourced)
    counts = _count_negations(claimed_words), _count_negations(sourced_words)
    if counts[0] == counts[1]:
        return None  # `no nurses were` for `the nurses were not`
    fewer, more = (claimed_words, sourced_words) if counts[0] < counts[1] else (sourced_words, claimed_words)
    if _DEPRIVING & {*fewer} - {*more}:
        return None  # `cuts power to` for `leaves without power`
    matcher = SequenceMatcher(
        None, [stem_word(word) for word in claimed_words], [stem_word(word) for word in sourced_words], autojunk=False
    )
    for tag, start, end, begin, stop in matcher.get_opcodes():
        if tag == "equal":
            continue
        ours, theirs = claimed_words[start:end], sourced_words[begin:stop]
        if (_count_negations(ours) - _count_negations(theirs)) % 2 and _content_stems(ours) == _content_stems(theirs):
            return _excerpt(claimed_words, start, end), _excerpt(sourced_words, begin, stop)
    return None


def _count_negations(words: list[str]) -> int:
    return sum(word in NEGATION_WORDS for word in words)


def _content_stems(words: list[str]) -> set[str]:
    return {stem_word(word) for word in words if word not in NEGATION_WORDS and word not in _AUXILIARY}


def _excerpt(words: list[str], start: int, end: int) -> str:
    return " ".join(words[max(0, start - 1) : end + 2])


def _find_chinese_negation(claimed: str, sourced: str) -> tuple[str, str] | None:
    pattern = _NEGATION_ZH
    if len(pattern.findall(claimed)) == len(pattern.findall(sourced)):
        return None
    for tag, start, end, begin, stop in SequenceMatcher(None, claimed, sourced, autojunk=False).get_opcodes()[1:-1]:
        ours, theirs = claimed[max(0, start - 1) : end + 2], sourced[max(0, begin - 1) : stop + 2]
        small = end - start <= LONGEST_NEGATION and stop - begin <= LONGEST_NEGATION
        if tag != "equal" and small and bool(pattern.search(ours)) != bool(pattern.search(theirs)):
            return ours, theirs
    return None
