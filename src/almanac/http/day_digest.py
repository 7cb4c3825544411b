"""A person's day as the morning mail tells it: what to decide, to do and to read, and what happened the day before."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from almanac.accounts.model import Principal
from almanac.http.day import Day, DayEvent, DayTask, Reading, WaitingGroup
from almanac.http.day_content import DayContent, day_of, load_day
from almanac.http.desk import Desk
from almanac.kit.catalogs import SOURCE_LANGUAGE
from almanac.kit.messages import day_text, gettext, ngettext, pgettext, speaking, translate
from almanac.kit.stored_messages import translate_stored
from almanac.kit.text import shorten
from almanac.notifications.model import DayDigest, DigestLine, DigestPart
from almanac.services import Services

_DETAIL_CHARACTERS, _MAX_EVENTS = 160, 12


async def write_digest(services: Services, desks: Sequence[Desk], person: Principal) -> DayDigest:
    """The person's day in their language and time zone, with what they may see."""
    language = person.preferences.language or SOURCE_LANGUAGE
    day = day_of(services, person, "", language)
    content = await load_day(services, desks, person, day)
    before = await load_day(services, desks, person, day_of(services, person, day.before.isoformat(), language))
    with speaking(language):
        return describe_day(content, before)


def describe_day(content: DayContent, before: DayContent) -> DayDigest:
    """A day and what happened the day before, in the language that is being spoken."""
    day, waiting = content.day, content.waiting
    tasks = [task for task in content.tasks if task.state == "open"]
    readings = content.readings
    events = before.events[:_MAX_EVENTS]
    number = sum(group.count for group in waiting)
    date = day_text(day.on, "full")
    subject = (
        ngettext("%(day)s: %(num)s thing to decide", "%(day)s: %(num)s things to decide", number, day=date)
        if number
        else gettext("%(day)s: nothing to decide", day=date)
    )
    parts = (
        (gettext("Decide"), [_decide(group) for group in waiting]),
        (pgettext("what to do today", "Do"), [_do(task) for task in tasks]),
        (pgettext("what to read today", "Read"), [_read(reading) for reading in readings]),
        (gettext("Happened yesterday"), [_tell(event, day) for event in events]),
    )
    return DayDigest(
        day=day.on,
        subject=translate(subject),
        parts=tuple(DigestPart(translate(title), tuple(lines)) for title, lines in parts if lines),
        language=day.language,
        is_empty=not (waiting or tasks or events or _has_news(readings, day)),
    )


def _has_news(readings: Iterable[Reading], day: Day) -> bool:
    """Whether anything to read is of this day or the day before; the latest stories may be old ones."""
    return any(reading.day and reading.day >= day.on - timedelta(days=1) for reading in readings)


def _decide(group: WaitingGroup) -> DigestLine:
    texts = [translate(group.number_text), translate(group.amounts_text)]
    titles = [translate(item.title) for item in group.items if item.title != group.words]
    return _line(" · ".join(filter(None, texts)), ", ".join(titles), group.href)


def _do(task: DayTask) -> DigestLine:
    return _line(task.title, task.text, task.href)


def _read(reading: Reading) -> DigestLine:
    return _line(reading.title, reading.text, reading.href)


def _tell(event: DayEvent, day: Day) -> DigestLine:
    clock = f"{event.at.astimezone(ZoneInfo(day.zone)):%H:%M} " if event.at else ""
    return _line(clock + translate(event.sentence), event.text, event.href)


def _line(text: str, detail: str, path: str) -> DigestLine:
    return DigestLine(translate(text), shorten(translate_stored(translate(detail)), _DETAIL_CHARACTERS), path)
