"""Mentions of names and codes with their neighbouring tokens, which tell a subject from an object."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import CJK
from almanac.verify.facts import SentenceFacts
from almanac.verify.names.han import end_of_role
from almanac.verify.names.latin import matches_word
from almanac.verify.word_lists import read_words

_RELATION = lazy_regex(
    r"(?i)\b(?:in|at|on|of|from|to|for|near|with|than|into|via|told|tells|di|ke|dari|daripada|kepada|bagi|untuk|dengan"
    r"|dalam|memberitahu)(?: the)? $"
)
_NUMBERED = lazy_regex("(?<=第)[0-9]{2,}(?=[号號])")
_FAMILY = 2


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name or a code, its distinctive parts and its neighbouring tokens."""

    start: int
    end: int
    text: str
    keys: frozenset[str]
    neighbours: frozenset[str]
    is_subject: bool = True

    def is_same_name(self, other: "NameMention") -> bool:
        """Whether both may be the same name: a shared word, or one a short form of the other."""
        mine, theirs = self.distinctive_keys, other.distinctive_keys
        if mine & theirs:
            return True
        if self.text.isascii() or other.text.isascii():
            return any(matches_word(key, theirs) for key in mine if len(key) > 1)
        return any(
            own_key in other_key or other_key in own_key or own_key[:_FAMILY] == other_key[:_FAMILY]
            for own_key in self.keys
            for other_key in other.keys
        )

    @property
    def distinctive_keys(self) -> frozenset[str]:
        """Its keys without generic ones such as `island` or `bank`, if any are left."""
        return self.keys - read_words("institutional.txt") or self.keys


def collect_han_cores(texts: Iterable[SentenceFacts], language: str) -> frozenset[str]:
    """The names in Han characters or kana that any of these sentences shows."""
    if language not in {"ja", "zh"}:
        return frozenset()
    cores = (name.core for facts in texts for name in facts.han_names(language))
    return frozenset(core for core in cores if len(core) > 1)


def find_name_mentions(facts: SentenceFacts, cores: frozenset[str]) -> list[NameMention]:
    """The names of a sentence in order; of those in Han characters, the given `cores`."""
    text = facts.text
    mentions = [
        NameMention(
            name.start,
            name.end,
            name.written(text),
            name.keys,
            adjacent_tokens(text, name.start, name.end),
            not _RELATION.search(text, max(0, name.start - 16), name.start)
            and not text.startswith(("'s", "'"), name.end),
        )
        for name in facts.latin_names
    ]
    for core in sorted(cores):
        for match in re.finditer(re.escape(core), facts.masked_text):
            start, end = match.span()
            mentions.append(
                NameMention(start, end, core, frozenset({core}), adjacent_tokens(text, start, end_of_role(text, end)))
            )
    return sorted(mentions, key=lambda name: name.start)


def find_code_mentions(facts: SentenceFacts) -> list[NameMention]:
    """Invoice numbers and similar codes, which own a figure as names do."""
    numbered = [match.span() for match in _NUMBERED.finditer(facts.text)]
    return [
        NameMention(
            start,
            end,
            facts.text[start:end],
            frozenset({facts.text[start:end].casefold()}),
            adjacent_tokens(facts.text, start, end),
        )
        for start, end in [*((code.start, code.end) for code in facts.codes), *numbered]
    ]


TOKEN = lazy_regex(rf"[{CJK}]|[^\W_{CJK}]+")
_REACH = 60
_IDLE = frozenset({"and", "dan", "と", "和", "与", "the", "、"})
# Adverbs and auxiliaries between subject and verb that don't change the meaning.
_PASSING = frozenset(
    "also then later now too has have had will would pula juga turut telah akan 则 也 又 还 都 已 将".split()
)


def adjacent_tokens(text: str, start: int, end: int) -> frozenset[str]:
    """The tokens before (`<`) and after (`>`); words for and are skipped."""
    before = next(
        (token for token in reversed(_tokens(text[max(0, start - _REACH) : start])) if token not in _PASSING), ""
    )
    after = next((token for token in _tokens(text[end : end + _REACH]) if token not in _PASSING), "")
    return frozenset(sign + token for sign, token in (("<", before), (">", after)) if token and token not in _IDLE)


def _tokens(text: str) -> list[str]:
    return [match[0].casefold() for match in TOKEN.finditer(text)]
