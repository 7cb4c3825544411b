"""Keywords and categories of a sitting, from its agenda and the words spoken."""

from collections.abc import Iterable, Sequence
from functools import cache

from almanac.desks.recap.model.facts.speech_text import SpokenSentence
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Priority, RecapKeyword
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import KANJI_ZERO_TO_NINE, SMALL_UNITS
from almanac.language.scripts import HAN, KATAKANA
from almanac.language.word_lists import read_lines, read_words
from almanac.llm.extractive.keywords import japanese_phrases

CATEGORIES = (
    "議会運営",  # parliamentary procedure
    "予算・財政",  # budget and public finance
    "税制",  # taxation
    "経済・産業",  # economy and industry
    "金融",  # financial services
    "労働・雇用",  # labour and employment
    "社会保障・福祉",  # social security and welfare
    "医療・健康",  # medicine and health
    "子育て・教育",  # childcare and education
    "科学技術",  # science and technology
    "デジタル・通信",  # digital and telecommunications
    "環境・エネルギー",  # environment and energy
    "農林水産",  # agriculture, forestry and fisheries
    "国土・交通",  # land and transport
    "防災・復興",  # disaster prevention and recovery
    "地方自治",  # local government
    "外交",  # foreign affairs
    "安全保障",  # security and defence
    "法務・治安",  # justice and public order
    "憲法・選挙",  # constitution and elections
    "文化・スポーツ",  # culture and sport
)
"""The fixed list of categories for articles; also the values of the category facet."""
MOST_KEYWORDS = 20
_HIGH, _MEDIUM = 5, 12
_MOST_ORDERS = 50
_TITLE_WORD = lazy_regex(rf"[{HAN}{KATAKANA}ー]{{3,}}")
_TITLE_WEIGHT = 2.0
_COMPOUND, _SHORT_WEIGHT = 3, 0.5
_SPREAD = 0.35
_MOST_SPREAD = 12
_COUNTED = lazy_regex(rf"[{KANJI_ZERO_TO_NINE}{''.join(SMALL_UNITS)}]{{2}}")
_ENDS = lazy_regex(
    r"(?:参考人|クラブ|党|会派|委員|大臣|局長|君|議員|年度|等|的|以上|以下|未満|以内|程度|当たり|か所|法律案|現在|条件下|外二名|総理|総裁|幹事長|前委員長|国会|性|上|内|方|先生|自身|逝去|[一二三四五六七八九十]名|初|級|再開後|起草)\Z|日程第|御(?:答弁|指摘|質問|説明)|第[^第]{1,4}条|採決|投票|[起挙][立手]"
)
_STARTS = lazy_regex(
    r"\A(?:御|各|当|約|延|令和|平成|毎|全国|本年|本日|等|元(?=議員|衆|参)|新任|地元|方改革|本(?=制度|起草|法|案|件|改正|委員|議定書|条約))"
)
MOST_CATEGORIES = 4
_IN_MEETING, _IN_TITLE, _MOST_SPOKEN = 6.0, 5.0, 6.0
_LEAST = 3.0
_SHARE_OF_BEST = 0.3
_PROCEDURE = CATEGORIES[0]


def extract_keywords(
    spoken: Sequence[SpokenSentence], titles: Iterable[str], names: Iterable[str]
) -> tuple[RecapKeyword, ...]:
    """The most important words with the speeches that use them; names of people and groups are left out."""
    agenda = "".join(titles)
    weights = japanese_phrases([each.text for each in spoken], agenda)
    people = tuple(names)
    usable = {word: weight for word, weight in weights.items() if _is_usable(word, people)}
    orders = {word: _orders(word, spoken) for word in usable}
    ranked = sorted(usable, key=lambda word: (-_rank(word, usable[word], len(orders[word]), agenda), word))
    kept = [word for word in _distinct(ranked) if orders[word]][:MOST_KEYWORDS]
    return tuple(
        RecapKeyword(keyword=word, priority=_priority(place), orders=orders[word][:_MOST_ORDERS])
        for place, word in enumerate(kept)
    )


def _rank(word: str, weight: float, spread: int, agenda: str) -> float:
    in_title = word in agenda and bool(_TITLE_WORD.fullmatch(word))
    if len(word) < _COMPOUND and not in_title:
        weight *= _SHORT_WEIGHT
    return weight * (1 + _SPREAD * min(spread, _MOST_SPREAD)) * (_TITLE_WEIGHT if in_title else 1.0)


def _is_usable(word: str, people: Iterable[str]) -> bool:
    if word in idle_words() or _ENDS.search(word) or _STARTS.match(word) or _COUNTED.search(word):
        return False
    return not any(name in word or (len(word) >= 2 and word in name) for name in people)


def _orders(word: str, spoken: Sequence[SpokenSentence]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(each.order for each in spoken if word in each.text))


def _distinct(ranked: Iterable[str]) -> list[str]:
    """The words that neither contain nor are part of a better ranked one."""
    kept: list[str] = []
    for word in ranked:
        if not any(word in other or other in word for other in kept):
            kept.append(word)
        if len(kept) >= 2 * MOST_KEYWORDS:
            break
    return kept


def _priority(place: int) -> Priority:
    return "high" if place < _HIGH else "medium" if place < _MEDIUM else "low"


def categorize(meeting: Meeting, titles: Iterable[str], spoken: str) -> tuple[str, ...]:
    """The best supported categories, the best first; parliamentary procedure if none has enough evidence."""
    named, agenda = meeting.meeting, "\n".join(titles)
    scores = {
        category: _IN_MEETING * any(word in named for word in words)
        + _IN_TITLE * sum(word in agenda for word in words)
        + _spoken_score(spoken, words)
        for category, words in category_words().items()
    }
    least = max(_LEAST, _SHARE_OF_BEST * max(scores.values(), default=0.0))
    chosen = [name for name in sorted(scores, key=lambda name: -scores[name]) if scores[name] >= least]
    return tuple(chosen[:MOST_CATEGORIES]) or (_PROCEDURE,)


def _spoken_score(text: str, words: Iterable[str]) -> float:
    """Occurrences per thousand characters, so that a long debate doesn't match every category."""
    if not text:
        return 0.0
    return min(_MOST_SPOKEN, 1000 * sum(text.count(word) for word in words) / max(len(text), 1000))


def idle_words() -> frozenset[str]:
    """Words that occur in every debate and say nothing about this one."""
    return read_words(__package__, "idle_words.txt")


@cache
def category_words() -> dict[str, tuple[str, ...]]:
    """The words that are evidence for each category, by its name."""
    split = (line.partition(":") for line in read_lines(__package__, "categories.txt"))
    return {name: tuple(word.strip() for word in words.split("|")) for name, _, words in split}
