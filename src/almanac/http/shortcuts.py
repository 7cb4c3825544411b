"""Every keyboard shortcut, by page: the list that `?` shows and the documentation prints.

Scripts do what is listed here; a test presses the keys.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from almanac.kit.messages import gettext, pgettext


@dataclass(frozen=True, slots=True)
class ShortcutGroup:
    """The keys of some pages: of those whose path begins and ends so, or of every page."""

    title: str
    keys: Sequence[tuple[str, str]]
    path: str = "/"
    ending: str = ""
    is_exact: bool = False
    is_of_rows: bool = False

    def applies_to(self, path: str) -> bool:
        if self.is_exact:
            return path == self.path
        return path.startswith(self.path) and path.endswith(self.ending)


# The letter that leads to a place after `g`, with what the place is called.
PLACES = {
    "/": ("h", gettext("Home")),
    "/news": ("n", gettext("News")),
    "/recap": ("c", gettext("Recap")),
    "/newsletter": ("l", gettext("Newsletter")),
    "/reminders": ("r", gettext("Reminders")),
    "/habits": ("b", gettext("Habits")),
    "/saved": ("s", gettext("Saved queries")),
    "/knowledge": ("k", gettext("Knowledge")),
    "/jobs": ("j", gettext("Jobs")),
    "/mail": ("m", gettext("Mail")),
    "/people": ("p", gettext("People")),
    "/organisation": ("o", gettext("Organisation")),
    "/webhooks": ("w", gettext("Webhooks")),
    "/models": ("d", gettext("Models")),
    "/audit": ("a", gettext("Audit log")),
}


def place_keys() -> dict[str, str]:
    """The letter after `g` by the path that it leads to, for the navigation."""
    return {path: letter for path, (letter, _) in PLACES.items()}


def _list_place_keys(paths: Collection[str]) -> tuple[tuple[str, str], ...]:
    return tuple((f"g {letter}", title) for path, (letter, title) in PLACES.items() if path in paths)


GO_TO = ShortcutGroup(gettext("Go to, by g and then a letter"), _list_place_keys(PLACES))
EVERYWHERE = ShortcutGroup(
    gettext("Everywhere"),
    (
        (pgettext("key", "Ctrl+K"), gettext("Open the command palette (⌘ K on a Mac)")),
        ("/", gettext("Go to the search field")),
        ("u", gettext("Undo what you just did")),
        ("?", gettext("Show the keys of this page")),
        ("Esc", gettext("Close what is open")),
    ),
)
SHORTCUTS = (
    EVERYWHERE,
    GO_TO,
    ShortcutGroup(
        gettext("Lists and tables"),
        (
            ("↓ j", gettext("Next row; ↓ also leads from the search field to the first one")),
            ("↑ k", gettext("Row before")),
            ("Enter", gettext("Open the row")),
            ("x", gettext("Choose the row, where rows can be chosen")),
        ),
        is_of_rows=True,
    ),
    ShortcutGroup(
        gettext("Home"),
        (
            ("←", gettext("The day before")),
            ("→", gettext("The day after")),
            ("x", gettext("Tick a habit, or take the tick back")),
        ),
        "/",
        is_exact=True,
    ),
    ShortcutGroup(
        gettext("Queue of reminders"),
        (
            ("j", gettext("Next draft")),
            ("k", gettext("Draft before")),
            ("Enter", gettext("Read the draft")),
            ("a", gettext("Approve")),
            ("r", gettext("Reject, with a note")),
            ("s", gettext("Snooze")),
            ("e", gettext("Edit the text")),
            ("x", gettext("Choose for a batch")),
            ("R", gettext("Reject what is chosen")),
            ("S", gettext("Snooze what is chosen")),
        ),
        "/reminders",
        is_exact=True,
    ),
    ShortcutGroup(
        gettext("Source reader"),
        (
            ("j", gettext("Next sentence")),
            ("k", gettext("Sentence before")),
            (pgettext("key", "Space"), gettext("I checked this, or take it back")),
        ),
        ending="/read",
    ),
    ShortcutGroup(
        gettext("Newsletter"),
        (
            ("Alt+↑", gettext("Move the part up")),
            ("Alt+↓", gettext("Move the part down")),
            (pgettext("key", "Ctrl+Enter"), gettext("Save the text")),
        ),
        "/newsletter/",
    ),
)


def list_shortcuts(path: str, places: Collection[str], *, has_rows: bool = True) -> list[ShortcutGroup]:
    """The keys that do something on a page, its own before those of every page, for a person who can go to `places`.

    Those of rows where it has rows and no other use of these keys.
    """
    own = [group for group in SHORTCUTS if group not in (EVERYWHERE, GO_TO) and group.applies_to(path)]
    groups = [*sorted(own, key=lambda group: group.is_of_rows), EVERYWHERE, GO_TO]
    taken = {key for group in groups if not group.is_of_rows for key, _ in group.keys}
    return [
        replace(group, keys=_list_place_keys(places)) if group is GO_TO else group
        for group in groups
        if not group.is_of_rows or (has_rows and "j" not in taken)
    ]
