"""The desk's tabs: name, label and URL of each."""

from almanac.kit.messages import gettext

TABS = (
    ("today", gettext("Today"), "/habits"),
    ("badges", gettext("Badges"), "/habits/badges"),
    ("points", gettext("Points"), "/habits/points"),
    ("report", gettext("Report"), "/habits/report"),
    ("leaderboard", gettext("Leaderboard"), "/habits/leaderboard"),
    ("files", gettext("Import and export"), "/habits/files"),
    ("settings", gettext("Settings"), "/habits/settings"),
)
