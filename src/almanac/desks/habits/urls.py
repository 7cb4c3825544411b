"""Where the desk's pages are: its tabs, each with its name, its words and the page that it opens."""

TABS = (
    ("today", "Today", "/habits"),
    ("badges", "Badges", "/habits/badges"),
    ("points", "Points", "/habits/points"),
    ("report", "Report", "/habits/report"),
    ("leaderboard", "Leaderboard", "/habits/leaderboard"),
    ("files", "Import and export", "/habits/files"),
    ("settings", "Settings", "/habits/settings"),
)
