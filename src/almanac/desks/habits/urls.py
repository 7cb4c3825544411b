"""The desk's tabs: name, label and URL of each."""

TABS = (
    ("today", "Today", "/habits"),
    ("badges", "Badges", "/habits/badges"),
    ("points", "Points", "/habits/points"),
    ("report", "Report", "/habits/report"),
    ("leaderboard", "Leaderboard", "/habits/leaderboard"),
    ("files", "Import and export", "/habits/files"),
    ("settings", "Settings", "/habits/settings"),
)
