"""Which language a text is in: by its script where that decides, by its function words, and last by a trained model."""

import re

from almanac.kit.lazy import lazy_module
from almanac.language.scripts import script_counts
from almanac.language.word_lists import characters, word_list

py3langid = lazy_module("py3langid")

_READ = 6000
_LATIN_WORD = re.compile(r"[a-z\u00c0-\u024f]+(?:-[a-z]+)?")
_OF_SCRIPT = {
    "hangul": "ko",
    "cyrillic": "ru",
    "arabic": "ar",
    "thai": "th",
    "lao": "lo",
    "burmese": "my",
    "khmer": "km",
    "devanagari": "hi",
    "tamil": "ta",
    "greek": "el",
    "hebrew": "he",
}
# A character of these scripts says about as much as two and a half letters.
_HAN_WEIGHT = 2.5
_KANA_SHARE = 0.06

# Only Japanese mixes characters that simplified Chinese writes so with those that traditional Chinese writes so.
_JAPANESE_FORMS = characters("ja.characters")
_CHINESE_FORMS = characters("zh.characters")
_SHORTENED = characters("ja.shared_with_simplified")
_FULL = characters("ja.shared_with_traditional")

_ENGLISH = word_list("en.function_words")
_ENGLISH_HEADLINE = word_list("en.headline_words")
_MALAY_ONLY = word_list("ms.own_words")
_INDONESIAN = word_list("id.own_words")
_MALAY = word_list("ms.function_words") | _INDONESIAN
_MALAY_HEADLINE = word_list("ms.headline_words")
_ELSEWHERE = word_list("other.function_words")
# In a headline there may be no function word at all, but the forms of its words tell.
_ENGLISH_FORM = re.compile(r"(?:[ts]ion|ment|ing|ies|[^aeiou]ed|[^u]es|ers|ity|ous|ly|ise|ize|ck|sh|ill)s?$|^wh|ough")
_MALAY_FORM = re.compile(
    r"^(?:me[mn]|ber|peng|pem|diper|ter[a-z]{5})|(?:kan|nya|aan|ian)$|^di[a-z]{5,}$|^ke[a-z]{3,}an$"
)
_HEADLINE = 12
_CLEAR = 0.25
_LATIN_LANGUAGES = frozenset("en ms id fr de es it pt nl vi tl sv da no fi pl tr cs ro hu".split())


def detect(text: str) -> str:
    """The language of a text as its two-letter code; an empty text counts as English."""
    sample = text if len(text) <= _READ else text[: _READ // 2] + text[len(text) // 2 :][: _READ // 2]
    counts = script_counts(sample)
    cjk = (counts["han"] + counts["kana"]) * _HAN_WEIGHT
    other = max(_OF_SCRIPT, key=lambda script: counts[script])
    if counts[other] > max(cjk, counts["latin"]):
        return _OF_SCRIPT[other]
    if cjk and cjk >= counts["latin"]:
        return _chinese_or_japanese(sample, counts["han"], counts["kana"])
    return _of_latin(sample)


def _chinese_or_japanese(text: str, han: int, kana: int) -> str:
    if kana >= _KANA_SHARE * (han + kana):
        return "ja"
    found = set(text)
    japanese = len(found & _JAPANESE_FORMS) + min(len(found & _SHORTENED), len(found & _FULL))
    return "ja" if japanese > len(found & _CHINESE_FORMS) else "zh"


def _of_latin(text: str) -> str:
    found = _LATIN_WORD.findall(text.casefold())
    if not found:
        return "en"
    english = _evidence(found, _ENGLISH, _ENGLISH_HEADLINE, _ENGLISH_FORM)
    malay = _evidence(found, _MALAY, _MALAY_HEADLINE, _MALAY_FORM)
    foreign = sum(word in _ELSEWHERE for word in found)
    if abs(english - malay) >= max(1.0, _CLEAR * len(found)) and max(english, malay) > 2 * foreign:
        return "en" if english > malay else _malay_or_indonesian(found)
    return _by_model(text, found)


def _evidence(
    found: list[str], function_words: frozenset[str], in_headlines: frozenset[str], form: re.Pattern[str]
) -> float:
    """How much speaks for a language: function words most, in a headline also other words and the forms of words."""
    score = 2.0 * sum(word in function_words for word in found)
    if len(found) <= _HEADLINE:
        score += sum(word in in_headlines or bool(form.search(word)) for word in found)
    return score


def _malay_or_indonesian(found: list[str]) -> str:
    indonesian = sum(word in _INDONESIAN for word in found)
    return "id" if indonesian > sum(word in _MALAY_ONLY for word in found) else "ms"


def _by_model(text: str, found: list[str]) -> str:
    code = next(str(code) for code, _ in py3langid.rank(text) if code in _LATIN_LANGUAGES)
    return _malay_or_indonesian(found) if code in {"ms", "id"} else code
