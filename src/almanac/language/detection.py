"""Language detection: by script where that decides, then by function words, and last by a trained model."""

import re

from almanac.kit.lazy import lazy_module
from almanac.language.scripts import count_scripts
from almanac.language.word_lists import characters, word_list

py3langid = lazy_module("py3langid")

_SAMPLE_SIZE = 6000
_LATIN_WORD = re.compile(r"[a-z\u00c0-\u024f]+(?:-[a-z]+)?")
_LANGUAGE_OF_SCRIPT = {
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
# One Chinese or Japanese character carries about as much as two and a half letters.
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
_OTHER_LANGUAGES = word_list("other.function_words")
# A headline may have no function word at all, but the forms of its words are typical.
_ENGLISH_FORM = re.compile(r"(?:[ts]ion|ment|ing|ies|[^aeiou]ed|[^u]es|ers|ity|ous|ly|ise|ize|ck|sh|ill)s?$|^wh|ough")
_MALAY_FORM = re.compile(
    r"^(?:me[mn]|ber|peng|pem|diper|ter[a-z]{5})|(?:kan|nya|aan|ian)$|^di[a-z]{5,}$|^ke[a-z]{3,}an$"
)
_HEADLINE = 12
_CLEAR = 0.25
_LATIN_LANGUAGES = frozenset("en ms id fr de es it pt nl vi tl sv da no fi pl tr cs ro hu".split())
LANGUAGE_CODES = tuple(sorted({"ja", "zh", *_LANGUAGE_OF_SCRIPT.values(), *_LATIN_LANGUAGES}))
"""Every language that a text can be in, as far as it is told apart."""


def detect_language(text: str) -> str:
    """The two-letter code of a text's language; an empty text counts as English."""
    sample = (
        text if len(text) <= _SAMPLE_SIZE else text[: _SAMPLE_SIZE // 2] + text[len(text) // 2 :][: _SAMPLE_SIZE // 2]
    )
    counts = count_scripts(sample)
    cjk = (counts["han"] + counts["kana"]) * _HAN_WEIGHT
    other = max(_LANGUAGE_OF_SCRIPT, key=lambda script: counts[script])
    if counts[other] > max(cjk, counts["latin"]):
        return _LANGUAGE_OF_SCRIPT[other]
    if cjk and cjk >= counts["latin"]:
        return _chinese_or_japanese(sample, counts["han"], counts["kana"])
    return _latin_language(sample)


def _chinese_or_japanese(text: str, han: int, kana: int) -> str:
    if kana >= _KANA_SHARE * (han + kana):
        return "ja"
    characters_used = set(text)
    japanese = len(characters_used & _JAPANESE_FORMS) + min(
        len(characters_used & _SHORTENED), len(characters_used & _FULL)
    )
    return "ja" if japanese > len(characters_used & _CHINESE_FORMS) else "zh"


def _latin_language(text: str) -> str:
    words = _LATIN_WORD.findall(text.casefold())
    if not words:
        return "en"
    english = _evidence(words, _ENGLISH, _ENGLISH_HEADLINE, _ENGLISH_FORM)
    malay = _evidence(words, _MALAY, _MALAY_HEADLINE, _MALAY_FORM)
    foreign = sum(word in _OTHER_LANGUAGES for word in words)
    if abs(english - malay) >= max(1.0, _CLEAR * len(words)) and max(english, malay) > 2 * foreign:
        return "en" if english > malay else _malay_or_indonesian(words)
    return _detect_by_model(text, words)


def _evidence(
    words: list[str], function_words: frozenset[str], in_headlines: frozenset[str], form: re.Pattern[str]
) -> float:
    """A score for a language: function words count most; in a headline, typical words and word forms count too."""
    score = 2.0 * sum(word in function_words for word in words)
    if len(words) <= _HEADLINE:
        score += sum(word in in_headlines or bool(form.search(word)) for word in words)
    return score


def _malay_or_indonesian(words: list[str]) -> str:
    indonesian = sum(word in _INDONESIAN for word in words)
    return "id" if indonesian > sum(word in _MALAY_ONLY for word in words) else "ms"


def _detect_by_model(text: str, words: list[str]) -> str:
    code = next(str(code) for code, _ in py3langid.rank(text) if code in _LATIN_LANGUAGES)
    return _malay_or_indonesian(words) if code in {"ms", "id"} else code
