"""Audit entries of accounts."""

from almanac.accounts.port import Accounts
from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.relational import Unit


async def record_user_action(
    accounts: Accounts,
    unit: Unit,
    actor: Actor,
    action: str,
    subject: AuditSubject,
    why: str = "",
    **detail: DetailValue,
) -> None:
    """Record an action of or on a user in the caller's transaction."""
    await audit.record(unit, accounts.clock, AuditAction(actor, action, subject, why, detail))


def user_subject(user_id: str) -> AuditSubject:
    """A person as the audit log names what was acted on."""
    return AuditSubject("user", user_id)
