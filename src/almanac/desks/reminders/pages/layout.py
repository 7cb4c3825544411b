"""What the desk's pages share: permissions, tabs, labels and tones."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Path

from almanac.accounts.model import AUTOMATION, CONSOLE, Principal
from almanac.accounts.service import get_user
from almanac.desks.reminders.model.labels import (
    DELIVERY_LABELS,
    INVOICE_STATES,
    MAIL_HEADERS,
    STATE_WORDS,
    STATES,
    level_label,
    level_words,
)
from almanac.desks.reminders.permissions import APPROVE, READ, SEND, WRITE
from almanac.desks.reminders.urls import TABS
from almanac.errors import NotFound
from almanac.http.auth import require
from almanac.http.pages import DeskPages
from almanac.services import Services

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Approver = Annotated[Principal, require(APPROVE)]
Sender = Annotated[Principal, require(SEND)]
Name = Annotated[str, Path(min_length=1, max_length=200)]
# Label, count if it is known, URL, and whether it is selected.
Facet = tuple[str, int | None, str, bool]
PREFIX = "/reminders"
STATE_TONES: Mapping[str, str] = {
    "draft": "waiting",
    "approved": "done",
    "snoozed": "plain",
    "sending": "running",
    "unknown": "waiting",
    "failed": "failed",
    "rejected": "plain",
    "cancelled": "plain",
    "sent": "done",
}
LEVEL_TONES: Mapping[str, str] = {"final": "waiting"}
DELIVERY_TONES: Mapping[str, str] = {
    "delivered": "done",
    "sent": "running",
    "kept": "waiting",
    "delayed": "waiting",
    "bounced": "failed",
    "complained": "failed",
    "failed": "failed",
    "refused": "failed",
    "suppressed": "failed",
    "unknown": "waiting",
}
INVOICE_TONES: Mapping[str, str] = {"paid": "done"}
_LATE_DAYS, _VERY_LATE_DAYS = 30, 60


def overdue_tone(days: int) -> str:
    """How urgent an overdue invoice is: plain at first, then a warning, and red when a person should call."""
    return "failed" if days > _VERY_LATE_DAYS else "waiting" if days > _LATE_DAYS else "plain"


WORDS: Mapping[str, object] = {
    "delivery_labels": DELIVERY_LABELS,
    "states": STATES,
    "mail_headers": MAIL_HEADERS,
    "state_words": STATE_WORDS,
    "invoice_states": INVOICE_STATES,
    "level_label": level_label,
    "level_words": level_words,
    "state_tones": STATE_TONES,
    "level_tones": LEVEL_TONES,
    "delivery_tones": DELIVERY_TONES,
    "invoice_tones": INVOICE_TONES,
    "overdue_tone": overdue_tone,
}
_PAGES = DeskPages(desk="reminders", tabs=TABS, words=WORDS)
address, desk_page = _PAGES.address, _PAGES.page


def get_time_zone(services: Services, person: Principal) -> ZoneInfo:
    """The person's time zone, or the installation's."""
    return ZoneInfo(person.preferences.time_zone or services.settings.time_zone)


def nine_in_the_morning(services: Services, person: Principal, day: date) -> datetime:
    """Nine in the morning of a day in the person's time zone."""
    return datetime.combine(day, time(9), get_time_zone(services, person))


_SYSTEM_NAMES = {AUTOMATION.user_id: "Almanac", CONSOLE.user_id: CONSOLE.name, "almanac": "Almanac"}


async def load_user_names(services: Services, ids: Iterable[str]) -> dict[str, str]:
    """A name for each user id; the id itself if the account is gone."""
    user_ids = sorted({user_id for user_id in ids if user_id and user_id not in _SYSTEM_NAMES})
    names = await asyncio.gather(*(_load_user_name(services, user_id) for user_id in user_ids))
    return {**_SYSTEM_NAMES, **dict(zip(user_ids, names, strict=True))}


async def _load_user_name(services: Services, user_id: str) -> str:
    try:
        return (await get_user(services.accounts, CONSOLE, user_id)).name
    except NotFound:
        return user_id
