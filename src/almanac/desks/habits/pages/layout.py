"""What all pages of the desk share: who may come in, where things are, and the desk's tabs."""

from typing import Annotated

from fastapi import Path

from almanac.accounts.model import Principal
from almanac.desks.habits.urls import TABS
from almanac.http.auth import require
from almanac.http.pages import DeskPages

Reader = Annotated[Principal, require("desk.habits.read")]
Writer = Annotated[Principal, require("desk.habits.write")]
Id = Annotated[str, Path(min_length=1, max_length=64)]

PREFIX = "/habits"
_PAGES = DeskPages(desk="habits", tabs=TABS)
address, desk_page = _PAGES.address, _PAGES.page
