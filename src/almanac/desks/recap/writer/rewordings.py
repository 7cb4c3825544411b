"""Whether a wording only rewords a sentence of a speech: the same content words, in the same order, to its end.

Checking that is much cheaper than verifying a claim, and enough for what rules made of the sentence itself: they
change endings and politeness. Everything else, such as numerals in digits and everyday words, is verified.
"""

from collections.abc import Iterator
from functools import lru_cache

from almanac.desks.recap.model.facts.speech_text import spoken_sentences
from almanac.desks.recap.model.meeting import Speech
from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.language.segmentation import split_sentences

# What turns a statement into its opposite stays, whatever its form: ません, ない, なかった, ずに.
_NEGATION = lazy_regex(
    r"ません|なかっ|な(?:い|く)(?=[、。とかのでがもはま」])|ず(?=[、に。])|ぬ(?=[、。])|まい(?=[。と])"
)
_QUESTION = lazy_regex(r"か(?:ね|な)?[。？?]\Z|[？?]\Z")
_POLITE = lazy_regex(r"[御ご](?=[^ざ])|申し上げ|いた(?=し)|頂")
# Words are told apart by their kanji and the kana next to it: 決まる and 決する differ.
_CONTENT = lazy_regex(rf"[{HAN}][ぁ-ん]?|[{KATAKANA}A-Za-zＡ-Ｚａ-ｚ0-9０-９％%・.¬べ]")
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
    return "".join(_CONTENT.findall(_NEGATION.sub("¬", _POLITE.sub("", text)))) + asks
