"""The shape in which the National Diet's interface gives a sitting, which is also how every record is kept here.

Lists of one come as a single object and what is unknown as null or as an empty text; numbers may be texts in digits of
either width. All of it is read. The order of speeches is settled by the model.
"""

from datetime import date
from typing import Any, get_args

import msgspec
from msgspec import UNSET, UnsetType

from almanac.desks.recap.model.days import parse_day
from almanac.desks.recap.model.meeting import DIET, Meeting, Speech, SpeechKind, with_ordered_speeches
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext

_LONGEST_ID = 64
_LARGEST = 2**53
Number = int | float | str | None
Text = str | int | None


class UnreadableRecord(ValueError):
    """A record without the little that every record needs; its text says what."""


class _SpeechRecord(msgspec.Struct, rename="camel", kw_only=True):
    speech_id: str | None = msgspec.field(default=None, name="speechID")
    speech_order: Number = None
    speaker: str | None = None
    speaker_yomi: str | None = None
    speaker_group: str | None = None
    speaker_position: str | None = None
    speaker_role: str | None = None
    speech: str | None = None
    start_page: Number = None
    speech_url: str | None = msgspec.field(default=None, name="speechURL")
    kind: str | None = None
    headings: list[str] | None = None
    person: str | None = None


class _MeetingRecord(msgspec.Struct, rename="camel", kw_only=True):
    issue_id: Text = msgspec.field(default=None, name="issueID")
    image_kind: str | None = None
    session: Number = None
    name_of_house: str | None = None
    name_of_meeting: str | None = None
    issue: Text = None
    date: Text = None
    closing: str | None = None
    speech_record: list[_SpeechRecord | None] | _SpeechRecord | None = None
    meeting_url: str | None = msgspec.field(default=None, name="meetingURL")
    pdf_url: str | None = msgspec.field(default=None, name="pdfURL")
    parliament: str | None = None


def parse_meeting(record: Any) -> Meeting:
    """A sitting from its JSON, as bytes or decoded; UnreadableRecord where it lacks what names it."""
    try:
        decoded = msgspec.json.decode(record) if isinstance(record, bytes) else record
        return _meeting(msgspec.convert(decoded, _MeetingRecord, strict=False))
    except msgspec.MsgspecError as error:
        raise UnreadableRecord(gettext("The record has an unexpected format (%(error)s).", error=error)) from error


def _meeting(record: _MeetingRecord) -> Meeting:
    items = record.speech_record
    speeches = [item for item in (items if isinstance(items, list) else [items]) if item is not None]
    return with_ordered_speeches(
        Meeting(
            issue_id=_issue_id(record.issue_id),
            session=_number(record.session) or 0,
            house=_text(record.name_of_house),
            meeting=_text(record.name_of_meeting),
            issue=_text(record.issue),
            date=_day(record.date),
            image_kind=_optional_name(record.image_kind),
            closing=_optional_name(record.closing),
            url=_http_url(record.meeting_url),
            pdf_url=_http_url(record.pdf_url),
            speeches=tuple(_speech(speech, place) for place, speech in enumerate(speeches)),
            parliament=_parliament(record.parliament),
        )
    )


def _speech(record: _SpeechRecord, place: int) -> Speech:
    order = _number(record.speech_order)
    return Speech(
        order=place if order is None else order,
        id=_text(record.speech_id),
        speaker=_text(record.speaker),
        yomi=_optional_name(record.speaker_yomi),
        group=_optional_name(record.speaker_group),
        position=_optional_name(record.speaker_position),
        role=_optional_name(record.speaker_role),
        text=_storable(record.speech),
        start_page=_number(record.start_page),
        url=_http_url(record.speech_url),
        kind=_kind(record.kind),
        headings=tuple(map(_text, record.headings)) if record.headings else UNSET,
        person=_optional_name(record.person) or UNSET,
    )


def _kind(raw: str | None) -> SpeechKind | UnsetType:
    return next((kind for kind in get_args(SpeechKind) if kind == raw), UNSET)


def _parliament(raw: str | None) -> str | UnsetType:
    """The id of another parliament; a record that names the Diet is the same as one that names none."""
    name = _optional_name(raw)
    return UNSET if name is None or name == DIET else name


def _issue_id(raw: Text) -> str:
    issue_id = _text(raw)
    if not issue_id or len(issue_id) > _LONGEST_ID or not issue_id.isprintable() or "/" in issue_id:
        raise UnreadableRecord(gettext("The record has no usable issueID."))
    return issue_id


def _day(raw: Text) -> date:
    """The day at the beginning, whichever digits and signs it is written with."""
    day = parse_day(_text(raw))
    if day is None:
        raise UnreadableRecord(gettext("The record has no day; its date must begin as in 2026-01-31."))
    return day


def _number(raw: Number) -> int | None:
    """A whole number, also as a text in digits of either width; None where it is none, since nothing hangs on it."""
    try:
        number = int(raw) if raw is not None else None
    except (ValueError, OverflowError):
        return None
    return number if number is None or -_LARGEST < number < _LARGEST else None


def _text(raw: Text) -> str:
    return _storable("" if raw is None else str(raw)).strip()


def _storable(raw: str | None) -> str:
    """Without the character of code zero, which no database takes and nobody reads."""
    return (raw or "").replace("\0", "")


def _optional_name(raw: str | None) -> str | None:
    """What is given, or None: other programs wrote words for nothing, which must not become names of lists."""
    text = _text(raw)
    return None if text.lower() in ("", "undefined", "null", "none") else text


def _http_url(raw: str | None) -> str | None:
    """An address that readers may follow; a script in its place would run with their rights."""
    text = _text(raw)
    return text if text.lower().startswith(("https://", "http://")) else None


def encode_record(meeting: Meeting) -> bytes:
    """A sitting of another source as it is kept. What is unset isn't written."""
    speeches = [
        {
            "speechID": speech.id,
            "speechOrder": speech.order,
            "speaker": speech.speaker,
            "speakerYomi": speech.yomi,
            "speakerGroup": speech.group,
            "speakerPosition": speech.position,
            "speakerRole": speech.role,
            "speech": speech.text,
            "startPage": speech.start_page,
            "speechURL": speech.url,
            **_set_only(kind=speech.kind, headings=speech.headings, person=speech.person),
        }
        for speech in meeting.speeches
    ]
    return encode_json(
        {
            "issueID": meeting.issue_id,
            "imageKind": meeting.image_kind,
            "session": meeting.session,
            "nameOfHouse": meeting.house,
            "nameOfMeeting": meeting.meeting,
            "issue": meeting.issue,
            "date": meeting.date,
            "closing": meeting.closing,
            "speechRecord": speeches,
            "meetingURL": meeting.url,
            "pdfURL": meeting.pdf_url,
            **_set_only(parliament=meeting.parliament),
        }
    )


def _set_only(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if not isinstance(value, UnsetType)}
