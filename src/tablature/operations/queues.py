"""Work queues: items are claimed from an index by lease, kept by heartbeat, then finished or released."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from tablature.errors import ConditionFailed, InputError, LeaseLost
from tablature.expressions import changes
from tablature.expressions.changes import FieldChange
from tablature.expressions.conditions import Comparison, Condition, absent, equals, exists
from tablature.operations.commit import execute
from tablature.operations.context import OperationContext
from tablature.operations.effects import Steps
from tablature.operations.reads import query_page
from tablature.operations.writes import patch, ref_to
from tablature.records import evolve, record
from tablature.schema.declarations import BoundQueue
from tablature.schema.entity import Entity, stored_item
from tablature.schema.model import PatternSchema, QueueSchema
from tablature.schema.patterns import Query
from tablature.wire import AttributeValue

E = TypeVar("E", bound=Entity)
TOKEN, OWNER, UNTIL = "lease_token", "lease_owner", "lease_until"
_PAGE = 25


@record
class Claim(Generic[E]):
    """A lease on one item: valid until the given time, and only with its token."""

    item: E
    queue: BoundQueue[E]
    token: str
    owner: str
    until: datetime
    attempt: int


def claim(
    context: OperationContext,
    queue: BoundQueue[E],
    owner: str,
    *,
    limit: int,
    where: Condition | None,
    inputs: dict[str, Any],
) -> Steps[list[Claim[E]]]:
    """Claim up to `limit` free items that meet the condition, in the order of the index; others aren't touched."""
    if limit < 1:
        raise InputError("A claim takes at least one item.")
    claims: list[Claim[E]] = []
    wanted = _is_free(context) if where is None else _is_free(context) & where
    query: Query[E] = _queue_query(queue, queue.schema.ready, "claim", wanted, inputs)
    cursor: str | None = None
    while True:
        candidates = yield from query_page(context, query, limit=_PAGE, cursor=cursor)
        for candidate in candidates.items:
            taken = yield from _claim_item(context, queue, candidate, owner)
            claims += [] if taken is None else [taken]
            if len(claims) == limit:
                return claims
        cursor = candidates.cursor
        if cursor is None:
            return claims


def _queue_query(queue: BoundQueue[E], state: Any, purpose: str, where: Condition, inputs: dict[str, Any]) -> Query[E]:
    schema: QueueSchema = queue.schema
    entity = queue.owner
    pattern = PatternSchema(
        f"{entity.name}.{schema.name}.{purpose}",
        entity,
        schema.path,
        "ascending",
        _PAGE,
        (),
        where,
        consistent=False,
        doc="",
    )
    needed = {schema.field: state, **inputs}
    missing = [name for name in pattern.needed if name not in needed]
    if missing:
        raise InputError(f"The queue {schema.name!r} needs {', '.join(missing)} to know which partition to look in.")
    return Query(pattern, needed)


def _is_free(context: OperationContext) -> Condition:
    return absent(UNTIL) | Comparison((UNTIL,), "<=", _epoch_millis(context.now()))


def _epoch_millis(value: datetime) -> AttributeValue:
    return {"N": str(int(value.timestamp() * 1000))}


def _claim_item(context: OperationContext, queue: BoundQueue[E], item: E, owner: str) -> Steps[Claim[E] | None]:
    """Claim one item. None if somebody else was faster or it was attempted too often."""
    schema = queue.schema
    attempts = _attempts(queue, item)
    if schema.most_attempts is not None and attempts >= schema.most_attempts:
        yield from _patch_if(context, queue, item, _set_state(queue, schema.failed), _is_free(context))
        return None
    token, until = context.token(), context.now() + schema.lease
    taken = [*_set_lease(token, owner, until), _count_attempt(queue), *_set_state(queue, schema.running)]
    is_ready: Condition = getattr(queue.cls, schema.field) == schema.ready
    claimed = yield from _patch_if(context, queue, item, taken, is_ready & _is_free(context))
    return None if claimed is None else Claim(claimed, queue, token, owner, until, attempts + 1)


def _patch_if(
    context: OperationContext, queue: BoundQueue[E], item: E, field_changes: list[FieldChange], when: Condition
) -> Steps[E | None]:
    """Patch an item under a condition. None if the condition is false."""
    if not field_changes:
        return None
    write = patch(ref_to(item), *field_changes, when=when)
    try:
        outcome = yield from execute(context, (write,), f"{queue.owner.name}.{queue.schema.name}")
    except ConditionFailed:
        return None
    changed: E = outcome.results[0]
    return changed


def _attempts(queue: BoundQueue[Any], item: Entity) -> int:
    stored = (stored_item(item) or {}).get(_attempts_attribute(queue))
    return int(stored["N"]) if stored is not None and "N" in stored else 0


def _attempts_attribute(queue: BoundQueue[Any]) -> str:
    declared = queue.owner.fields.get(queue.schema.attempts)
    return queue.schema.attempts if declared is None else declared.attribute


def _count_attempt(queue: BoundQueue[Any]) -> FieldChange:
    return changes.add(queue.schema.attempts, (_attempts_attribute(queue),), {"N": "1"}, 1)


