"""Who may hear of an event: pure rules, asked when a message is made and again when it is sent."""

from collections.abc import Iterable

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, desk_permission
from almanac.notifications.model import NotificationEvent, NotificationKind

# Tasks and mail topics of a desk begin with its name; knowledge is the newsletter desk's.
_DESK_OF_AREA = {**{desk: desk for desk in DESKS}, "knowledge": "newsletter"}
_OPERATOR = "setup.manage"
# Habits are one's own, so nobody else has to be told of them.
_TOLD_DESKS = tuple(desk for desk in DESKS if desk != "habits")
_NOBODYS_OBJECTS = (None, "schedule")


def offered_kinds(principal: Principal) -> list[NotificationKind]:
    """The kinds that can concern this person at all."""
    needed = {
        NotificationKind.APPROVALS: [desk_permission(desk, "approve") for desk in DESKS],
        NotificationKind.MAIL: ["mail.settle"],
        NotificationKind.BACKUP: [_OPERATOR],
        NotificationKind.DESKS: [desk_permission(desk, "write") for desk in _TOLD_DESKS],
    }
    return [kind for kind in NotificationKind if any(map(principal.may, needed.get(kind, ["account.own"])))]


def may_receive(principal: Principal, event: NotificationEvent) -> bool:
    """Whether this person may hear of the event, as their rights are now."""
    if event.user_id is not None and not principal.owns(event.user_id):
        return False
    if event.user_id is None and event.actor_id is not None and principal.owns(event.actor_id):
        return False
    return all(principal.may(permission) for permission in required_permissions(event))


def required_permissions(event: NotificationEvent) -> Iterable[str]:
    """What somebody must be allowed to do to hear of an event."""
    facts = event.facts
    area = str(facts.get("task") or facts.get("topic") or "")
    if event.kind is NotificationKind.FAILURES and event.user_id is None:
        return _who_repairs(area, facts.get("object_kind"))
    of_kind = {
        NotificationKind.BACKUP: [_OPERATOR],
        NotificationKind.MAIL: ["mail.settle"],
        NotificationKind.ALERTS: ["saved.read"],
    }
    named = [str(facts["permission"])] if "permission" in facts else []
    return (*of_kind.get(event.kind, []), *named, *_reading(area))


def _who_repairs(task: str, object_kind: str | None) -> tuple[str, ...]:
    """Whoever writes at the desk, if the work is about nobody's own object; otherwise whoever runs the installation."""
    desk = _DESK_OF_AREA.get(task.partition(".")[0])
    if desk is not None and object_kind in _NOBODYS_OBJECTS:
        return ("jobs.read", desk_permission(desk, "write"))
    return ("jobs.read", _OPERATOR, *_reading(task))


def _reading(name: str) -> tuple[str, ...]:
    desk = _DESK_OF_AREA.get(name.partition(".")[0])
    return (desk_permission(desk, "read"),) if desk else ()
