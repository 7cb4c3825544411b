"""Names and codes of a sentence and what stands right beside them: who acts has another place than whom it befalls."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from almanac.kit.lazy_regex import lazy_regex
from almanac.verify.facts import Facts
from almanac.verify.han_names import end_of_role
from almanac.verify.latin_names import is_known_word
from almanac.verify.neighbours import beside
from almanac.verify.vocabulary import words_of

_RELATION = lazy_regex(
    r"(?i)\b(?:in|at|on|of|from|to|for|near|with|than|into|via|told|tells|di|ke|dari|daripada|kepada|bagi|untuk|dengan"
    r"|dalam|memberitahu)(?: the)? $"
)
_NUMBERED = lazy_regex("(?<=第)[0-9]{2,}(?=[号號])")
_FAMILY = 2


@dataclass(frozen=True, slots=True)
class Named:
    """A name or a code, its telling parts and what stands right beside it."""

    start: int
    end: int
    text: str
    keys: frozenset[str]
    beside: frozenset[str]
    is_subject: bool = True

    def is_same(self, other: "Named") -> bool:
        """Whether both may be one: a shared word, or one the short form of the other."""
        mine, theirs = self.telling, other.telling
        if mine & theirs:
            return True
        if self.text.isascii() or other.text.isascii():
            return any(is_known_word(key, theirs) for key in mine if len(key) > 1)
        return any(
            one in two or two in one or one[:_FAMILY] == two[:_FAMILY] for one in self.keys for two in other.keys
        )

    @property
    def telling(self) -> frozenset[str]:
        """Its parts without `island` or `bank`, which many names share, if any is left."""
        return self.keys - words_of("institutional.txt") or self.keys


def cores_of(texts: Iterable[Facts], language: str) -> frozenset[str]:
    """What any of these sentences shows to be a name in Chinese characters or kana."""
    if language not in {"ja", "zh"}:
        return frozenset()
    found = (name.core for facts in texts for name in facts.han_names(language))
    return frozenset(core for core in found if len(core) > 1)


def names_in(facts: Facts, cores: frozenset[str]) -> list[Named]:
    """The names of a sentence in their order; in Chinese characters those that are known to be names."""
    text = facts.text
    found = [
        Named(
            name.start,
            name.end,
            name.written(text),
            name.keys,
            beside(text, name.start, name.end),
            not _RELATION.search(text, max(0, name.start - 16), name.start)
            and not text.startswith(("'s", "'"), name.end),
        )
        for name in facts.latin_names
    ]
    for core in sorted(cores):
        for match in re.finditer(re.escape(core), facts.bare):
            start, end = match.span()
            found.append(Named(start, end, core, frozenset({core}), beside(text, start, end_of_role(text, end))))
    return sorted(found, key=lambda name: name.start)


def codes_in(facts: Facts) -> list[Named]:
    """Invoice numbers and their like, which say what a figure belongs to as names do."""
    numbered = [match.span() for match in _NUMBERED.finditer(facts.text)]
    return [
        Named(
            start,
            end,
            facts.text[start:end],
            frozenset({facts.text[start:end].casefold()}),
            beside(facts.text, start, end),
        )
        for start, end in [*((code.start, code.end) for code in facts.codes), *numbered]
    ]