def _set_lease(token: str, owner: str, until: datetime) -> list[FieldChange]:
    return [
        changes.set_to(TOKEN, (TOKEN,), {"S": token}, token),
        changes.set_to(OWNER, (OWNER,), {"S": owner}, owner),
        changes.set_to(UNTIL, (UNTIL,), _epoch_millis(until), until),
    ]


def _clear_lease(*kept: str) -> list[FieldChange]:
    return [changes.remove(name, (name,)) for name in (TOKEN, OWNER, UNTIL) if name not in kept]


def _set_state(queue: BoundQueue[Any], state: Any) -> list[FieldChange]:
    if state is None:
        return []
    field = getattr(queue.cls, queue.schema.field)
    return [field.set(state)]


def heartbeat(context: OperationContext, held: Claim[E]) -> Steps[Claim[E]]:
    """Extend the lease to its full time from now."""
    until = context.now() + held.queue.schema.lease
    field_changes = [changes.set_to(UNTIL, (UNTIL,), _epoch_millis(until), until)]
    item = yield from _patch_held(context, held, field_changes)
    return evolve(held, item=item, until=until)


def finish(
    context: OperationContext, held: Claim[E], field_changes: tuple[FieldChange, ...], fields: dict[str, Any]
) -> Steps[E]:
    """Apply the changes and end the lease. The queue's field becomes `done` unless the changes set it."""
    field_sets = [getattr(held.queue.cls, name).set(value) for name, value in fields.items()]
    named = {change.field for change in (*field_changes, *field_sets)}
    moved = [] if held.queue.schema.field in named else _set_state(held.queue, held.queue.schema.done)
    return (yield from _patch_held(context, held, [*field_changes, *field_sets, *moved, *_clear_lease()]))


def release(context: OperationContext, held: Claim[E], *, delay: timedelta, fields: dict[str, Any]) -> Steps[E]:
    """End the lease so that anybody can claim the item again, after the delay."""
    field_sets = [getattr(held.queue.cls, name).set(value) for name, value in fields.items()]
    schema = held.queue.schema
    field_changes = [*field_sets, *(_set_state(held.queue, schema.ready) if schema.running is not None else [])]
    if delay:
        until = context.now() + delay
        field_changes += [*_clear_lease(UNTIL), changes.set_to(UNTIL, (UNTIL,), _epoch_millis(until), until)]
    else:
        field_changes += _clear_lease()
    return (yield from _patch_held(context, held, field_changes))


def _patch_held(context: OperationContext, held: Claim[E], field_changes: list[FieldChange]) -> Steps[E]:
    """Patch a claimed item. Raises LeaseLost if the claim no longer holds it."""
    changed = yield from _patch_if(context, held.queue, held.item, field_changes, equals(TOKEN, {"S": held.token}))
    if changed is None:
        raise LeaseLost(f"The lease on {ref_to(held.item)!r} is no longer held by {held.owner}; stop working on it.")
    return changed


def list_leases(context: OperationContext, queue: BoundQueue[E], *, inputs: dict[str, Any]) -> Steps[list[Claim[E]]]:
    """All current leases with their owners, expired ones included."""
    state = queue.schema.ready if queue.schema.running is None else queue.schema.running
    query: Query[E] = _queue_query(queue, state, "leases", exists(TOKEN), inputs)
    claims: list[Claim[E]] = []
    cursor: str | None = None
    while True:
        held = yield from query_page(context, query, limit=_PAGE, cursor=cursor)
        claims += [_claim_from_item(queue, item) for item in held.items]
        cursor = held.cursor
        if cursor is None:
            return claims


def _claim_from_item(queue: BoundQueue[E], item: E) -> Claim[E]:
    stored = stored_item(item) or {}
    until = datetime.fromtimestamp(int(stored[UNTIL]["N"]) / 1000, UTC)
    return Claim(item, queue, stored[TOKEN]["S"], stored[OWNER]["S"], until, _attempts(queue, item))


def reset_expired(context: OperationContext, queue: BoundQueue[E], *, inputs: dict[str, Any]) -> Steps[int]:
    """Release every item whose lease expired, or mark it failed after too many attempts. Returns how many."""
    schema, is_expired = queue.schema, Comparison((UNTIL,), "<=", _epoch_millis(context.now()))
    state = schema.ready if schema.running is None else schema.running
    query: Query[E] = _queue_query(queue, state, "reset", exists(TOKEN) & is_expired, inputs)
    count, cursor = 0, None
    while True:
        expired = yield from query_page(context, query, limit=_PAGE, cursor=cursor)
        for item in expired.items:
            token = (stored_item(item) or {}).get(TOKEN)
            is_exhausted = schema.most_attempts is not None and _attempts(queue, item) >= schema.most_attempts
            state = schema.failed if is_exhausted else (schema.ready if schema.running is not None else None)
            when = equals(TOKEN, token) & is_expired
            changed = yield from _patch_if(context, queue, item, [*_set_state(queue, state), *_clear_lease()], when)
            count += changed is not None
        cursor = expired.cursor
        if cursor is None:
            return count
