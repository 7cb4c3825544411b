"""Where the desk's pages are: its tabs, each with its name, words and page; and what others lead to."""

from urllib.parse import quote, urlencode

_QUEUE = "/reminders"
TABS = (
    ("queue", "Queue", _QUEUE),
    ("plan", "Plan", "/reminders/plan"),
    ("customers", "Customers", "/reminders/customers"),
    ("invoices", "Invoices", "/reminders/invoices"),
    ("sent", "Sent", "/reminders/sent"),
    ("replies", "Replies", "/reminders/replies"),
    ("reports", "Reports", "/reminders/reports"),
    ("templates", "Templates", "/reminders/templates"),
    ("ladder", "Ladder", "/reminders/ladder"),
)


def queue_at(draft_id: str = "", state: str = "") -> str:
    """The queue with a draft opened beside it."""
    query = {name: value for name, value in (("state", state), ("draft", draft_id)) if value}
    return f"{_QUEUE}?{urlencode(query)}" if query else _QUEUE


def page_of_sent(mail_id: str) -> str:
    """A mail that was sent, with what became of it."""
    return f"/reminders/sent/{quote(mail_id, safe='')}"
