"""Whether a wording only rewords a sentence of a speech: the same content words, in the same order, to its end.

Checking that is much cheaper than verifying a claim, and enough for what rules made of the sentence itself: they
change endings and politeness and write numerals in digits; numbers are compared by their value. Everything else, such
as everyday words, is verified.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from almanac.desks.recap.model.facts.speech_text import spoken_sentences
from almanac.desks.recap.model.meeting import Speech
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import parse_kanji_number
from almanac.language.scripts import HAN, KATAKANA
from almanac.language.segmentation import split_sentences

# What turns a statement into its opposite stays, whatever its form: ません, ない, なかった, ずに.
_NEGATION = lazy_regex(
    r"ません|なかっ|な(?:い|く)(?=[、。とかのでがもはま」])|ず(?=[、に。])|ぬ(?=[、。])|まい(?=[。と])"
)
_QUESTION = lazy_regex(r"か(?:ね|な)?[。？?]\Z|[？?]\Z")
_POLITE = lazy_regex(r"[御ご](?=[^ざ])|申し上げ|いた(?=し)|頂")
# Words are told apart by their kanji and the kana next to it: 決まる and 決する differ.
_CONTENT = lazy_regex(rf"[{HAN}][ぁ-ん]?|[{KATAKANA}A-Za-zＡ-Ｚａ-ｚ0-9０-９％%・.¬#+べ]")
# Parts of a number; longer ones than any record has are told apart character by character.
_PART = (
    r"(?:([0-9０-９]{1,16})(?:[.．]([0-9０-９]{1,16}))?"
    r"|([〇一二三四五六七八九十百千]{1,16})(?:・([〇一二三四五六七八九]{1,16}))?)([兆億万]?)"
)
_LONE = ("1", "１", "一")
_NUMBER_PART = lazy_regex(_PART)
_NUMBER = lazy_regex(rf"(?:{_PART})+")
_SHORTEST = 6


def rewords(text: str, speech: Speech) -> bool:
    """Whether every sentence of a text is one of the speech, from some word of it to its end."""
    parts = [_skeleton(part.text) for part in split_sentences(text, "ja")]
    spoken = _skeletons(speech)
    return bool(parts) and all(len(part) >= _SHORTEST and any(each.endswith(part) for each in spoken) for part in parts)


@lru_cache(maxsize=512)
def _skeletons(speech: Speech) -> tuple[str, ...]:
    return tuple(_list_skeletons(speech))


def _list_skeletons(speech: Speech) -> Iterator[str]:
    for sentence in spoken_sentences(speech):
        if sentence.is_ended:
            yield _skeleton(sentence.text)


def _skeleton(text: str) -> str:
    """The content of a sentence: words with kanji, katakana and Latin letters, numbers, negations, its form."""
    asks = "?" if _QUESTION.search(text) else ""
    plain = _NUMBER.sub(_write_value, _NEGATION.sub("¬", _POLITE.sub("", text)))
    return "".join(_CONTENT.findall(plain)) + asks


def _write_value(match: re.Match[str]) -> str:
    """A number by the values of its parts, between marks that keep its end from passing for another number.

    A lone 一 is as often a part of a word, so a wording that has it in digits is verified.
    """
    if match[0] in _LONE:
        return match[0]
    parts = (_write_part(*groups) for groups in _NUMBER_PART.findall(match[0]))
    return f"#{'+'.join(parts)}#"


def _write_part(whole: str, fraction: str, kanji_whole: str, kanji_fraction: str, unit: str) -> str:
    digits = "".join(str(parse_kanji_number(digit)) for digit in fraction or kanji_fraction)
    return f"{parse_kanji_number(whole or kanji_whole)}{'.' if digits else ''}{digits}{unit}"
