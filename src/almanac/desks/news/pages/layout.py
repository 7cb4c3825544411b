"""What all pages of the desk share: who may come in, where things are, and the desk's tabs."""

from typing import Annotated

from fastapi import Path

from almanac.accounts.model import Principal
from almanac.desks.news.urls import TABS
from almanac.http.auth import require
from almanac.http.pages import DeskPages

Reader = Annotated[Principal, require("desk.news.read")]
Editor = Annotated[Principal, require("desk.news.write")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]

PREFIX = "/news"
desk_page = DeskPages(desk="news", tabs=TABS).page
