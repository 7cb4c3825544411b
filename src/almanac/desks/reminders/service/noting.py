"""Writing into the audit log what was done to the ledger and the templates, without anything personal."""

from almanac.accounts.model import Principal
from almanac.audit.model import DetailValue, Subject
from almanac.desks.reminders.events import announce
from almanac.services import Services


async def note(services: Services, by: Principal, action: str, kind: str, of: str, **detail: DetailValue) -> None:
    """One deed, such as `invoice.added` on the invoice with this number."""
    await announce(services, by, action, Subject(f"reminders.{kind}", of), detail)
