"""The habits desk: habits, streaks, points, achievements and a leaderboard."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.habits.pages import pages
from almanac.http.desk import Desk

DESK = Desk(
    name="habits",
    title="Habits",
    summary="Habits, streaks, points, achievements and a leaderboard.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
)
