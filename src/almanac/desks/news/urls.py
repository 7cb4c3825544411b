"""Where the desk's pages are: its tabs as (name, label, path), and the path of a story."""

TABS = (
    ("stories", "Stories", "/news"),
    ("tasks", "Tasks", "/news/tasks"),
    ("queue", "Queue", "/news/queue"),
    ("fate", "Why is this not here?", "/news/fate"),
    ("sites", "Sites", "/news/sites"),
    ("rules", "Rules", "/news/rules"),
    ("figures", "Statistics", "/news/statistics"),
)


def story_path(link_id: int) -> str:
    """The page of a story, by the id of any of its articles."""
    return f"/news/stories/{link_id}"
