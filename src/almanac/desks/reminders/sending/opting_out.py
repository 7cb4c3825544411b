"""The link by which a customer opts out of reminders: one for each customer, signed, and without an end."""

from almanac.errors import InputError
from almanac.kit.paging import decode_cursor, encode_cursor
from almanac.services import Services

PATH = "/reminders/opt-out"
_PURPOSE = "reminders opt-out"


def opt_out_url(services: Services, customer_id: str) -> str:
    """The page on which this customer opts out; a POST to it does so at once."""
    token = encode_cursor([customer_id], of=_PURPOSE, key=services.key(_PURPOSE))
    return f"{services.settings.public_url.rstrip('/')}{PATH}/{token}"


def customer_of_link(services: Services, token: str) -> str:
    """Whose link it is; one that we did not make is an InputError."""
    try:
        (customer_id,) = decode_cursor(token, of=_PURPOSE, key=services.key(_PURPOSE))
    except InputError as error:
        raise InputError("This link is damaged; copy it whole from the mail, or reply to the mail.") from error
    return str(customer_id)
