"""Finds a Japanese word in place of its opposite, by base forms: 与党 for 野党, 短い for 長い."""

from functools import cache

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.word_lists import read_lines
from almanac.verify.words.japanese import word_keys
from almanac.verify.words.morphemes import Morpheme, read_morphemes


def check_opposites(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a word that the closest sentence lacks and of which it has the opposite, unless the claim has both."""
    mine, theirs = _forms(facts.masked_text), _forms(alignment.best.facts.masked_text)
    keys = frozenset[str]().union(*(word_keys(each) for each in theirs.values()))
    for form, morpheme in mine.items():
        rivals = [rival for rival in _opposites().get(form, ()) if rival in theirs and rival not in mine]
        if rivals and form not in theirs and not word_keys(morpheme) & keys:
            return [uncertain_difference(morpheme.surface, theirs[rivals[0]].surface)]
    return []


def _forms(text: str) -> dict[str, Morpheme]:
    """The words and parts of compounds of a text, by base form."""
    return {each.form: each for morpheme in read_morphemes(text) for each in (*morpheme.parts, morpheme)}


@cache
def _opposites() -> dict[str, frozenset[str]]:
    opposites: dict[str, frozenset[str]] = {}
    for line in read_lines("opposites_ja.txt"):
        left, right = (frozenset(_base(word) for word in side.split("/")) for side in line.split())
        for words, others in ((left, right), (right, left)):
            for word in words:
                opposites[word] = opposites.get(word, frozenset()) | others
    return opposites


def _base(word: str) -> str:
    morphemes = read_morphemes(word)
    return morphemes[0].form if len(morphemes) == 1 else word
