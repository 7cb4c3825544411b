"""Where the desk's pages are: its tabs, each with its name, its words and the page that it opens."""

TABS = (
    ("stories", "Stories", "/news"),
    ("tasks", "Tasks", "/news/tasks"),
    ("queue", "Queue", "/news/queue"),
    ("fate", "Why is this not here?", "/news/fate"),
    ("sites", "Sites", "/news/sites"),
    ("rules", "Rules", "/news/rules"),
    ("figures", "Statistics", "/news/statistics"),
)
