"""Agenda items and bills, from the header's list and from what the chair announces, with the speeches about them."""

import re
from collections.abc import Iterable, Iterator, Mapping

from almanac.desks.recap.model.facts.speech_text import remove_gaps
from almanac.desks.recap.model.facts.titles import (
    bare_title,
    bill_key,
    bill_kind,
    is_business,
    split_titles,
    title_notes,
)
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import AgendaItem, Bill
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import parse_kanji_number

_NUMBER = lazy_regex(r"\A(?:日程)?第([一二三四五六七八九十〇百]+)[　 、]")
# …を議題といたします: “… is now under discussion”.
_LAID = lazy_regex(
    r"(?P<titles>[^。]{4,900}?)(?:、?右[^。]{0,20})?(?:の[両三四五各][案件]|の[^。、]{1,6}案)?を(?:一括して)?(?:順次)?(?:議題[とに]|問題に供)"
)
# …決議案は、委員会の審査を省略し、これを議題とすることに御異議ございませんか: taken up at once.
_URGENT = lazy_regex(
    r"(?:(?:この際|お諮りいたします)、)?(?P<title>[^。\n]{4,120}?(?:案|件)(?:（[^（）]{1,80}）)?)は、[^。]{0,80}議題とする(?:こと)?に御?異議"
)
# …の趣旨の説明を求めます: the chair asks for the explanation of a bill.
_EXPLAINED = lazy_regex(
    r"(?P<titles>(?:(?!を議題と)[^。]){4,900}?)(?:について、?|の)(?:(?:提出|提案|発議)者の)?趣旨の?説明を(?:求め|聴取|許)"
)
# …に関する件 / 調査: general inquiries of a committee, without a bill.
_GENERAL = lazy_regex(r"(?P<title>[^。、]{4,80}に関する(?:件|調査))(?:を議題と|について、?調査を(?:進め|行))")
# 本決議案を議題といたします: what was named before.
_POINTS = lazy_regex(
    r"(?:以上|右|ただいまの)?の?(?:本|同|両|各|[二三四五六七八九十]+)(?:決議案|法律案|法案|議案|規則案|予算|請願|動議|案件|案|件)"
)
_MANY = lazy_regex(r"、(?:右)?[両三四五六七八九十各](?:案|件|議案)\Z")
_SHORTEST_TITLE = 4
# Records of one house break the titles of the agenda at this width.
_PAGE_WIDTH = range(19, 24)
_STARTS = lazy_regex(
    r"(?:令和|平成|昭和)[^　]{1,4}年度|第[一二三四五六七八九十百]+　|[一二三四五六七八九十]+[、　]|[━─―－…○]"
)


# 付した案件: “matters dealt with”, the heading of the list of business.
_BUSINESS = lazy_regex(r"付した(?:案件|事件)")
_LIKE_AGENDA = lazy_regex(r"議事日程のとおり|日程のとおり")
# （いずれも内閣提出、衆議院送付）: a note for all titles above it.
_ASSIGNED = lazy_regex(r"\A（[^（）]*）\Z")
# Some copies of a record lose the ends of lines: …同意を求めるの件預金保険機構理事長…
_RUN_TOGETHER = lazy_regex(r"(?<=同意を求めるの件)(?=[^\s　、。（(])")
_RULE = lazy_regex(r"[\s　━─―－…・◇=＝-]*")
_DAY = lazy_regex(r"(?:令和|平成|昭和|明治|大正)[^　]{1,4}年|午[前後][^　]{1,8}(?:時|分|開議|本会議)|第[^　]{1,5}号\Z")
_TITLE = lazy_regex(
    r"(?:案|件|予算|条約|協定|議定書|調書|計算書|決算書|説明書|請願|選挙|質疑|質問|決算|演説|報告|調査|決議|説明|弔詞|表彰|辞職|選任|指名|許可|承認)(?:[（(][^（）()]*[）)])*\Z|（"
)


