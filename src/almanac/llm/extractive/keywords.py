"""Keywords: repeated names and phrases as the sources write them; for Chinese and Japanese without a dictionary."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log

from almanac.language.scripts import HAN, KATAKANA
from almanac.language.terms import stem, stopwords
from almanac.llm.extractive.cues import word_list
from almanac.llm.extractive.measures import join_lines
from almanac.llm.extractive.source_parser import ParsedSource, SourceLine, parse_sources
from almanac.llm.sources import Cited, Reference, StepSource

_JA_PART = rf"{HAN}{KATAKANA}A-Za-zＡ-Ｚａ-ｚ"
_JA_NOUN = re.compile(
    rf"(?<![\d{_JA_PART}])[{_JA_PART}]{{2,14}}(?=[はがをにでとのもへや、。，．」』）（・\s]|から|より|など|$)"
)
_JA_COMPOUND = 5
_FEW_LINES = 8
_JA_STARTS = frozenset("一二三四五六七八九十百千約同各両毎当翌第以未昨")
_JA_ENDS = frozenset("等的時分日月年円万億兆件割目間中比増減超約")
_HAN_RUN = re.compile(f"[{HAN}]+")
_ZH_LOOSE = frozenset(
    "的了是在和与及或而也都就还又很更最这那其之把被从但且却则若吗呢吧啊着们我你他她它您谁什么哪怎该此不没有以为对将向由并因所如等个"
    "一二三四五六七八九十两多少年月日时分万亿元名位家项次个到至于上下内前后里说称让给用去来能可要已约近达较同比增占座轮只艘头届份条件种张批笔月周首第"
    "與為對將從個們這過還說稱讓給來沒後裡時嗎麼幾於並應於萬億項達較"
)
_ZH_VERBS = re.compile(
    "下跌|上涨|增加|减少|下降|上升|提高|达到|超过|预计|表示|扩大|收窄|同比|环比|公布|回升|影响|结束|收跌|收涨|实现|获得|宣布|规定|要求|使用|成立|增长|维持|超出|分别|需要|必须|可以|包括|目前|增長|公佈"
)
_ZH_JOINTS = frozenset("的了和与及或是在與")
_ZH_LONGEST = 8
_IN_TITLE_BONUS = 1.6


def japanese_phrases(texts: Sequence[str], title: str) -> dict[str, float]:
    """Compounds of kanji, katakana and letters, weighted by frequency and length."""
    idle = stopwords("ja")
    counts = Counter(
        noun
        for text in [*texts, title]
        for noun in _JA_NOUN.findall(text)
        if noun not in idle and _is_japanese_noun(noun)
    )
    return {
        phrase: log(1 + count) * log(1 + min(len(phrase), 6)) * (_IN_TITLE_BONUS if phrase in title else 1.0)
        for phrase, count in counts.items()
        if count > 1 or len(phrase) >= (_JA_COMPOUND if len(texts) > _FEW_LINES else _JA_COMPOUND - 1)
    }


def _is_japanese_noun(phrase: str) -> bool:
    return phrase[0] not in _JA_STARTS and phrase[-1] not in _JA_ENDS and not phrase.isascii()


def chinese_phrases(texts: Sequence[str], title: str) -> dict[str, float]:
    """Repeated strings with varying neighbours on both sides, as words have and parts of words don't."""
    counts: Counter[str] = Counter()
    texts = [*texts, title]
    before: dict[str, set[str]] = defaultdict(set)
    after: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        for run in _HAN_RUN.finditer(text):
            for start, end in _grams(run[0]):
                gram = run[0][start:end]
                counts[gram] += 1
                at = run.start()
                before[gram].add(text[at + start - 1 : at + start] if at + start else "^")
                after[gram].add(text[at + end : at + end + 1])
    return _weigh_phrases(counts, before, after, title)


def _grams(run: str) -> list[tuple[int, int]]:
    firm = [character not in _ZH_LOOSE for character in run]
    return [
        (start, end)
        for start in range(len(run))
        if firm[start]
        for end in range(start + 2, min(start + _ZH_LONGEST, len(run)) + 1)
        if firm[end - 1] and _ZH_JOINTS.isdisjoint(run[start:end])
    ]


