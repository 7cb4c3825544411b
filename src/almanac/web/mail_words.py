"""How mail is told to people: words and tones of its statuses, and what happened to a message as a timeline."""

from collections.abc import Mapping, Sequence

from almanac.mail.model import MailEvent, MailStatus
from almanac.web.timeline import TimelineItem

STATUS_TONES: Mapping[MailStatus, str] = {
    "queued": "waiting",
    "sending": "running",
    "sent": "done",
    "failed": "failed",
    "unknown": "waiting",
}
_WORDS = {"unknown": "In doubt"}
_EVENT_TONES = {
    "sent": "done",
    "delivered": "done",
    "failed": "failed",
    "refused": "failed",
    "bounced": "failed",
    "complained": "failed",
    "unknown": "waiting",
    "deferred": "waiting",
    "delayed": "waiting",
}


def mail_word(status: str) -> str:
    """What people call a status, the same at every desk."""
    return _WORDS.get(status, status.capitalize())


def mail_timeline(events: Sequence[MailEvent]) -> list[TimelineItem]:
    """Newest first: what happened, to whom and why."""
    return [
        TimelineItem(
            mail_word(event.kind) + (f" for {event.recipient}" if event.recipient else ""),
            event.happened_at,
            event.detail,
            _EVENT_TONES.get(event.kind, "plain"),
        )
        for event in reversed(events)
    ]
