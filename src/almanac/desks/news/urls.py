"""Where the desk's pages are: its tabs as (name, label, path), and the path of a story."""

from almanac.kit.messages import gettext

TABS = (
    ("stories", gettext("Stories"), "/news"),
    ("tasks", gettext("Tasks"), "/news/tasks"),
    ("queue", gettext("Queue"), "/news/queue"),
    ("fate", gettext("Why is this not here?"), "/news/fate"),
    ("sites", gettext("Sites"), "/news/sites"),
    ("rules", gettext("Rules"), "/news/rules"),
    ("figures", gettext("Statistics"), "/news/statistics"),
)


def story_path(link_id: int) -> str:
    """The page of a story, by the id of any of its articles."""
    return f"/news/stories/{link_id}"


def reader_path(link_id: int) -> str:
    """The source reader of a story."""
    return f"{story_path(link_id)}/read"
