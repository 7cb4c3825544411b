"""What the desk calls levels and states, for people. A level that somebody named themselves keeps its name."""

from collections.abc import Mapping

from almanac.desks.reminders.model.ladder import DraftState
from almanac.kit.messages import gettext, pgettext

STATES: Mapping[DraftState, str] = {
    "draft": gettext("To decide"),
    "approved": gettext("Approved"),
    "snoozed": gettext("Snoozed"),
    "sending": gettext("Being sent"),
    "unknown": gettext("In doubt"),
    "failed": gettext("Failed"),
    "rejected": gettext("Rejected"),
    "cancelled": gettext("Cancelled"),
}
# Within a sentence, such as `it is approved`.
STATE_WORDS: Mapping[str, str] = {
    "draft": pgettext("state of a reminder", "draft"),
    "approved": pgettext("state of a reminder", "approved"),
    "snoozed": pgettext("state of a reminder", "snoozed"),
    "sending": pgettext("state of a reminder", "sending"),
    "unknown": pgettext("state of a reminder", "unknown"),
    "failed": pgettext("state of a reminder", "failed"),
    "rejected": pgettext("state of a reminder", "rejected"),
    "cancelled": pgettext("state of a reminder", "cancelled"),
    "sent": pgettext("state of a reminder", "sent"),
}
DELIVERY_LABELS: Mapping[str, str] = {
    "kept": gettext("Kept here"),
    "delivered": pgettext("delivery of a mail", "Delivered"),
    "sent": pgettext("delivery of a mail", "Sent"),
    "delayed": pgettext("delivery of a mail", "Delayed"),
    "bounced": pgettext("delivery of a mail", "Bounced"),
    "complained": pgettext("delivery of a mail", "Complained"),
    "failed": pgettext("delivery of a mail", "Failed"),
    "refused": pgettext("delivery of a mail", "Refused"),
    "suppressed": pgettext("delivery of a mail", "Suppressed"),
    "unknown": pgettext("delivery of a mail", "Unknown"),
}
INVOICE_STATES: Mapping[str, str] = {
    "open": pgettext("state of an invoice", "Open"),
    "paid": pgettext("state of an invoice", "Paid"),
    "credited": pgettext("state of an invoice", "Credited"),
}
MAIL_HEADERS: Mapping[str, str] = {
    "From": gettext("From"),
    "To": gettext("To"),
    "Cc": gettext("Cc"),
    "Date": gettext("Date"),
    "Message-ID": "Message-ID",
}
_LEVEL_LABELS = {
    "first": pgettext("level of a reminder", "First"),
    "second": pgettext("level of a reminder", "Second"),
    "final": pgettext("level of a reminder", "Final"),
}
_LEVEL_WORDS = {
    "first": pgettext("level of a reminder", "first"),
    "second": pgettext("level of a reminder", "second"),
    "final": pgettext("level of a reminder", "final"),
}
_REMINDER_WORDS = {
    "first": pgettext("object of a sentence", "the first reminder"),
    "second": pgettext("object of a sentence", "the second reminder"),
    "final": pgettext("object of a sentence", "the final reminder"),
}


def level_label(level: str) -> str:
    """A level as a label: `First`."""
    return _LEVEL_LABELS.get(level, level.capitalize())


def level_words(level: str) -> str:
    """A level within a sentence: `the first reminder`."""
    return _LEVEL_WORDS.get(level, level)


def reminder_words(level: str) -> str:
    """A reminder of a level as the object of a sentence: `approved the first reminder`."""
    return _REMINDER_WORDS.get(level) or gettext("the reminder “%(level)s”", level=level)


def state_words(state: str) -> str:
    """The state of a reminder within a sentence."""
    return STATE_WORDS.get(state, state)
