"""How the verbs of accounts leave their trace in the audit log."""

from almanac.accounts.port import Accounts
from almanac.audit import service as audit
from almanac.audit.model import Actor, Deed, DetailValue, Subject
from almanac.relational import Unit


async def note(
    accounts: Accounts, unit: Unit, actor: Actor, action: str, subject: Subject, why: str = "", **detail: DetailValue
) -> None:
    """Record a deed in the transaction that does it."""
    await audit.record(unit, accounts.clock, Deed(actor, action, subject, why, detail))


def the_user(user_id: str) -> Subject:
    """A person as the audit log names what was acted on."""
    return Subject("user", user_id)
