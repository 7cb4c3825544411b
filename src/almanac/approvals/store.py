"""Every read and write of approvals in PostgreSQL, by name; rules and rights are the callers' business."""

from collections.abc import Sequence
from typing import Any

from almanac.approvals.model import Approval, ApprovalPerson, ApprovalState, ApprovalSubject
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


async def lock_subject(unit: Unit, subject: ApprovalSubject) -> None:
    """Let nobody else ask or decide about a subject until the unit ends."""
    await unit.one(QUERIES["lock_subject"], _named(subject))


async def find_current(unit: Unit, subject: ApprovalSubject) -> Approval | None:
    """The approval that is in force."""
    return await unit.one(QUERIES["find_current"], _named(subject), into=_approval)


async def find_approval(unit: Unit, approval_id: str) -> Approval | None:
    """One approval, in force or not."""
    return await unit.one(QUERIES["find_approval"], {"id": approval_id}, into=_approval)


async def replace_current(unit: Unit, approval: Approval) -> None:
    """Put a new question in force."""
    await unit.execute(QUERIES["retire_current"], _named(approval.subject))
    row = {
        **_named(approval.subject),
        "id": approval.id,
        "content_hash": approval.content_hash,
        "state": approval.state,
        "title": approval.title,
        "link": approval.link,
        "authors": sorted(approval.authors),
        "asked_by": approval.asked_by.id,
        "asked_by_name": approval.asked_by.name,
        "asked_at": approval.asked_at,
    }
    await unit.execute(QUERIES["add_approval"], row)


async def save_approval(unit: Unit, approval: Approval) -> None:
    """Write what became of a question."""
    row = {
        "id": approval.id,
        "state": approval.state,
        "decided_by": approval.decided_by and approval.decided_by.id,
        "decided_by_name": approval.decided_by and approval.decided_by.name,
        "decided_at": approval.decided_at,
        "note": approval.note,
        "ended_at": approval.ended_at,
        "ended_why": approval.ended_why,
    }
    await unit.execute(QUERIES["save_approval"], row)


async def list_waiting(
    reading: ReadTransaction, desks: Sequence[str], *, not_of: str | None, after: str | None, limit: int
) -> list[Approval]:
    """What waits at these desks, longest-waiting first."""
    params = {"desks": list(desks), "not_of": not_of, "after": after, "limit": limit}
    return await reading.all(QUERIES["list_waiting"], params, into=_approval)


async def count_waiting(reading: ReadTransaction, desks: Sequence[str], *, not_of: str | None) -> int:
    """How much waits at these desks."""
    return int(await reading.value(QUERIES["count_waiting"], {"desks": list(desks), "not_of": not_of}))


async def list_history(unit: Unit, subject: ApprovalSubject) -> list[Approval]:
    """Every question about a subject, newest first."""
    return await unit.all(QUERIES["list_history"], _named(subject), into=_approval)


def _named(subject: ApprovalSubject) -> dict[str, str]:
    return {"kind": subject.kind, "subject_id": subject.id}


def _approval(
    *,
    kind: str,
    subject_id: str,
    state: str,
    authors: list[str],
    asked_by: str,
    asked_by_name: str,
    decided_by: str | None,
    decided_by_name: str | None,
    **rest: Any,
) -> Approval:
    return Approval(
        subject=ApprovalSubject(kind, subject_id),
        state=ApprovalState(state),
        authors=frozenset(authors),
        asked_by=ApprovalPerson(asked_by, asked_by_name),
        decided_by=ApprovalPerson(decided_by, decided_by_name or "") if decided_by else None,
        **rest,
    )
