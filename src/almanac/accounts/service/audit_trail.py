"""Audit entries and notices of accounts: what is kept on record, and what a person is told by mail."""

from almanac.accounts.model import AccountNotice, NoticeKind, User
from almanac.accounts.port import Accounts
from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.kit.ids import new_id
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


async def send_notice(
    accounts: Accounts, unit: Unit, user: User, kind: NoticeKind, *, email: str | None = None
) -> None:
    """Tell a person about a change of their account, at their address or at a former one."""
    language = user.preferences.language
    notice = AccountNotice(id=new_id(), kind=kind, email=email or user.email, name=user.name, language=language)
    await accounts.link_sender.send_notice(unit, notice)
