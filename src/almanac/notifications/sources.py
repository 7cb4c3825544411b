"""Where events come from besides the triggers of the database: approvals, and what desks publish to webhooks.

Both are heard in the transaction of the change, so an event exists exactly if its change does.
"""

from collections.abc import Mapping

from almanac.accounts.permissions import desk_permission
from almanac.approvals import Approval, Approvals, ApprovalState
from almanac.notifications import store
from almanac.notifications.model import NotificationKind
from almanac.relational import Unit
from almanac.webhooks import Webhooks

# Of a reminder: the event with which it begins to wait for an approval, the one with which it waits again, and those
# after which it doesn't.
_DRAFTED, _REOPENED = "reminder.drafted", "reminder.reopened"
_DECIDED = frozenset(
    f"reminder.{outcome}" for outcome in ("approved", "rejected", "snoozed", "cancelled", "failed", "sent")
)
# What needs somebody at a desk: who is told, and which page opens.
_DESK_EVENTS = {
    "customer.replied": (desk_permission("reminders", "write"), "/reminders"),
    "recap.reported": (desk_permission("recap", "write"), "/recap"),
    "news.site_blocked": (desk_permission("news", "write"), "/news"),
    "newsletter.prepared": (desk_permission("newsletter", "read"), "/newsletter"),
}


def listen_to_approvals(approvals: Approvals) -> None:
    """Tell approvers of each question; it is settled when somebody decides or takes it back."""

    async def hear(unit: Unit, approval: Approval) -> None:
        if approval.state is not ApprovalState.WAITING:
            await store.settle_event(unit, NotificationKind.APPROVALS, approval.id)
            return
        facts = {
            "permission": approval.subject.permission("approve"),
            "title": approval.title,
            "path": approval.link or "/approvals",
        }
        await store.add_event(unit, NotificationKind.APPROVALS, approval.id, facts, actor_id=approval.asked_by.id)

    approvals.add_listener(hear)


def listen_to_desks(webhooks: Webhooks) -> None:
    """Tell people of the events of desks that need somebody."""

    async def hear(unit: Unit, event: str, payload: Mapping[str, object]) -> None:
        if event == _DRAFTED:
            facts = {"permission": desk_permission("reminders", "approve"), "path": "/reminders"}
            await store.add_event(unit, NotificationKind.APPROVALS, f"reminder {payload['id']}", facts)
        elif event == _REOPENED:
            await store.reopen_event(unit, NotificationKind.APPROVALS, f"reminder {payload['id']}")
        elif event in _DECIDED:
            await store.settle_event(unit, NotificationKind.APPROVALS, f"reminder {payload['id']}")
        elif event in _DESK_EVENTS:
            await _add_desk_event(unit, event, payload)

    webhooks.add_listener(hear)


async def _add_desk_event(unit: Unit, event: str, payload: Mapping[str, object]) -> None:
    permission, path = _DESK_EVENTS[event]
    subject = payload.get("id") or payload.get("article_id") or payload.get("domain") or payload.get("code")
    owner = payload.get("owner_id")
    facts = {"permission": permission, "path": path, "event": event, "title": payload.get("title", "")}
    await store.add_event(
        unit, NotificationKind.DESKS, f"{event} {subject}", facts, user_id=str(owner) if owner else None
    )
