"""How a written text calls a bill or other business: by its title, or by the short names that newspapers use."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.meeting import Meeting
from almanac.kit.lazy import lazy_regex

# …法等の一部を改正する法律案, …に関する法律案, …の件: what a short name leaves out.
_ENDINGS = lazy_regex(
    r"(?:の一部を改正する(?:等の)?(?:法律案|規則案|規程案)|(?:法律)?案|の締結について承認を求めるの件|の受諾について承認を求めるの件"
    r"|について承認を求めるの件|に関し承認を求めるの件|の一部改正の件|起草の件|の件)\Z"
)
_MANY_LAWS = lazy_regex(r"(?:等|及び[^、]*法律?|、[^、]*)\Z")
_FISCAL_YEAR = lazy_regex(r"\A(?:令和|平成|昭和)[^年]{1,4}年度")
_NOTES = lazy_regex(r"（[^（）]*）\Z")
# A title by its law alone: 放送法第七十条第二項の規定に基づき、承認を求めるの件; a speech says what is approved.
_BY_LAW = lazy_regex(r"\A[^、。]{2,20}法第[^、。]{2,20}の規定に(?:基づ|よ)")
_APPROVAL_OF = lazy_regex(r"は、(?P<what>[^、。][^。]{3,60}?)(?:について|につき)、?国会の(?:承認|承諾)を求め")
_SHORT = {"NHK": "日本放送協会"}
_IDEOGRAPH = r"[一-龥々〆ヶ]"
_SHORTEST = 2


def named_titles(text: str, titles: Iterable[str], aliases: Mapping[str, Sequence[str]]) -> list[str]:
    """The titles that a text calls by name, the longest names first, so that a name within another isn't taken for it.

    予算 alone means every budget among the titles. An alias is what a record calls business whose title cites a law.
    """
    plain = re.sub(r"[\s　「」『』]", "", unicodedata.normalize("NFKC", text))
    every = list(dict.fromkeys(titles))
    named: list[str] = []
    by_length = [(len(name), name, title) for title in every for name in short_names(title)]
    for length, name, owner in sorted(by_length, reverse=True):
        if owner not in named and length >= _SHORTEST and re.search(rf"(?<!{_IDEOGRAPH}){re.escape(name)}", plain):
            named.append(owner)
            plain = plain.replace(name, "＿")
    named += [title for title, names in aliases.items() if title not in named and any(name in plain for name in names)]
    if not named and re.search(r"予算(?!委員)", plain):
        named = [title for title in every if bill_kind(title) == "budget" and ("補正" in title) == ("補正" in plain)]
    return [title for title in every if title in named]


def alias_names(meeting: Meeting, titles: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What speeches call the business whose title only cites the law that asks for approval, with usual short names."""
    by_law = [title for title in titles if _BY_LAW.match(title)]
    if len(by_law) != 1:
        return {}
    stated = (_APPROVAL_OF.search(speech.text) for speech in meeting.spoken)
    what = next((match["what"] for match in stated if match), "")
    names = (what, *(name for pair in _SHORT.items() if pair[1] in what for name in pair))
    return {by_law[0]: tuple(unicodedata.normalize("NFKC", name) for name in names if name)}


@lru_cache(maxsize=512)
def short_names(title: str) -> tuple[str, ...]:
    """The title itself and what is left of it in a newspaper, such as 所得税法 for 所得税法等の一部を改正する法律案."""
    whole = re.sub(r"[\s　]", "", unicodedata.normalize("NFKC", _NOTES.sub("", title)))
    stem = _ENDINGS.sub("", whole)
    law = _MANY_LAWS.sub("", stem) if "の一部を改正" in whole else stem
    yearless = _FISCAL_YEAR.sub("", whole)
    candidates = (whole, stem, law, yearless if bill_kind(title) == "budget" else "")
    kept = (each for each in candidates if len(each) >= _SHORTEST and (len(each) > _SHORTEST or each.endswith("法")))
    return tuple(dict.fromkeys(kept))
