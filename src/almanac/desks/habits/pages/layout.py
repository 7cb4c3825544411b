"""What all pages of the desk share: permissions, paths, tabs, and days in forms."""

from datetime import date
from typing import Annotated

from fastapi import Path

from almanac.accounts.model import Principal
from almanac.desks.habits.permissions import READ, WRITE
from almanac.desks.habits.urls import TABS
from almanac.errors import FieldErrors
from almanac.http.auth import require
from almanac.http.pages import DeskPages
from almanac.kit.messages import gettext

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
Id = Annotated[str, Path(min_length=1, max_length=64)]

PREFIX = "/habits"
_PAGES = DeskPages(desk="habits", tabs=TABS)
address, desk_page = _PAGES.address, _PAGES.page


def parse_form_day(text: str, name: str = "day") -> date | None:
    """The day in a form field or URL; None if it is empty, FieldErrors if it isn't a date."""
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise FieldErrors({name: gettext("“%(text)s” isn't a date; use 2026-03-02.", text=text[:40])}) from None
