"""Keywords: names and notions that come again and again, as the sources write them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log

from almanac.language.content_words import stopwords
from almanac.language.index_terms import stem
from almanac.llm.extractive.cjk_phrases import chinese_phrases, japanese_phrases
from almanac.llm.extractive.reading import Line, Reading, one_line, read_all
from almanac.llm.extractive.word_lists import word_list
from almanac.llm.sources import Cited, Reference, Source

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")
_BETWEEN = re.compile(r"\s+")
_IDLE_WORDS = word_list("idle_words")
_VERBAL = re.compile(r"(?:ly|ed|ing)$|^(?:me[mnl]|ber|di|ter)\w{4,}(?:kan|i)?$")
_CODE = re.compile(r"[^\W\d_]{1,3}\d[^\W_]*")
_MOST_REFERENCES = 3
_NAME_BONUS, _TITLE_BONUS, _PHRASE_BONUS = 1.5, 1.8, 1.5
_SHORTEST_NOTION, _LEAST_OF_A_WORD = 4, 3
# Words that come too seldom to be sure of are used only to make up a handful.
_THIN, _HANDFUL = 0.01, 5


def keywords(sources: Sequence[Source], count: int, *, language: str | None = None) -> tuple[Cited, ...]:
    """The weightiest words and phrases, each with the first sentences that hold it."""
    readings = read_all(sources, language)
    if not readings:
        return ()
    if readings[0].language in {"zh", "ja"}:
        weights = (chinese_phrases if readings[0].language == "zh" else japanese_phrases)(
            _texts(readings), _title(readings)
        )
    else:
        weights = _latin_phrases(readings)
    ordered = sorted((phrase for phrase in weights if weights[phrase]), key=lambda phrase: (-weights[phrase], phrase))
    firm = sum(weight > _HANDFUL * _THIN for weight in weights.values())
    ordered = ordered[: max(firm, _HANDFUL)]
    found = (_cited(phrase, readings) for phrase in _distinct(ordered))
    return tuple(cited for cited, _ in zip((c for c in found if c), range(count), strict=False))


def _texts(readings: Sequence[Reading]) -> list[str]:
    return [line.text for reading in readings for line in reading.lines]


def _title(readings: Sequence[Reading]) -> str:
    return " ".join(one_line(r.source.title) or (r.opening[1] if r.opening else "") for r in readings)


def _distinct(ordered: Sequence[str]) -> Iterator[str]:
    """Each phrase unless it is part of one before it, or holds one whole."""
    kept: list[str] = []
    for phrase in ordered:
        folded = f" {phrase.casefold()} " if phrase.isascii() else phrase.casefold()
        if any(folded.strip() in other or (other.strip() in folded and len(other) > 3) for other in kept):
            continue
        kept.append(folded)
        yield phrase


def _cited(phrase: str, readings: Sequence[Reading]) -> Cited | None:
    folded = phrase.casefold()
    holding: list[Line] = [line for reading in readings for line in reading.lines if folded in line.text.casefold()]
    if not holding:
        return None
    references = tuple(Reference(source=line.source, sentence=line.index) for line in holding[:_MOST_REFERENCES])
    return Cited(text=phrase, references=references)


def _latin_phrases(readings: Sequence[Reading]) -> dict[str, float]:
    """Words and pairs without verbs and function words, by how often they come; names and the title weigh more."""
    idle = stopwords(readings[0].language) | _IDLE_WORDS
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text in [*_texts(readings), _title(readings)]:
        for phrase in _phrases(text, idle):
            forms[_key(phrase)][phrase] += 1
    title = f" {_key(_title(readings))} "
    return {_shape(shapes): _weight(key, shapes, f" {key} " in title) for key, shapes in forms.items()}


def _shape(shapes: Counter[str]) -> str:
    """How the phrase is written: without the capital of a sentence's first word wherever it comes without one too."""
    return min(shapes, key=lambda shape: (sum(part[0].isupper() for part in shape.split()), -shapes[shape], shape))


def _weight(key: str, shapes: Counter[str], in_title: bool) -> float:
    form, total = _shape(shapes), shapes.total()
    is_name, parts = all(part[0].isupper() for part in form.split()), len(form.split())
    if len(key) < _SHORTEST_NOTION or (total < 2 and not is_name):
        return 0.0
    if parts == 1 and total + in_title < (2 if is_name else _LEAST_OF_A_WORD):
        return _THIN * total * (_NAME_BONUS if is_name else 1.0)
    weight = log(1 + total) * (1 + _PHRASE_BONUS * log(parts)) * (_NAME_BONUS if is_name else 1.0)
    return weight * (_TITLE_BONUS if in_title else 1.0)


def _key(phrase: str) -> str:
    return " ".join(stem(word.casefold()) for word in _WORD.findall(phrase))


def _phrases(text: str, idle: frozenset[str]) -> Iterator[str]:
    """Every content word, every pair of neighbours, and every run of capitalised words up to four."""
    words = list(_WORD.finditer(text))
    usable = [_is_notion(match[0], idle, opens=match.start() == 0) for match in words]
    for first, match in enumerate(words):
        if not usable[first]:
            continue
        yield match[0]
        for last in range(first + 1, min(first + 4, len(words))):
            if not usable[last] or not _BETWEEN.fullmatch(text, words[last - 1].end(), words[last].start()):
                break
            capitals = [part[0][0].isupper() for part in words[first : last + 1]]
            pair_of_notions = last == first + 1 and not any(capitals[1 if match.start() == 0 else 0 :])
            if all(capitals) or pair_of_notions:
                yield text[match.start() : words[last].end()]


def _is_notion(word: str, idle: frozenset[str], *, opens: bool) -> bool:
    folded = word.casefold().removesuffix("'s").removesuffix("’s")
    if len(word) < 3 or folded in idle or folded != word.casefold() or _CODE.fullmatch(word):
        return False
    return (word[0].isupper() and not opens) or not _VERBAL.search(folded)