def list_bills(meeting: Meeting, items: Iterable[AgendaItem], notes: Mapping[str, tuple[str, ...]]) -> tuple[Bill, ...]:
    """The items that the houses vote on, each once, with the speeches made while it was under discussion.

    One that wasn't, and is only told of, has the speeches that name it.
    """
    bills: dict[str, Bill] = {}
    for item in items:
        if item.bill is None:
            continue
        naming = {speech.order for speech in meeting.spoken if item.title in remove_gaps(speech.text)}
        bills[item.bill] = Bill(
            key=item.bill,
            title=item.title,
            kind=bill_kind(item.title),
            session=meeting.session,
            notes=notes.get(item.title, ()),
            orders=item.orders or tuple(sorted(naming)),
        )
    return tuple(bills.values())


def notes_by_title(meeting: Meeting) -> dict[str, tuple[str, ...]]:
    """The bracketed notes of each title in the header."""
    return {bare_title(title): notes for title in agenda_titles(meeting) if (notes := title_notes(title))}


def build_item(title: str, orders: tuple[int, ...], session: int) -> AgendaItem:
    """The item that a title names."""
    number = _NUMBER.match(title)
    bare = bare_title(title)
    key = bill_key(title, session) if is_business(bare) else None
    return AgendaItem(title=bare, number=parse_kanji_number(number[1]) if number else None, orders=orders, bill=key)


def titles_announced(text: str) -> list[str]:
    """The titles that a sentence of the chair lays before the house, also where they stand on lines of their own."""
    *lines, last = text.split("\n")
    titles = [line for line in lines if _is_title(line) and not _ASSIGNED.match(line)] if "議題" in last else []
    if urgent := _URGENT.match(last):
        return [urgent["title"]]
    for match in (*_LAID.finditer(last), *_EXPLAINED.finditer(last)):
        titles += _split_laid_titles(match["titles"])
    titles += [match["title"] for match in _GENERAL.finditer(last) if not titles]
    named = (title for title in dict.fromkeys(titles) if not _POINTS.fullmatch(bare_title(title)))
    return [title for title in named if len(bare_title(title)) >= _SHORTEST_TITLE]


def _split_laid_titles(text: str) -> list[str]:
    whole = _MANY.sub("", text.strip(" 　"))
    return split_titles(whole) or ([whole] if is_business(bare_title(whole)) else [])


def agenda_titles(meeting: Meeting) -> list[str]:
    """The titles in the header's agenda and list of business, each once, in the record's words."""
    titles: dict[str, str] = {}
    for line in _agenda_lines(meeting.header.text if meeting.header else ""):
        titles.setdefault(remove_gaps(re.sub(r"\A日程", "", line)), line)
    return list(titles.values())


def _agenda_lines(text: str) -> Iterator[str]:
    listing = False
    for raw in _join_wrapped(text.splitlines()):
        line = raw.strip(" 　\t\r")
        if _is_heading(line):
            listing = True
        elif "出席委員" in line or "出席者" in line or "委員の異動" in line:
            listing = False
        elif listing and _is_title(line):
            yield from _RUN_TOGETHER.split(line)


def _join_wrapped(lines: Iterable[str]) -> Iterator[str]:
    """Lines with those that the width of the page broke put together again: the rest of a title stands further in."""
    whole, width = "", 0
    for raw in lines:
        line = raw.rstrip(" 　\t\r")
        continues = width in _PAGE_WIDTH and line.startswith("　　") and not _STARTS.match(line.strip(" 　"))
        if continues:
            whole, width = whole + line.strip(" 　"), len(line)
            continue
        yield whole
        whole, width = line, len(line)
    yield whole


def _is_heading(line: str) -> bool:
    return bool(_BUSINESS.search(line)) or (line.lstrip("○").startswith("議事日程") and not _LIKE_AGENDA.search(line))


def _is_title(line: str) -> bool:
    if _RULE.fullmatch(line) or _LIKE_AGENDA.search(line) or line.endswith("君") or len(line) > 400:
        return False
    return bool(_TITLE.search(line)) and not _DAY.match(line)
