"""Japanese noun phrases: the nouns before a particle."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.verify.word_lists import read_words
from almanac.verify.words.content import text_keys
from almanac.verify.words.japanese import word_keys
from almanac.verify.words.morphemes import Morpheme

_NOUN_KINDS = frozenset({"名詞", "接頭辞", "接尾辞", "代名詞", "連体詞", "形状詞", "記号"})
_JOINS = frozenset({"の", "と", "や", "な", "だ", "・", "|", "「", "」", "『", "』"})
_BREAKS = frozenset({"、", "。"})
NEGATIVE_PREFIXES = frozenset("不非未無")
_PROPER = "固有名詞"


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Nouns that belong together.

    `head_keys` are the keys of the last noun, `names` the proper nouns; `clause_start` is where its clause starts.
    """

    start: int
    end: int
    text: str
    keys: frozenset[str]
    head_keys: frozenset[str]
    names: frozenset[str]
    clause_start: int

    def may_be(self, other: "NounPhrase") -> bool:
        """Whether both may mean the same: a name, a noun or a more general one, or one in the other."""
        if not other.head_keys or self.text.startswith(("同", "両")) or other.text.startswith(("同", "両")):
            return True
        if self.text in other.text or other.text in self.text:
            return True
        if self.names and other.names:
            listed = frozenset(key for key in self.head_keys & other.head_keys if key.startswith("sudachi:"))
            return bool(self.names & other.names or listed)
        return bool(self.head_keys & (other.head_keys | text_keys(other.text, "ja")))


def noun_phrase_before(morphemes: Sequence[Morpheme], at: int) -> NounPhrase | None:
    """The noun phrase that ends right before a morpheme; None without a noun."""
    start = at
    while start and _belongs(morphemes, start - 1):
        start -= 1
    while start < at and morphemes[start].form in _JOINS:
        start += 1
    nouns = [place for place in range(start, at) if morphemes[place].kind in {"名詞", "代名詞"}]
    if not nouns:
        return None
    clause = start
    while clause and morphemes[clause - 1].surface not in _BREAKS and morphemes[clause - 1].form not in {"は", "が"}:
        clause -= 1
    return NounPhrase(
        morphemes[start].start,
        morphemes[at - 1].end,
        "".join(each.surface for each in morphemes[start:at]),
        frozenset[str]().union(*(noun_keys(morphemes, place) for place in nouns)),
        noun_keys(morphemes, nouns[-1]),
        frozenset(morphemes[place].surface for place in nouns if _PROPER in morphemes[place].kinds),
        morphemes[clause].start,
    )


def noun_keys(morphemes: Sequence[Morpheme], at: int) -> frozenset[str]:
    """The keys of a noun and its parts; 不支持率 and 支持しない don't share those of 支持率. Empty for fillers."""
    noun = morphemes[at]
    if noun.form in read_words("fillers_ja.txt"):
        return frozenset()
    denied = at > 0 and morphemes[at - 1].kind == "接頭辞" and morphemes[at - 1].form in NEGATIVE_PREFIXES
    denied = denied or any(part.kind == "接頭辞" and part.form in NEGATIVE_PREFIXES for part in noun.parts)
    denied = denied or _is_denied_deed(morphemes, at)
    parts = [part for part in noun.parts if part.kind in {"名詞", "代名詞"}]
    keys = frozenset[str]().union(*(word_keys(each) for each in (noun, *parts)))
    return frozenset(f"不:{key}" for key in keys) if denied else keys


def _is_denied_deed(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether しない or できない follows a noun; しなければならない denies twice."""
    after = [each.form for each in morphemes[at + 1 : at + 8]]
    return after[:1] in (["為る"], ["出来る"]) and sum(form in {"ない", "ず"} for form in after) % 2 == 1


def _belongs(morphemes: Sequence[Morpheme], at: int) -> bool:
    """Whether a morpheme is part of the phrase that goes on after it."""
    each = morphemes[at]
    return each.kind in _NOUN_KINDS or each.form in _JOINS
