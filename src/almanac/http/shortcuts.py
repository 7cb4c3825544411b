"""Every keyboard shortcut, by page: the list that `?` shows and the documentation prints.

Scripts do what is listed here; a test presses the keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.kit.messages import gettext, pgettext


@dataclass(frozen=True, slots=True)
class ShortcutGroup:
    """The keys of some pages: of those whose path begins so, or of every page."""

    title: str
    keys: Sequence[tuple[str, str]]
    path: str = "/"
    is_exact: bool = False
    is_of_rows: bool = False

    def applies_to(self, path: str) -> bool:
        return path == self.path if self.is_exact else path.startswith(self.path)


SHORTCUTS = (
    ShortcutGroup(
        gettext("Everywhere"),
        (
            (pgettext("key", "Ctrl+K"), gettext("Open the command palette (⌘ K on a Mac)")),
            ("/", gettext("Go to the search field")),
            ("?", gettext("Show the keys of this page")),
            ("Esc", gettext("Close what is open")),
        ),
    ),
    ShortcutGroup(
        gettext("Tables"),
        (
            ("↓ j", gettext("Next row")),
            ("↑ k", gettext("Row before")),
            ("Enter", gettext("Open the row")),
        ),
        is_of_rows=True,
    ),
    ShortcutGroup(
        gettext("Search results"),
        (
            ("↓", gettext("Next result, from the field too")),
            ("↑", gettext("Result before")),
            ("Enter", gettext("Open the result")),
        ),
        "/search",
    ),
    ShortcutGroup(
        gettext("Queue of reminders"),
        (
            ("j", gettext("Next draft")),
            ("k", gettext("Draft before")),
            ("a", gettext("Approve")),
            ("r", gettext("Reject, with a note")),
            ("s", gettext("Snooze")),
            ("e", gettext("Edit the text")),
            ("u", gettext("Undo the last decision")),
            ("x", gettext("Choose for a batch")),
            ("R", gettext("Reject what is chosen")),
            ("S", gettext("Snooze what is chosen")),
        ),
        "/reminders",
        is_exact=True,
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


def list_shortcuts(path: str, *, has_rows: bool = True) -> list[ShortcutGroup]:
    """The keys that do something on a page; those of rows where it has rows and no other use of these keys."""
    groups = [group for group in SHORTCUTS if group.applies_to(path)]
    taken = {key for group in groups if not group.is_of_rows for key, _ in group.keys}
    return [group for group in groups if not group.is_of_rows or (has_rows and "j" not in taken)]
