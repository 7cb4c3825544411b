"""Names as people look for them: by kana, Roman letters, old or new characters, family or given name alone.

A record gives a name and its reading without saying where the family name ends, so a given name is any end of them.
"""

import re
import unicodedata
from collections.abc import Iterator

from almanac.kit.lazy import lazy_regex
from almanac.language.spellings import fold_characters

_LONGEST = 40
# Forms of one character in names that the table of simplified characters keeps apart.
_ALIKE = str.maketrans("齐髙﨑嵜邉濵濱浜嶋嶌槙舘渕冨栁薗𠮷桒埜邨峯舩", "斋高崎崎边滨滨滨岛岛槇馆渊富柳园吉桑野村峰船")
_HIRAGANA = str.maketrans({katakana: katakana - 0x60 for katakana in range(0x30A1, 0x30F7)})
_BETWEEN = lazy_regex(r"[\s　・･,、.'’\-‐ー]+")
_ACCENTS = lazy_regex("[\u0300-\u036f]")
_HONORIFIC = lazy_regex(r"(?<=..)(?:君|氏|さん|くん|様|さま|議員|委員|先生)\Z")
# Kana that never begin a part of a name: small ones, and the closing n.
_NEVER_FIRST = frozenset("ぁぃぅぇぉっゃゅょゎん")
_ROMAN = {
    **dict(
        zip(
            "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん",
            "a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo "
            "ya yu yo ra ri ru re ro wa o n".split(),
            strict=True,
        )
    ),
    **dict(
        zip(
            "がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽ",
            "ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi pu pe po".split(),
            strict=True,
        )
    ),
}
_SMALL_Y = {"ゃ": "ya", "ゅ": "yu", "ょ": "yo"}
# Spellings of one sound: Kunrei as Hepburn, and long vowels short, as in Ōta, Ohta, Oota and Ota.
_ROMAN_ALIKE = (
    (r"tch", "cch"),
    (r"m(?=[bp])", "n"),
    (r"sya|syu|syo", lambda match: "sh" + match[0][2]),
    (r"tya|tyu|tyo", lambda match: "ch" + match[0][2]),
    (r"zya|zyu|zyo|jya|jyu|jyo", lambda match: "j" + match[0][2]),
    (r"si", "shi"),
    (r"ti", "chi"),
    (r"tu", "tsu"),
    (r"zi|di", "ji"),
    (r"du", "zu"),
    (r"hu", "fu"),
    (r"oh(?=[^aiueo]|\Z)|oo+|ou", "o"),
    (r"uu+", "u"),
)


def fold_name(text: str) -> str:
    """A name without spaces, in one width, hiragana for katakana, and one form of each character."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.replace("\0", "")))
    plain = _BETWEEN.sub("", unicodedata.normalize("NFKC", bare).casefold())
    folded = fold_characters(plain).translate(_ALIKE).translate(_HIRAGANA)
    return fold_roman(folded) if folded and folded.isascii() else folded


def fold_roman(text: str) -> str:
    """Roman letters in one of the spellings of a Japanese name."""
    for pattern, spelling in _ROMAN_ALIKE:
        text = re.sub(pattern, spelling, text)
    return text


def to_roman(kana: str) -> str:
    """A reading in hiragana as Roman letters, folded as names in Roman letters are; empty if it has anything else."""
    letters = ""
    for character in kana:
        if character == "っ":
            letters += "っ"
        elif character in _SMALL_Y and letters.endswith("i"):
            sound = _SMALL_Y[character]
            letters = letters[:-1] + (sound[1] if letters.endswith(("shi", "chi", "ji")) else sound)
        elif character in _ROMAN:
            letters += _ROMAN[character]
        else:
            return ""
    return fold_roman(re.sub(r"っ(\w)", r"\1\1", letters).replace("っ", ""))


def list_name_forms(name: str, reading: str = "") -> dict[str, bool]:
    """Every form that a name is looked up by, and whether it is of the whole name."""
    forms: dict[str, bool] = {}
    for whole in (fold_name(name), fold_name(reading)):
        for form, is_whole in _ends(whole[:_LONGEST]):
            forms[form] = forms.get(form, False) or is_whole
            roman = to_roman(form)
            if roman:
                forms[roman] = forms.get(roman, False) or is_whole
    return forms


def _ends(text: str) -> Iterator[tuple[str, bool]]:
    for at in range(len(text)):
        if at == 0 or (text[at] not in _NEVER_FIRST and not text.isascii()):
            yield text[at:], at == 0


def parse_name(text: str) -> tuple[str, tuple[str, ...]]:
    """What is typed as one name, and as its parts; honorifics such as 君 and さん are dropped."""
    parts = [fold_name(_HONORIFIC.sub("", part)) for part in text.split()]
    whole = fold_name(_HONORIFIC.sub("", "".join(text.split())))
    return whole, tuple(part for part in parts if part)
