"""Labels of states by their code, the same on every page."""

from almanac.kit.messages import gettext

_LABELS = {
    "active": gettext("Active"),
    "approved": gettext("Approved"),
    "bounce": gettext("Bounce"),
    "bounced": gettext("Bounced"),
    "cancelled": gettext("Cancelled"),
    "complained": gettext("Complained"),
    "complaint": gettext("Complaint"),
    "daily": gettext("Daily"),
    "deactivated": gettext("Deactivated"),
    "deferred": gettext("Deferred"),
    "delayed": gettext("Delayed"),
    "delivered": gettext("Delivered"),
    "failed": gettext("Failed"),
    "hourly": gettext("Hourly"),
    "invited": gettext("Invited"),
    "manual": gettext("Manual"),
    "queued": gettext("Queued"),
    "reading": gettext("Reading"),
    "ready": gettext("Ready"),
    "refused": gettext("Refused"),
    "rejected": gettext("Rejected"),
    "running": gettext("Running"),
    "sending": gettext("Sending"),
    "sent": gettext("Sent"),
    "succeeded": gettext("Succeeded"),
    "unsubscribe": gettext("Unsubscribe"),
    "void": gettext("Void"),
    "waiting": gettext("Waiting"),
    "weekly": gettext("Weekly"),
    "withdrawn": gettext("Withdrawn"),
}


def label_state(code: str) -> str:
    """The label of a state; a code without one is shown as it is, with a capital."""
    return _LABELS.get(code) or code.capitalize()
