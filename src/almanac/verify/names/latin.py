"""Finds names in Latin letters: capitalized words, allowing for titles, initials, acronyms and demonyms."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.terms import stopwords
from almanac.verify.names.gazetteer import known_name_forms
from almanac.verify.word_lists import any_word_pattern, read_words

_WORD = lazy_regex(r"[A-Za-z\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f]|['.](?=[A-Za-z\u00c0-\u024f]))*")
_DOTTED = lazy_regex(r"[a-z](?:\.[a-z])+")
_PLAIN_ENDING = lazy_regex(
    r"(?i)(?:ers|ors|ists|ions?|ments?|ness|ings?|ly|ities|ies|ity|ed|als|ants|ents|ives|ures|ages|ance|ence|ship"
    r"|ism|ics|ists|nya|kan|annya)$|^(?:pe|me|ke|ber|ter|di|se)\w{3,}(?:an|kan|i)$|^(?:men|mem|ber|pen|pem)\w{5,}"
)
_OPENING = lazy_regex(r"(?:^|[.!?:;]\s|[\"'(\[|*]\s?)$")
_JOINERS = lazy_regex(r" (?:(?:bin|binti|bt|a/l|a/p|de|del|da|van|von|al|el|of|the|bagi|for) )?|-| al-")
_AFTER_INITIAL = lazy_regex(r"\.? ")
_DEMONYM = lazy_regex(r"(?:n|an|ian|ean|ese|s|i|ish|ers?|es|nya|m|can|ns|ians)")


@dataclass(frozen=True, slots=True)
class LatinWord:
    """A word in Latin letters and its place."""

    start: int
    end: int
    text: str
    starts_sentence: bool
    key: str

    @property
    def is_capital(self) -> bool:
        return self.text[0].isupper()


@dataclass(frozen=True, slots=True)
class LatinName:
    """A run of capitalized words. A single word at the start of a sentence isn't certain to be a name."""

    words: tuple[LatinWord, ...]
    is_certain: bool

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        return self.words[-1].end

    @property
    def keys(self) -> frozenset[str]:
        """Its distinctive words, without titles and generic words."""
        keys = [word.key for word in self.words]
        without_tan_sri = {
            key for key, after in zip(keys, [*keys[1:], ""], strict=True) if (key, after) != ("tan", "sri")
        }
        return frozenset(without_tan_sri - read_words("titles.txt") - read_words("generic_latin.txt"))

    def written(self, text: str) -> str:
        return text[self.start : self.end]


def latin_words(text: str) -> tuple[LatinWord, ...]:
    """The words in Latin letters of a normalized text; parts of hyphenated words are words."""
    return tuple(
        LatinWord(
            *match.span(),
            match[0],
            bool(_OPENING.search(text, max(0, match.start() - 3), match.start())),
            _word_key(match[0]),
        )
        for match in _WORD.finditer(text)
    )


@lru_cache(maxsize=8192)
def _word_key(word: str) -> str:
    """The word in lower case without possessive; an abbreviation such as U.S. without its dots."""
    key = word.casefold().removesuffix("'s").removesuffix("'").rstrip(".")
    return key.replace(".", "") if _DOTTED.fullmatch(key) else key


def is_title_case(text: str) -> bool:
    """Whether every longer word is capitalized, as in a headline; capitals don't show names there."""
    long = [word for word in latin_words(text) if len(word.text) > 3 and word.key not in stopwords("en")]
    return len(long) >= 4 and all(word.is_capital for word in long)


def find_latin_names(text: str) -> tuple[LatinName, ...]:
    """Find the names of a normalized text in which figures and dates are masked."""
    runs: list[list[LatinWord]] = []
    for word in latin_words(text):
        if not word.is_capital or (word.key in stopwords("en") and not word.text.isupper() and word.text != "New"):
            continue
        if runs and _belong_together(text, runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    names = [_build_name(text, run) for run in runs]
    return tuple(name for name in names if name is not None and name.keys)


def _belong_together(text: str, last: LatinWord, word: LatinWord) -> bool:
    between = _AFTER_INITIAL if len(last.text) == 1 or last.key in read_words("titles.txt") else _JOINERS
    return bool(between.fullmatch(text, last.end, word.start))


def _build_name(text: str, run: list[LatinWord]) -> LatinName | None:
    """A common first word of a sentence isn't part of the name after it: `Farmers Kedah`."""
    first = run[0]
    if first.starts_sentence and is_common_word(first.key) and first.key not in known_name_forms():
        run = run[1:]
        return LatinName(tuple(run), is_certain=True) if run else None
    if (
        len(run) > 1
        or not first.starts_sentence
        or first.key in known_name_forms()
        or (first.text.isupper() and len(first.text) > 1)
    ):
        return LatinName(tuple(run), is_certain=True)
    return LatinName(tuple(run), is_certain=bool(_action_pattern().match(text, first.end)))


@cache
def _action_pattern() -> re.Pattern[str]:
    """Verbs that usually have a person or company as subject: said, signed, berkata."""
    return re.compile(rf"(?i) (?:{any_word_pattern('deeds.txt')})\b")


@lru_cache(maxsize=8192)
def is_common_word(word: str) -> bool:
    """Whether a lowercase word is an everyday one, so that its capital at the start of a sentence means nothing."""
    idle = (
        word in stopwords("en")
        or word in stopwords("ms")
        or word in read_words("plain_words.txt")
        or word in read_words("generic_latin.txt")
    )
    return idle or bool(_PLAIN_ENDING.search(word))


def matches_word(key: str, words: frozenset[str]) -> bool:
    """Whether a name's word is among the source's words, as such, as a demonym or as an initial."""
    if key in words or len(key) == 1:
        return True
    if len(key) <= 3 and words.issuperset(key):
        return True  # `J.K.` where the source has `J. K.`
    if f"{key}s" in words or (key.endswith("s") and key[:-1] in words):
        return True
    if len(key) < 4:
        return False
    return any(
        (key.startswith(word) and _DEMONYM.fullmatch(key[len(word) :]))
        or (word.startswith(key) and _DEMONYM.fullmatch(word[len(key) :]))
        or (
            word[:4] == key[:4]
            and {_without_demonym_ending(word), _without_demonym_ending(key)} != {""}
            and _without_demonym_ending(word) == _without_demonym_ending(key)
        )
        for word in words
        if len(word) >= 4 and word[:4] == key[:4]
    )


def _without_demonym_ending(word: str) -> str:
    """`Japanese` and `Japan`, `Malaysian` and `Malaysia`; empty where there is no such ending."""
    match = re.fullmatch(r"(.{4,}?)(?:ese|ians?|eans?|ans?|ish|a|ia)", word)
    return match[1] if match else ""


def capital_words(words: Iterable[LatinWord]) -> frozenset[str]:
    """The words in capitals alone, which may be acronyms, casefolded."""
    return frozenset(word.key for word in words if len(word.text) > 1 and word.text.isupper())


def is_acronym_of(name: LatinName, acronyms: frozenset[str]) -> bool:
    """`International Monetary Fund` where the source has IMF."""
    initials = "".join(word.text[0] for word in name.words if word.is_capital).casefold()
    return len(initials) > 2 and initials in acronyms


def collect_acronyms(names: tuple[LatinName, ...]) -> frozenset[str]:
    """The acronyms of the names of a source."""
    made = ("".join(word.text[0] for word in name.words if word.is_capital).casefold() for name in names)
    return frozenset(acronym for acronym in made if len(acronym) > 1)
