"""Sentences in another language than the rest of their page."""

import re

from almanac.language.scripts import HAN, HIRAGANA, KATAKANA
from almanac.language.word_lists import characters, word_list

_LATIN_WORD = re.compile(r"[a-zà-ɏ]+")
_KANA = re.compile(f"[{HIRAGANA}{KATAKANA}]")
_HAN = re.compile(f"[{HAN}]")
_QUOTED = re.compile(r"[“\"「『《（(][^”\"」』》）)]*[”\"」』》）)]")
_ENGLISH = word_list("en.function_words") | word_list("en.stopwords")
_MALAY = word_list("ms.function_words") | word_list("ms.stopwords") | word_list("id.own_words")
_CHINESE = characters("zh.characters")
_CLEARLY = 2
_FEWEST_HAN = 14
_KANA_SHARE = 0.06
_CJK_SHARE = 0.5


def is_in_language(text: str, language: str) -> bool:
    """Whether a sentence may stand in a text of this language; names and quotations in another don't matter."""
    text = _QUOTED.sub("", text)
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    words = _LATIN_WORD.findall(text.casefold())
    if language in {"zh", "ja"}:
        return _is_chinese_or_japanese(text, language, han, kana, len(words))
    if han + kana > _CJK_SHARE * (han + kana + 2.5 * len(words)):
        return False
    other = {"en": _MALAY, "ms": _ENGLISH, "id": _ENGLISH}.get(language)
    if other is None:
        return True
    own = _ENGLISH if language == "en" else _MALAY
    foreign = sum(word in other for word in words)
    return foreign < _CLEARLY or foreign <= sum(word in own for word in words)


def _is_chinese_or_japanese(text: str, language: str, han: int, kana: int, words: int) -> bool:
    if han + kana == 0 or 2.5 * words > 2 * (han + kana):
        return words == 0
    if language == "zh":
        return kana <= max(2.0, _KANA_SHARE * (han + kana))
    # Japanese labels and headings may have no kana; whole sentences without any are Chinese.
    return kana > 0 or (han < _FEWEST_HAN and _CHINESE.isdisjoint(text))
