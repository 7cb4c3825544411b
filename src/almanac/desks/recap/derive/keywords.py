"""Keywords of a sitting: compound nouns that come again, above all those of the agenda."""

from collections.abc import Iterable, Sequence

from almanac.desks.recap.derive.word_lists import idle_words
from almanac.desks.recap.derive.wording import Said
from almanac.desks.recap.model.recap import Keyword, Priority
from almanac.kit.lazy_regex import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.llm.extractive.keywords import japanese_phrases

MOST_KEYWORDS = 20
_HIGH, _MEDIUM = 5, 12
_MOST_ORDERS = 50
_TITLE_WORD = lazy_regex(rf"[{HAN}{KATAKANA}ー]{{3,}}")
_TITLE_WEIGHT = 2.0
_COMPOUND, _SHORT_WEIGHT = 3, 0.5
_SPREAD = 0.35
_MOST_SPREAD = 12
_COUNTED = lazy_regex(r"[〇一二三四五六七八九十百千]{2}")
_ENDS = lazy_regex(
    r"(?:参考人|クラブ|党|会派|委員|大臣|局長|君|議員|年度|等|的|以上|以下|未満|以内|程度|当たり|か所|法律案|現在|条件下|外二名)\Z|御(?:答弁|指摘|質問|説明)"
)
_STARTS = lazy_regex(r"\A(?:御|各|当|約|延|令和|平成|毎|全国|本年|本日)")


def keywords(spoken: Sequence[Said], titles: Iterable[str], names: Iterable[str]) -> tuple[Keyword, ...]:
    """The weightiest words with the speeches that use them; names of people and groups are found as such."""
    agenda = "".join(titles)
    weights = japanese_phrases([each.text for each in spoken], agenda)
    people = tuple(names)
    usable = {word: weight for word, weight in weights.items() if _is_usable(word, people)}
    orders = {word: _orders(word, spoken) for word in usable}
    ranked = sorted(usable, key=lambda word: (-_worth(word, usable[word], len(orders[word]), agenda), word))
    kept = [word for word in _distinct(ranked) if orders[word]][:MOST_KEYWORDS]
    return tuple(
        Keyword(keyword=word, priority=_priority(place), orders=orders[word][:_MOST_ORDERS])
        for place, word in enumerate(kept)
    )


def _worth(word: str, weight: float, spread: int, agenda: str) -> float:
    in_title = word in agenda and bool(_TITLE_WORD.fullmatch(word))
    if len(word) < _COMPOUND and not in_title:
        weight *= _SHORT_WEIGHT
    return weight * (1 + _SPREAD * min(spread, _MOST_SPREAD)) * (_TITLE_WEIGHT if in_title else 1.0)


def _is_usable(word: str, people: Iterable[str]) -> bool:
    if word in idle_words() or _ENDS.search(word) or _STARTS.match(word) or _COUNTED.search(word):
        return False
    return not any(name in word or (len(word) >= 2 and word in name) for name in people)


def _orders(word: str, spoken: Sequence[Said]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(each.order for each in spoken if word in each.text))


def _distinct(ranked: Iterable[str]) -> list[str]:
    """Each word unless it is part of a better one, or a better one is part of it."""
    kept: list[str] = []
    for word in ranked:
        if not any(word in other or other in word for other in kept):
            kept.append(word)
        if len(kept) >= 2 * MOST_KEYWORDS:
            break
    return kept


def _priority(place: int) -> Priority:
    return "high" if place < _HIGH else "medium" if place < _MEDIUM else "low"