def _weigh_phrases(
    counts: Counter[str], before: dict[str, set[str]], after: dict[str, set[str]], title: str
) -> dict[str, float]:
    idle = [word for word in stopwords("zh") if len(word) > 1]
    repeated = {
        gram: count
        for gram, count in counts.items()
        if count > 1 and not _ZH_VERBS.search(gram) and not any(word in gram for word in idle)
    }
    parts = {part for gram, count in counts.items() for part in (gram[1:], gram[:-1]) if counts[part] == count}
    weights: dict[str, float] = {}
    for gram in repeated.keys() - parts:
        freedom = min(len(before[gram]), len(after[gram]))
        in_a_mixed_word = all(neighbour.isascii() and neighbour.isalnum() for neighbour in before[gram])
        if (freedom > 1 or gram in title) and not in_a_mixed_word:
            weight = log(1 + repeated[gram]) * log(1 + freedom) * log(1 + len(gram))
            weights[gram] = weight * (_IN_TITLE_BONUS if gram in title else 1.0)
    return weights


_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")
_BETWEEN = re.compile(r"\s+")
_FILLER_WORDS = word_list("idle_words")
_VERBAL = re.compile(r"(?:ly|ed|ing)$|^(?:me[mnl]|ber|di|ter)\w{4,}(?:kan|i)?$")
_CODE = re.compile(r"[^\W\d_]{1,3}\d[^\W_]*")
_MOST_REFERENCES = 3
_NAME_BONUS, _TITLE_BONUS, _PHRASE_BONUS = 1.5, 1.8, 1.5
_SHORTEST_NOTION, _LEAST_OF_A_WORD = 4, 3
# Words that come too seldom to be sure of are used only to make up a handful.
_THIN, _HANDFUL = 0.01, 5


def extract_keywords(sources: Sequence[StepSource], count: int, *, language: str | None = None) -> tuple[Cited, ...]:
    """The words and phrases with the highest weight, each with the first sentences that contain it."""
    readings = parse_sources(sources, language)
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
    candidates = (_cited(phrase, readings) for phrase in _distinct(ordered))
    return tuple(cited for cited, _ in zip((c for c in candidates if c), range(count), strict=False))


def _texts(readings: Sequence[ParsedSource]) -> list[str]:
    return [line.text for reading in readings for line in reading.lines]


def _title(readings: Sequence[ParsedSource]) -> str:
    return " ".join(join_lines(r.source.title) or (r.heading[1] if r.heading else "") for r in readings)


def _distinct(ordered: Sequence[str]) -> Iterator[str]:
    """Each phrase unless it is part of an earlier one, or contains one."""
    kept: list[str] = []
    for phrase in ordered:
        folded = f" {phrase.casefold()} " if phrase.isascii() else phrase.casefold()
        if any(folded.strip() in other or (other.strip() in folded and len(other) > 3) for other in kept):
            continue
        kept.append(folded)
        yield phrase


def _cited(phrase: str, readings: Sequence[ParsedSource]) -> Cited | None:
    folded = phrase.casefold()
    holding: list[SourceLine] = [
        line for reading in readings for line in reading.lines if folded in line.text.casefold()
    ]
    if not holding:
        return None
    references = tuple(Reference(source=line.source, sentence=line.index) for line in holding[:_MOST_REFERENCES])
    return Cited(text=phrase, references=references)


def _latin_phrases(readings: Sequence[ParsedSource]) -> dict[str, float]:
    """Words and pairs without verbs and function words, weighted by frequency; names and the title weigh more."""
    idle = stopwords(readings[0].language) | _FILLER_WORDS
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text in [*_texts(readings), _title(readings)]:
        for phrase in _phrases(text, idle):
            forms[_key(phrase)][phrase] += 1
    title = f" {_key(_title(readings))} "
    return {_preferred_form(shapes): _weight(key, shapes, f" {key} " in title) for key, shapes in forms.items()}


def _preferred_form(shapes: Counter[str]) -> str:
    """How the phrase is written: without a sentence's capital wherever it also occurs without one."""
    return min(shapes, key=lambda shape: (sum(part[0].isupper() for part in shape.split()), -shapes[shape], shape))


def _weight(key: str, shapes: Counter[str], in_title: bool) -> float:
    form, total = _preferred_form(shapes), shapes.total()
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
    """Every content word, every pair of neighbours, and every run of up to four capitalized words."""
    words = list(_WORD.finditer(text))
    usable = [_is_content_word(match[0], idle, opens=match.start() == 0) for match in words]
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


def _is_content_word(word: str, idle: frozenset[str], *, opens: bool) -> bool:
    folded = word.casefold().removesuffix("'s").removesuffix("’s")
    if len(word) < 3 or folded in idle or folded != word.casefold() or _CODE.fullmatch(word):
        return False
    return (word[0].isupper() and not opens) or not _VERBAL.search(folded)
