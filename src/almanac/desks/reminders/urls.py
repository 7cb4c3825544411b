"""URLs of the desk's pages: its tabs, links from elsewhere, and the opt-out link in each mail."""

from urllib.parse import urlencode

from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.kit.paging import decode_cursor, encode_cursor
from almanac.services import Services

_QUEUE = "/reminders"
TABS = (
    ("queue", gettext("Queue"), _QUEUE),
    ("plan", gettext("Plan"), "/reminders/plan"),
    ("customers", gettext("Customers"), "/reminders/customers"),
    ("invoices", gettext("Invoices"), "/reminders/invoices"),
    ("sent", gettext("Sent"), "/reminders/sent"),
    ("replies", gettext("Replies"), "/reminders/replies"),
    ("reports", gettext("Reports"), "/reminders/reports"),
    ("templates", gettext("Templates"), "/reminders/templates"),
    ("ladder", gettext("Ladder"), "/reminders/ladder"),
)


def queue_url(draft_id: str = "", state: str = "") -> str:
    """The queue, with a draft opened beside it."""
    query = {name: value for name, value in (("state", state), ("draft", draft_id)) if value}
    return f"{_QUEUE}?{urlencode(query)}" if query else _QUEUE


OPT_OUT_PATH = "/reminders/opt-out"
_OPT_OUT_PURPOSE = "reminders opt-out"


def opt_out_url(services: Services, customer_id: str) -> str:
    """The public page on which this customer opts out; a POST to it does so at once. The link never expires."""
    token = encode_cursor([customer_id], of=_OPT_OUT_PURPOSE, key=services.key(_OPT_OUT_PURPOSE))
    return f"{services.settings.public_url.rstrip('/')}{OPT_OUT_PATH}/{token}"


def parse_opt_out_token(services: Services, token: str) -> str:
    """The customer id in an opt-out link. InputError if it wasn't signed by us."""
    try:
        (customer_id,) = decode_cursor(token, of=_OPT_OUT_PURPOSE, key=services.key(_OPT_OUT_PURPOSE))
    except InputError as error:
        raise InputError(
            gettext("This link is incomplete; copy all of it from the mail, or reply to the mail.")
        ) from error
    return str(customer_id)
