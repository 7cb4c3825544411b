"""What a message says, in the language of its reader. Without leave to show titles it tells numbers only: a telephone
shows it to whoever stands beside it.
"""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

from almanac.kit.catalogs import SOURCE_LANGUAGE
from almanac.kit.messages import gettext, ngettext, translate
from almanac.kit.text import shorten
from almanac.notifications.model import NotificationEvent, NotificationKind, NotificationText

_TITLES_SHOWN, _BODY_CHARACTERS = 3, 240
_OPEN_TO_SEE = gettext("Open Almanac to see more.")
DESK_EVENTS = {
    "customer.replied": gettext("A customer replied to a reminder"),
    "recap.reported": gettext("A reader reported an error in an article"),
    "news.site_blocked": gettext("A site refuses to be read and is blocked for a while"),
    "newsletter.prepared": gettext("The next issue of a newsletter is ready for review"),
}
_TITLES: Mapping[NotificationKind, Callable[[int], str]] = {
    NotificationKind.APPROVALS: lambda number: ngettext(
        "%(num)s approval is waiting", "%(num)s approvals are waiting", number
    ),
    NotificationKind.FAILURES: lambda number: ngettext(
        "%(num)s piece of work failed", "%(num)s pieces of work failed", number
    ),
    NotificationKind.FINISHED: lambda number: ngettext(
        "What you started is done", "%(num)s things that you started are done", number
    ),
    NotificationKind.DESKS: lambda number: ngettext("%(num)s thing needs you", "%(num)s things need you", number),
    NotificationKind.ALERTS: lambda number: ngettext(
        "%(num)s new match of a saved query", "%(num)s new matches of a saved query", number
    ),
    NotificationKind.MAIL: lambda number: ngettext("%(num)s mail is in doubt", "%(num)s mails are in doubt", number),
    NotificationKind.BACKUP: lambda _number: gettext("The backup failed"),
    NotificationKind.SIGN_IN: lambda _number: gettext("New sign-in to your account"),
}
_BODIES = {
    NotificationKind.APPROVALS: gettext("Open Almanac to decide."),
    NotificationKind.MAIL: gettext("Nobody knows whether it was sent; look it up and decide."),
    NotificationKind.BACKUP: gettext("Open Almanac to see why, and run it again."),
    NotificationKind.SIGN_IN: gettext(
        "A browser was used that wasn't used before. If it wasn't you, end its session and change your password."
    ),
}
_PATHS = {
    NotificationKind.FAILURES: "/failures",
    NotificationKind.BACKUP: "/failures",
    NotificationKind.MAIL: "/mail?status=unknown",
    NotificationKind.SIGN_IN: "/account/sessions",
}
TitleOf = Callable[[str], str]


def write_message(
    events: Sequence[NotificationEvent], *, open_events: int | None, titles: bool, language: str, title_of: TitleOf
) -> NotificationText:
    """The text about events of one kind. `open_events` is how many are open in all, for kinds that tell that."""
    language = language or SOURCE_LANGUAGE
    kind = events[0].kind
    number = len(events) if open_events is None else open_events
    title, body = _write(kind, events, number, title_of)
    names = [str(event.facts["title"]) for event in events if event.facts.get("title")] if titles else []
    return NotificationText(
        kind=kind,
        title=translate(title, language),
        body=shorten(" · ".join(names[:_TITLES_SHOWN]) or translate(body, language), _BODY_CHARACTERS),
        path=find_path(events),
        language=language,
        waiting=open_events,
    )


def write_test_message(language: str) -> NotificationText:
    """A message by which somebody sees that a channel works."""
    language = language or SOURCE_LANGUAGE
    return NotificationText(
        kind=None,
        title=translate(gettext("Notifications work"), language),
        body=translate(gettext("This is the test message that you asked for."), language),
        path="/account/notifications",
        language=language,
    )


def _write(
    kind: NotificationKind, events: Sequence[NotificationEvent], number: int, title_of: TitleOf
) -> tuple[str, str]:
    tasks = dict.fromkeys(title_of(str(event.facts["task"])) for event in events if "task" in event.facts)
    body = " · ".join(list(tasks)[:_TITLES_SHOWN])
    if kind is NotificationKind.DESKS and number == 1:
        return DESK_EVENTS[str(events[0].facts["event"])], _OPEN_TO_SEE
    if kind is NotificationKind.ALERTS:
        number = sum(int(event.facts["matches"]) for event in events)
    return _TITLES[kind](number), _BODIES.get(kind) or body or _OPEN_TO_SEE


def find_path(events: Sequence[NotificationEvent]) -> str:
    """The page that a message opens: of the one thing it is about, or of the list."""
    kind, paths = events[0].kind, {str(event.facts.get("path", "")) for event in events}
    if kind is NotificationKind.FINISHED:
        return f"/jobs/{quote(events[0].key)}" if len(events) == 1 else "/jobs"
    return _PATHS.get(kind) or (paths.pop() if len(paths) == 1 else "") or "/"
