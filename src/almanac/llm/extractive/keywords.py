"""Keywords: names and notions that come again and again, as the sources write them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log

from almanac.language.content_words import stopwords
from almanac.language.index_terms import stem
from almanac.llm.extractive.cjk_phrases import chinese_phrases, japanese_phrases
from almanac.llm.extractive.reading import Line, Reading, one_line, read_all
from almanac.llm.sources import Cited, Reference, Source

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")
_BETWEEN = re.compile(r"\s+")
_IDLE_WORDS = frozenset(
    "percent cent per million billion trillion year years month months week weeks day days time times people number "
    "rose fell grew increased decreased reported announced expected including current recent total early late high low "
    "higher lower large small good great part place end start used based need needs work works state level levels rate "
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday peratus juta bilion tahun bulan hari minggu ribu ringgit jumlah kali pihak "
    "januari februari mac april mei jun julai ogos september oktober november disember isnin selasa rabu khamis jumaat "
    "sabtu ahad encik datuk seri tan sri dato puan tuan memberitahu ketika demikian khususnya".split()
)
_VERBAL = re.compile(r"(?:ly|ed|ing)$|^(?:me[mnl]|ber|di|ter)\w{4,}(?:kan|i)?$")
_MOST_REFERENCES = 3
_NAME_BONUS, _TITLE_BONUS, _PHRASE_BONUS = 1.5, 1.8, 1.7


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
    ordered = sorted(weights, key=lambda phrase: (-weights[phrase], phrase))
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
    holding: list[Line] = [line for reading in readings for line in reading.lines if phrase in line.text]
    if not holding:
        return None
    references = tuple(Reference(source=line.source, sentence=line.index) for line in holding[:_MOST_REFERENCES])
    return Cited(text=phrase, references=references)


def _latin_phrases(readings: Sequence[Reading]) -> dict[str, float]:
    """Words and pairs without verbs and function words, by how often they come; names and the title weigh more."""
    idle = stopwords(readings[0].language) | _IDLE_WORDS
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text in _texts(readings):
        for phrase in _phrases(text, idle):
            forms[_key(phrase)][phrase] += 1
    title = _key(_title(readings))
    weights: dict[str, float] = {}
    for key, shapes in forms.items():
        form, total = min(shapes, key=lambda shape: (-shapes[shape], shape)), shapes.total()
        is_name = all(part[0].isupper() for part in form.split())
        if total < 2 and not (is_name and " " in form) and key not in title:
            continue
        weight = log(1 + total) * (_PHRASE_BONUS if " " in form else 1.0)
        weights[form] = weight * (_NAME_BONUS if is_name else 1.0) * (_TITLE_BONUS if key in title else 1.0)
    return weights


def _key(phrase: str) -> str:
    return " ".join(stem(word.casefold()) for word in phrase.split())


def _phrases(text: str, idle: frozenset[str]) -> Iterator[str]:
    """Every content word, every pair of neighbours, and every run of capitalised words up to four."""
    words = list(_WORD.finditer(text))
    usable = [_is_notion(match[0], idle, opens=match.start() == 0) for match in words]
    for i, match in enumerate(words):
        if not usable[i]:
            continue
        yield match[0]
        for last in range(i + 1, min(i + 4, len(words))):
            joined = _BETWEEN.fullmatch(text, words[last - 1].end(), words[last].start())
            if not joined or not usable[last]:
                break
            named = all(words[k][0][0].isupper() for k in range(i, last + 1))
            mixed = words[i][0][0].isupper() != words[last][0][0].isupper()
            if named or (last == i + 1 and not mixed):
                yield text[match.start() : words[last].end()]


def _is_notion(word: str, idle: frozenset[str], *, opens: bool) -> bool:
    folded = word.casefold().removesuffix("'s").removesuffix("’s")
    if len(word) < 3 or folded in idle or folded != word.casefold():
        return False
    return (word[0].isupper() and not opens) or not _VERBAL.search(folded)
