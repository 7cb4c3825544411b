"""What all pages of the desk share: who may come in, where things are, and the desk's tabs."""

from typing import Annotated

from fastapi import Path

from almanac.accounts.model import Principal
from almanac.http.desk_pages import DeskPages
from almanac.http.guards import require

Reader = Annotated[Principal, require("desk.news.read")]
Editor = Annotated[Principal, require("desk.news.write")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]

PREFIX = "/news"
TABS = (
    ("stories", "Stories", PREFIX),
    ("tasks", "Tasks", f"{PREFIX}/tasks"),
    ("queue", "Queue", f"{PREFIX}/queue"),
    ("fate", "Why is this not here?", f"{PREFIX}/fate"),
    ("sites", "Sites", f"{PREFIX}/sites"),
    ("rules", "Rules", f"{PREFIX}/rules"),
    ("figures", "Statistics", f"{PREFIX}/statistics"),
)
desk_page = DeskPages(desk="news", tabs=TABS).page
