"""What the desk's pages share: who may open them, their prefix, and the tabs."""

from typing import Annotated

from fastapi import Path

from almanac.accounts.model import Principal
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.urls import TABS
from almanac.http.auth import require
from almanac.http.pages import DeskPages

Reader = Annotated[Principal, require(READ)]
Writer = Annotated[Principal, require(WRITE)]
RowNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]

PREFIX = "/news"
desk_page = DeskPages(desk="news", tabs=TABS).page
