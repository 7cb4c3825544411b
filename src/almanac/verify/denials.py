"""Finds what the claim denies and the source only affirms, or the other way round, by the word that is denied."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from almanac.kit.lazy_regex import lazy_regex
from almanac.language.content_words import stopwords
from almanac.language.scripts import HAN
from almanac.verify.alignment import Alignment, coverage_beside
from almanac.verify.facts import Facts
from almanac.verify.latin_names import latin_words
from almanac.verify.negations import NOT, denies_anew, may_deny, negated_stems
from almanac.verify.sources import root

_FAITHFUL = 0.8
_REACH = 2
_PASSING = frozenset(
    "be been being is are was were do does did has have had will would can could may might must shall should yet any"
    " the a an to of ever so far been telah sudah lagi akan pernah dapat boleh ada pun yang lagi pernah".split()
)
# `not only`, `no later than`: what follows is said all the same.
_BOUND = frozenset(
    "only just merely until till unless more less fewer later earlier longer sooner matter doubt exception"
    " hanya sahaja kurang lebih lewat mustahil".split()
)
_DENIED_ZH = lazy_regex(
    f"(?:尚未|从未|并未|未能|未|没有|沒有|并非|无法|不[会能得予再])(?:任何|人员|得到|被|有)?(?P<word>[{HAN}]{{2}})"
)
_INFLECTED = lazy_regex(f"[{HAN}](?=[ぁ-ん])")
_NOT_ZH = lazy_regex("[不没沒未无無非免拒否尚]有?")


@dataclass(frozen=True, slots=True)
class _Denials:
    """The words that a text denies, and how often it has each of them at all."""

    denied: frozenset[str]
    text: str
    affirms: Callable[[str], bool]


def denied_otherwise(facts: Facts, alignment: Alignment, language: str) -> tuple[str, str] | None:
    """A word denied on one side and only affirmed on the other, where the claim keeps nearly all the source's words."""
    if max(coverage_beside(facts, alignment, language), alignment.nearness) < _FAITHFUL:
        return None
    read = {"zh": _chinese, "ja": _japanese}.get(language, _latin)
    said = read(facts.text)
    meant = [read(sentence.facts.text) for sentence in alignment.chosen]
    return _put_in(said, meant, language) or _left_out(said, meant)


def _put_in(said: _Denials, meant: Sequence[_Denials], language: str) -> tuple[str, str] | None:
    """Japanese has a rule of its own, with the polite forms of its verbs."""
    if language == "ja":
        return None
    for word in sorted(said.denied):
        homes = [each for each in meant if each.affirms(word)]
        if homes and not any(may_deny(each.text) for each in meant):
            return said.text, homes[0].text
    return None


def _left_out(said: _Denials, meant: Sequence[_Denials]) -> tuple[str, str] | None:
    if denies_anew(said.text, (each.text for each in meant)):
        return None
    for each in meant:
        for word in sorted(each.denied):
            if said.affirms(word) and not any(other.affirms(word) for other in meant):
                return said.text, each.text
    return None


def _latin(text: str) -> _Denials:
    words = [word.key for word in latin_words(text)]
    places = set(_denied_places(words))
    roots = [root(word) for word in words]
    return _Denials(
        frozenset(roots[place] for place in places),
        text,
        lambda word: any(each == word and place not in places for place, each in enumerate(roots)),
    )


def _denied_places(words: Sequence[str]) -> Iterator[int]:
    """The first telling word after each negation; an auxiliary or an article may come between."""
    for at, word in enumerate(words):
        if word not in NOT and not word.endswith("n't"):
            continue
        after = [place for place in range(at + 1, len(words)) if words[place] not in _PASSING][:1]
        for place in after:
            told = words[place] not in _BOUND and words[place] not in stopwords("en") | stopwords("ms")
            if told and place - at <= _REACH + 1:
                yield place


def _chinese(text: str) -> _Denials:
    spans = [match.span("word") for match in _DENIED_ZH.finditer(text)]
    return _Denials(
        frozenset(text[start:end] for start, end in spans),
        text,
        lambda word: any(
            text.startswith(word, at)
            and (at, at + len(word)) not in spans
            and not _NOT_ZH.search(text[max(0, at - 6) : at])
            for at in range(len(text))
        ),
    )


def _japanese(text: str) -> _Denials:
    """By the last kanji of a verb: its kana change with the negation."""
    denied = frozenset(stem[0] for stem in negated_stems(text))
    inflected = frozenset(match[0] for match in _INFLECTED.finditer(text))
    return _Denials(denied, text, lambda word: word not in denied and word in inflected)
