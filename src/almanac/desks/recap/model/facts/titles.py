"""Titles of bills and agenda items: cleaned, classified, and identified by a key that is the same everywhere."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from almanac.desks.recap.model.facts.speech_text import remove_gaps
from almanac.desks.recap.model.record import BillKind
from almanac.kit.lazy import lazy_regex

_NOTES = lazy_regex(r"[（(]([^（）()]{1,80})[）)]")
_TRAILING_NOTES = lazy_regex(r"(?:\s*[（(][^（）()]{1,80}[）)])+\s*\Z")
_NUMBERED = lazy_regex(
    r"\A(?:日程)?第([一二三四五六七八九十〇百]+)[　 、．.]+|\A([一二三四五六七八九十]+)[　 、．.]+|\A[○・◇]\s*"
)
# What the chair says before a title: 次に、 前回に引き続き、 これより 議事日程のとおり、
_LEAD_IN = lazy_regex(
    r"\A(?:(?:次に|次いで|続いて|続きまして|引き続き|まず|初めに|最後に|この際|本日は|さて|改めて|日程に追加して)、|(?:それでは|では)、?"
    r"|(?:これ|ただいま|今)(?:から|より)、?|[前昨休午先][^、。]{0,6}に引き続(?:き|いて)、|[^、。]{0,20}日程のとおり、)+"
)
# What is done with a bill while it is not yet decided about: …法案（内閣提出）の趣旨説明及び質疑
_ABOUT = lazy_regex(
    r"(?P<title>.*[案件算約定])(?:[（(][^（）()]{1,80}[）)])*"
    r"(?:の趣旨の?説明|に対する(?:質疑|附帯決議)|(?<=法律案)起草の件)(?:及び(?:これに対する)?質疑)?"
)
_ORIGIN = lazy_regex(
    r"\A(?:[^、。]{0,40}(?:返付|回付|送付)された、?|(?:今国会|第[^、回]{1,8}回国会)?、?(?:内閣|本院|参議院|衆議院|[^、。]{2,20}君外[^、。]{1,4}名)"
    r"(?:提出|送付)(?:第[^、]{1,8}号)?、|追加日程第?[^、　]*[、　])+"
)
# …法律案、本院議決案; …法律案の参議院回付案: the bill as it came back from the other house.
_SENT_BACK = lazy_regex(r"(?<=[案算])(?:、|の)?(?:本院議決案|(?:参議院|衆議院)回付案)\Z")
_SPLIT = lazy_regex(
    r"(?:(?<=法律案)|(?<=法案)|(?<=予算)|(?<=の件)|(?<=る件)|(?<=決議案)|(?<=決算)|(?<=請願)|(?<=使用調書)|(?<=増額調書)|(?<=計算書)|(?<=決算書))"
    r"((?:\s*[（(][^（）()]{1,80}[）)])*)(?:、(?:及び|並びに)?|及び|並びに|\s*\Z)"
)
_FORMAL = lazy_regex(
    r"参考人|公聴会|連合審査|会期|休会|常任委員|特別委員|議席|辞任|請暇|派遣|調査(?:に関する件|承認)|国政調査|理事"
)
_KINDS: tuple[tuple[BillKind, re.Pattern[str]], ...] = (
    ("treaty", lazy_regex(r"(?:条約|協定|議定書|取極|交換公文)[^。]*(?:承認|締結)")),
    ("personnel", lazy_regex(r"任命|同意を求める|内閣総理大臣の指名")),
    # The house fills its own posts: 常任委員長の選挙, 情報監視審査会委員の選任.
    ("other", lazy_regex(r"(?:選任|選挙|指名|互選)(?:(?:に関する|の)?件)?\Z")),
    ("other", _FORMAL),
    ("budget", lazy_regex(r"予算\Z|予算（|補正予算|予算案\Z")),
    ("bill", lazy_regex(r"法律案|法案\Z|基本法案|規則案")),
    (
        "approval",
        lazy_regex(
            r"承認を求めるの件|承諾を求めるの件|許諾を求めるの件|調書(?:\Z|（)|歳入歳出決算|計算書(?:\Z|（)|決算書|財産目録"
        ),
    ),
    ("resolution", lazy_regex(r"決議案|に関する決議")),
    ("petition", lazy_regex(r"請願")),
)
_KEY_LENGTH = 12


def bill_kind(title: str) -> BillKind:
    """The kind of business that a title names; `other` if no rule matches."""
    return next((kind for kind, pattern in _KINDS if pattern.search(title)), "other")


def is_business(title: str) -> bool:
    """Whether the houses vote on it, so that it is followed from meeting to meeting."""
    return bill_kind(title) != "other"


def bare_title(title: str) -> str:
    """A title without lead-in, number, origin and bracketed notes, such as 放送法の一部を改正する法律案."""
    text = remove_gaps(_NUMBERED.sub("", _LEAD_IN.sub("", title.strip(" 　\t"))))
    bare = _SENT_BACK.sub("", _TRAILING_NOTES.sub("", _ORIGIN.sub("", text))).strip("、。 　")
    match = _ABOUT.fullmatch(bare)
    return match["title"] if match else bare


def title_notes(title: str) -> tuple[str, ...]:
    """The bracketed notes after a title, such as 内閣提出 (introduced by the cabinet)."""
    tail = _TRAILING_NOTES.search(title)
    inner = _NOTES.findall(tail[0]) if tail else []
    return tuple(part.strip() for each in inner for part in each.split("、") if part.strip())


def split_titles(text: str) -> list[str]:
    """The titles in a sentence that announces several items, each with its notes."""
    titles: list[str] = []
    start = 0
    for match in _SPLIT.finditer(text):
        titles.append(text[start : match.end(1)])
        start = match.end()
    return [title for title in titles if bare_title(title)]


def bill_key(title: str, session: int, notes: Sequence[str] = ()) -> str:
    """A bill's key: the same in both houses, in committee and plenary, in any character width.

    Notes are for bills of one title in one sitting, which only their movers and numbers tell apart.
    """
    plain = "".join(unicodedata.normalize("NFKC", "".join((bare_title(title), *notes))).split())
    return f"{session}-{hashlib.sha256(plain.encode()).hexdigest()[:_KEY_LENGTH]}"
