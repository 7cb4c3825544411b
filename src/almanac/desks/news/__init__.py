"""The news desk: finds links, reads each once, and tells it in three languages."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.news.pages import pages
from almanac.http.desk import Desk

DESK = Desk(
    name="news",
    title="News",
    summary="Links from queries and feeds, each read once, summarised and headlined in three languages.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
)
