"""The news desk: query tasks and feeds find links; each is deduplicated, read, summarised and headlined in English, Chinese and Malay."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.news.pages import pages
from almanac.http.desk import Desk

DESK = Desk(
    name="news",
    title="News",
    summary="Query tasks and feeds find links; each is deduplicated, read, summarised and headlined in English, Chinese and Malay.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
)
