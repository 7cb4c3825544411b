"""The recap desk: parliamentary meetings become articles: key points, a plain summary and every speech."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.recap.pages import pages
from almanac.http.desk import Desk

DESK = Desk(
    name="recap",
    title="Recap",
    summary="Parliamentary meetings become articles: key points, a plain summary and every speech.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
)
