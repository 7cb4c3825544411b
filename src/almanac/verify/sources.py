"""Sources prepared for checking: sentences with their facts and terms, and properties of the whole text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.detection import detect_language
from almanac.language.scripts import HAN, KATAKANA
from almanac.language.segmentation import split_sentences
from almanac.language.terms import stem, stopwords
from almanac.verify.dates.moments import DateContext, Moment
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts, read_facts
from almanac.verify.names.latin import capital_words, latin_words
from almanac.verify.normalization import normalize_text
from almanac.verify.quantities.quantity import Quantity
from almanac.verify.quotations import as_quoted
from almanac.verify.word_lists import read_lines

_RUN = lazy_regex(f"[{HAN}]+|[{KATAKANA}]+")
_MALAY = lazy_regex(r"^(?:meng|mem|men|me|peng|pem|pen|pe|ber|ter|di|ke|se)(?=\w{4})|(?<=\w{4})(?:kan|nya|an|i)$")

_CHINESE = lazy_regex("[的了是这那们为将从对说会个吗吧呢把被让给]")
CJK_LANGUAGES = frozenset({"ja", "zh"})
_MAX_SENTENCE_LENGTH = 2000
_SAME_LANGUAGE_WORDS = 0.6
_SAME_LANGUAGE_PAIRS = 0.5


@lru_cache(maxsize=4 * SENTENCE_CACHE_SIZE)  # also called for parts of sentences
def sentence_terms(sentence: str) -> frozenset[str]:
    """The terms of a normalized sentence or part of one. Cached."""
    return text_terms(sentence)


def text_terms(text: str) -> frozenset[str]:
    """The terms of a normalized text: stems of Latin words, pairs of Han characters and of katakana."""
    idle = stopwords("en") | stopwords("ms")
    terms = {stem_word(word.key) for word in latin_words(text) if word.key not in idle and len(word.key) > 1}
    for run in _RUN.findall(text):
        terms |= {run} if len(run) < 2 else {run[at : at + 2] for at in range(len(run) - 1)}
    return frozenset(terms)


@lru_cache(maxsize=8192)
def stem_word(word: str) -> str:
    """The stem of an English or Malay word: grew and growing, pengeluaran and mengeluarkan share one."""
    word = irregular_verbs().get(word, word)
    return _MALAY.sub("", _MALAY.sub("", word)) if _MALAY.match(word) else stem(word)


@cache
def irregular_verbs() -> Mapping[str, str]:
    """Base forms of irregular English verbs, by their other forms."""
    return {form: verb for verb, *forms in map(str.split, read_lines("irregular_verbs.txt")) for form in forms}


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a source with its offsets."""

    source: str
    number: int
    start: int
    end: int
    text: str
    language: str

    @cached_property
    def facts(self) -> SentenceFacts:
        return read_facts(self.text)

    @cached_property
    def folded_text(self) -> str:
        """The normalized text, casefolded."""
        return self.facts.text.casefold()

    @cached_property
    def date_context(self) -> DateContext:
        return DateContext.from_moments(self.facts.moments)

    @cached_property
    def terms(self) -> frozenset[str]:
        return text_terms(self.facts.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words in Latin letters, casefolded; parts of hyphenated words are words."""
        return self.facts.word_keys


@dataclass(frozen=True)
class SourceText:
    """A source with its id."""

    id: str
    text: str

    @cached_property
    def normalized(self) -> str:
        return normalize_text(self.text)

    @cached_property
    def casefolded(self) -> str:
        return self.normalized.casefold()

    @cached_property
    def language(self) -> str:
        return detect_language(self.text)

    @cached_property
    def sentences(self) -> tuple[SourceSentence, ...]:
        spans = [
            span
            for each in split_sentences(self.text, self.language)
            for span in _split_long_span(each.start, each.end)
        ]
        return tuple(
            SourceSentence(self.id, number, start, end, self.text[start:end], self.language)
            for number, (start, end) in enumerate(spans)
        )

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word.key for word in latin_words(self.normalized))

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """The words in capitals, casefolded."""
        return capital_words(latin_words(self.normalized))

    @cached_property
    def terms(self) -> frozenset[str]:
        return text_terms(self.normalized)

    @cached_property
    def quotable_text(self) -> str:
        """The text normalized for comparing quotations."""
        return as_quoted(self.text)


def _split_long_span(start: int, end: int) -> list[tuple[int, int]]:
    """Split a sentence without full stops into parts of limited length."""
    return [(at, min(end, at + _MAX_SENTENCE_LENGTH)) for at in range(start, end, _MAX_SENTENCE_LENGTH)]


def base_language(language: str) -> str:
    """Malay and Indonesian read each other's texts, so they count as one language."""
    return "ms" if language == "id" else language


def claim_language(text: str, sources: Sequence[SourceText]) -> str:
    """The language of a claim: that of a source sharing most of its words, else the detected one."""
    own = normalize_text(text)
    latin = frozenset(word.key for word in latin_words(own))
    for source in sources:
        shared = sentence_terms(own) & source.terms
        if (
            latin
            and len(latin & source.words) >= len(latin) * _SAME_LANGUAGE_WORDS
            and source.language not in CJK_LANGUAGES
        ):
            return source.language
        if (
            source.language in CJK_LANGUAGES
            and shared
            and len(shared) >= len(sentence_terms(own)) * _SAME_LANGUAGE_PAIRS
        ):
            return source.language
    own_language = detect_language(text)
    beside_japanese = any(source.language == "ja" for source in sources)
    # Text in kanji alone is detected as Chinese; beside a Japanese source, only with a character that Japanese lacks.
    return "ja" if own_language == "zh" and beside_japanese and not _CHINESE.search(own) else own_language


def collect_moments(chosen: Iterable[SourceSentence]) -> list[Moment]:
    """The moments of several sentences."""
    return [moment for sentence in chosen for moment in sentence.facts.moments]


def collect_quantities(chosen: Iterable[SourceSentence]) -> list[Quantity]:
    """The quantities of several sentences."""
    return [quantity for sentence in chosen for quantity in sentence.facts.quantities]
