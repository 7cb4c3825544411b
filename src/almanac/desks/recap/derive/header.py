"""The header of a record: when the sitting opened, what was on the agenda, and who attended."""

import re
from collections.abc import Iterator

from almanac.desks.recap.derive.wording import squeezed
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import Attendant
from almanac.kit.lazy_regex import lazy_regex

_BUSINESS = lazy_regex(r"付した(?:案件|事件)")
_LIKE_AGENDA = lazy_regex(r"議事日程のとおり|日程のとおり")
_RULE = lazy_regex(r"[\s　━─―－…・◇=＝-]*")
_DAY = lazy_regex(r"(?:令和|平成|昭和|明治|大正)[^　]{1,4}年|午[前後][^　]{1,8}(?:時|分|開議|本会議)|第[^　]{1,5}号\Z")
_TITLE = lazy_regex(
    r"(?:案|件|予算|条約|協定|議定書|請願|選挙|質疑|質問|決算|演説|報告|調査|決議|説明|弔詞|表彰|辞職|選任|指名|許可|承認)(?:[（(][^（）()]*[）)])*\Z|（"
)
_OPENED = lazy_regex(r"午[前後][^\s　。（）]{1,12}(?:開議|開会)")
_CLOSED = lazy_regex(r"午[前後][^\s　。（）]{1,12}(?:散会|閉会|延会|休憩)")
_OFFICE = lazy_regex(
    r"(?:委員長|理事|会長|会長代理|主査|大臣|副大臣|政務官|参考人|官房長|長官|局長|次長|審議官|専門員|総裁|総長|公述人|証人|議長|委員|代理者|出席者|事務局|部長|参与|監査|院長)\Z|\A[（(]|[）)]\Z"
)
_NAME_PART = lazy_regex(r"[^\s　（）()…━─]+")
_MOST_ATTENDANTS = 300
_LONGEST_NAME, _LONGEST_SURNAME = 14, 5


def agenda_titles(meeting: Meeting) -> list[str]:
    """The lines under the agenda and under what was dealt with, each once, in the record's words."""
    found: dict[str, str] = {}
    for line in _agenda_lines(meeting.header.text if meeting.header else ""):
        found.setdefault(squeezed(re.sub(r"\A日程", "", line)), line)
    return list(found.values())


def attendants(meeting: Meeting) -> tuple[Attendant, ...]:
    """Everybody the header lists, with the office it gives; an office on a line of its own holds for the next names."""
    found: dict[str, Attendant] = {}
    office = ""
    for line in (meeting.header.text if meeting.header else "").splitlines():
        if "君" not in line:
            office = squeezed(line) if _OFFICE.search(squeezed(line)) else ""
            continue
        for attendant in _listed(line, office):
            found.setdefault(attendant.name, attendant)
    return tuple(found.values())[:_MOST_ATTENDANTS]


def opened_at(meeting: Meeting) -> str:
    """As in 午前九時一分開議; the agenda may name a planned time before the real one."""
    found = _OPENED.findall(meeting.header.text) if meeting.header else []
    return found[-1] if found else ""


def closed_at(meeting: Meeting) -> str:
    """As in 午後四時五分散会, from the end of the last speech."""
    found = [match for speech in meeting.spoken[-3:] for match in _CLOSED.findall(speech.text)]
    return found[-1] if found else ""


def _agenda_lines(text: str) -> Iterator[str]:
    listing = False
    for raw in text.splitlines():
        line = raw.strip(" 　\t\r")
        if _is_heading(line):
            listing = True
        elif "出席委員" in line or "出席者" in line or "委員の異動" in line:
            listing = False
        elif listing and _is_title(line):
            yield line


def _is_heading(line: str) -> bool:
    return bool(_BUSINESS.search(line)) or (line.lstrip("○").startswith("議事日程") and not _LIKE_AGENDA.search(line))


def _is_title(line: str) -> bool:
    if _RULE.fullmatch(line) or _LIKE_AGENDA.search(line) or line.endswith("君") or len(line) > 400:
        return False
    return bool(_TITLE.search(line)) and not _DAY.match(line)


def _listed(line: str, office: str) -> Iterator[Attendant]:
    for piece in line.split("君")[:-1]:
        parts = _NAME_PART.findall(piece) if not re.search(r"[（(]", piece) else _bracketed(piece)
        own = [part for part in parts[:1] if len(parts) > 1 and (_OFFICE.search(part) or len(part) > _LONGEST_SURNAME)]
        name = "".join(parts[len(own) :])
        if own:
            office = "" if own[0] in ("委員", "") else own[0].strip("（）()")
        if 2 <= len(name) <= _LONGEST_NAME:
            yield Attendant(name=name, office=office)


def _bracketed(piece: str) -> list[str]:
    """An office in brackets before the name."""
    closing = max(piece.rfind("）"), piece.rfind(")"))
    return [squeezed(piece[: closing + 1]), *_NAME_PART.findall(piece[closing + 1 :])]
