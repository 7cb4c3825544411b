"""Writing into the audit log what was done to the ledger and the templates, without anything personal."""

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import Deed, DetailValue, Subject
from almanac.services import Services


async def note(services: Services, by: Principal, action: str, kind: str, of: str, **detail: DetailValue) -> None:
    """One deed, such as `invoice.added` on the invoice with this number."""
    deed = Deed(by.actor, action, Subject(f"reminders.{kind}", of), detail=detail)
    async with services.database.unit() as unit:
        await audit.record(unit, services.clock, deed)
