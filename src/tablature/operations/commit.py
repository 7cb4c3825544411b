"""Executes writes: reads the current item if needed, sends one action or one transaction, and replans on conflict."""

from __future__ import annotations

from typing import Any, TypeVar

from tablature.errors import (
    ConditionFailed,
    ConditionRefused,
    Contention,
    DoesNotExist,
    InputError,
    ServiceError,
    TablatureError,
    TransactionFailed,
    TransactionRefused,
)
from tablature.expressions.conditions import absent
from tablature.operations.actions import (
    Refusal,
    SentinelTakenOver,
    StaleRead,
    TransactAction,
    check_transaction,
    fits_one_transaction,
    merge_sentinel_transfers,
    put_action,
)
from tablature.operations.blobs import OffloadedValues, delete_unused_blobs, offload_blobs
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import KeyText, bookkeeping_item
from tablature.operations.deserialization import deserialize
from tablature.operations.effects import DeleteObject, Sleep, Steps, call, get_item
from tablature.operations.items import STAGED
from tablature.operations.plan import ObservedItem, WritePlan, plan_write
from tablature.operations.reads import get
from tablature.operations.staged_fanout import is_staged, repair_item, write_staged
from tablature.operations.writes import Write
from tablature.records import evolve, mutable_record, record, record_field
from tablature.schema.entity import Entity
from tablature.schema.model import EntitySchema
from tablature.wire import AttributeValue, Item, Request, Response

E = TypeVar("E", bound=Entity)
MAX_ATTEMPTS = 12
_ATTEMPTS_WITHOUT_BACKOFF = 2
_SINGLE = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}
_TRANSIENT = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}


@mutable_record
class WriteAttempt:
    """One write in progress: the item as last read, the uploaded blobs, and the plan made from them."""

    write: Write[Any]
    observed: ObservedItem | None = None
    offloaded: OffloadedValues = record_field(default_factory=OffloadedValues)
    lost_sentinels: frozenset[KeyText] = frozenset()
    plan: WritePlan | None = None

    @property
    def current(self) -> Item | None:
        return self.observed.item if self.observed is not None else None


@record
class Outcome:
    """The result of writes. `applied` is False if the event had already been applied."""

    applied: bool
    results: list[Any]


class AlreadyApplied(TablatureError):
    """The event's marker exists, so its writes were applied before."""


def execute(
    context: OperationContext, writes: tuple[Write[Any], ...], name: str, extra: tuple[TransactAction, ...] = ()
) -> Steps[Outcome]:
    """Execute the writes, all or none, with extra unconditional actions. Replans on conflict."""
    if not writes and not extra:
        raise InputError("A transaction needs at least one write.")
    attempts = [WriteAttempt(write) for write in writes]
    token = context.token()
    for turn in range(MAX_ATTEMPTS):
        yield from _make_plans(context, attempts)
        owned = merge_sentinel_transfers(
            [(attempt, action) for attempt in attempts for action in _require_plan(attempt).actions]
        )
        actions = [*(action for _, action in owned), *_markers(context, writes), *extra]
        response: Response = {}
        if not fits_one_transaction(actions) and len(writes) == 1 and writes[0].schema.fanouts:
            refusals = [(yield from _stage(context, attempts[0], _markers(context, writes)))]
        else:
            refusals, response = yield from _send(name, actions, f"{token[:30]}-{turn}")
        if all(refusal is None for refusal in refusals):
            return (yield from _outcome(context, attempts, actions, response))
        if any(isinstance(refusal, AlreadyApplied) for refusal in refusals):
            return (yield from _skipped_outcome(attempts))
        yield from _apply_refusals(context, attempts, [attempt for attempt, _ in owned], refusals, turn)
    raise Contention(name, MAX_ATTEMPTS)


def _require_plan(attempt: WriteAttempt) -> WritePlan:
    assert attempt.plan is not None
    return attempt.plan


def _stage(context: OperationContext, attempt: WriteAttempt, markers: list[TransactAction]) -> Steps[Refusal | None]:
    """Write a fan-out that doesn't fit into one transaction."""

    def replan(generation: AttributeValue) -> WritePlan:
        marked = ObservedItem(None if attempt.current is None else {**attempt.current, STAGED: generation})
        attempt.plan = _plan(context, evolve(attempt, observed=marked))
        return _require_plan(attempt)

    return (yield from write_staged(context, _require_plan(attempt), markers, replan))


def _make_plans(context: OperationContext, attempts: list[WriteAttempt]) -> Steps[None]:
    """Plan every write. If that needs the current item, use the one last read, or read it."""
    for attempt in attempts:
        write, schema = attempt.write, attempt.write.schema
        if schema.blobs and attempt.observed is None:
            yield from _read_current(context, attempt)
        if schema.blobs:
            yield from offload_blobs(context, write, attempt.current, attempt.offloaded)
        attempt.plan = _plan(context, attempt)
        if attempt.plan is None and write.last_read is not None:
            attempt.observed = ObservedItem(write.last_read)
            attempt.plan = _plan(context, attempt)
        if attempt.plan is None:
            yield from _read_current(context, attempt)
            attempt.plan = _plan(context, attempt)
        if schema.fanouts and is_staged(attempt.current):
            yield from repair_item(context, schema, write.ref)
            yield from _read_current(context, attempt)
            attempt.plan = _plan(context, attempt)


def _plan(context: OperationContext, attempt: WriteAttempt) -> WritePlan | None:
    return plan_write(context, attempt.write, attempt.observed, attempt.offloaded.pointers, attempt.lost_sentinels)


def _read_current(context: OperationContext, attempt: WriteAttempt) -> Steps[None]:
    write = attempt.write
    item = yield from get_item(write.name, context.physical(write.schema.table), write.ref.key)
    attempt.observed = ObservedItem(item)


def _markers(context: OperationContext, writes: tuple[Write[Any], ...]) -> list[TransactAction]:
    """One marker for each event that must be applied at most once."""
    events = {write.event: write.schema for write in writes if write.event is not None}
    return [_marker(context, schema, event) for event, schema in events.items()]


def _marker(context: OperationContext, schema: EntitySchema, event: str) -> TransactAction:
    table = schema.table
    marker = bookkeeping_item(table, "once", f"ONCE{table.delimiter}{event}")
    if table.ttl is not None and context.once_for is not None:
        marker[table.ttl] = {"N": str(context.epoch() + int(context.once_for.total_seconds()))}
    return put_action(
        context, table, marker, absent(table.pk), lambda _: AlreadyApplied(f"{event} was applied before.")
    )


def _send(name: str, actions: list[TransactAction], token: str) -> Steps[tuple[list[Refusal | None], Response]]:
    """Send the actions. Returns one refusal or None per action, and the response."""
    if len(actions) == 1 and actions[0].kind in _SINGLE:
        return (yield from _send_single(name, actions[0]))
    check_transaction(actions)
    request: Request = {
        "TransactItems": [{action.kind: action.request} for action in actions],
        "ClientRequestToken": token,
        "ReturnConsumedCapacity": "TOTAL",
    }
    try:
        response = yield from call(name, "TransactWriteItems", request)
    except TransactionRefused as refused:
        return [_refusal_for(action, reason) for action, reason in zip(actions, refused.reasons, strict=True)], {}
    return [None] * len(actions), response


def _send_single(name: str, action: TransactAction) -> Steps[tuple[list[Refusal | None], Response]]:
    request = {**action.request, "ReturnConsumedCapacity": "TOTAL"}
    if action.kind != "Put":
        request["ReturnValues"] = "ALL_NEW" if action.kind == "Update" else "ALL_OLD"
    try:
        response = yield from call(name, _SINGLE[action.kind], request)
    except ConditionRefused as refused:
        return [action.explain(refused.item)], {}
    return [None], response


def _refusal_for(action: TransactAction, reason: dict[str, Any]) -> Refusal | None:
    code = reason.get("Code") or "None"
    if code == "None":
        return None
    if code == "ConditionalCheckFailed":
        return action.explain(reason.get("Item") or None)
    return ServiceError(code, reason.get("Message") or "the service gave no reason")


def _apply_refusals(
    context: OperationContext,
    attempts: list[WriteAttempt],
    owners: list[WriteAttempt],
    refusals: list[Refusal | None],
    turn: int,
) -> Steps[None]:
    """Update the attempts from their refusals. Raises if planning again would not help."""
    errors: list[TablatureError | None] = [None] * len(attempts)
    is_transient = False
    for at, refusal in enumerate(refusals):
        owner = owners[at] if at < len(owners) else attempts[0]
        if isinstance(refusal, StaleRead):
            owner.observed = ObservedItem(refusal.current)
        elif isinstance(refusal, SentinelTakenOver):
            owner.lost_sentinels |= {refusal.key}
        elif isinstance(refusal, ServiceError) and refusal.code in _TRANSIENT:
            is_transient = True
        elif refusal is not None:
            position = attempts.index(owner)
            errors[position] = errors[position] or refusal
    if any(isinstance(refusal, StaleRead) for refusal in refusals):
        if turn >= _ATTEMPTS_WITHOUT_BACKOFF:
            yield Sleep(context.backoff(turn))
        return
    if any(errors):
        yield from _discard_uploads(attempts)
        yield from _raise_failure(context, attempts, errors)
    if is_transient:
        yield Sleep(context.backoff(turn))


def _discard_uploads(attempts: list[WriteAttempt]) -> Steps[None]:
    """Delete objects that were uploaded for a write that failed."""
    for attempt in attempts:
        yield from delete_unused_blobs(attempt.offloaded.pointers, attempt.current or {}, attempt.write.schema)


def _raise_failure(
    context: OperationContext, attempts: list[WriteAttempt], errors: list[TablatureError | None]
) -> Steps[None]:
    for attempt, error in zip(attempts, errors, strict=True):
        if isinstance(error, ConditionFailed) and isinstance(error.current, dict):
            error.current = yield from deserialize(context, attempt.write.schema, error.current)
    if len(attempts) == 1 and errors[0] is not None:
        raise errors[0]
    raise TransactionFailed(errors)


def _outcome(
    context: OperationContext, attempts: list[WriteAttempt], actions: list[TransactAction], response: Response
) -> Steps[Outcome]:
    results = []
    for attempt in attempts:
        result = yield from _result(context, attempt, response if len(actions) == 1 else None, len(attempts) == 1)
        results.append(result)
        if attempt.write.schema.blobs:
            yield from _delete_replaced_blobs(attempt)
    return Outcome(applied=True, results=results)


def _result(context: OperationContext, attempt: WriteAttempt, response: Response | None, is_alone: bool) -> Steps[Any]:
    """The stored entity; for a delete, the deleted one."""
    planned = _require_plan(attempt)
    write, schema = attempt.write, attempt.write.schema
    if planned.item is not None:
        return schema.cls.__codec__.decode({**planned.item, **attempt.offloaded.values})  # type: ignore[attr-defined]  # every entity class has a codec
    if write.verb == "check" or not is_alone:
        return None
    if response is not None:
        item = response.get("Attributes") or None
    elif write.verb == "delete":
        item = attempt.current
    else:
        item = yield from get_item(write.name, context.physical(schema.table), write.ref.key)
    return None if item is None else (yield from deserialize(context, schema, item))


def _delete_replaced_blobs(attempt: WriteAttempt) -> Steps[None]:
    schema, write = attempt.write.schema, attempt.write
    new = dict(attempt.current or {}) if write.verb == "patch" else {}
    for change in write.changes:
        new.pop(str(change.path[0]), None)
    yield from delete_unused_blobs(attempt.current, {**new, **attempt.offloaded.pointers}, schema)


def _skipped_outcome(attempts: list[WriteAttempt]) -> Steps[Outcome]:
    """The outcome if the event was already applied; uploads are deleted."""
    for attempt in attempts:
        for blob in attempt.offloaded.pointers.values():
            yield DeleteObject(blob["M"]["_blob"]["S"])
    return Outcome(applied=False, results=[None] * len(attempts))


def with_event(writes: tuple[Write[Any], ...], event: str | None) -> tuple[Write[Any], ...]:
    """The writes, applied at most once for the event."""
    return writes if event is None else (evolve(writes[0], event=event), *writes[1:])


def execute_write(context: OperationContext, write: Write[E], event: str | None) -> Steps[E]:
    """Execute a create, put, update, upsert or patch. If the event was already applied, the entity as stored."""
    write = write if event is None else write.once(event)
    outcome = yield from execute(context, (write,), write.name)
    entity: E | None = outcome.results[0]
    if entity is None:
        entity = yield from get(context, write.ref, consistent=True)
    if entity is None:
        raise DoesNotExist(f"{write.ref!r} does not exist any more.")
    return entity


def execute_delete(context: OperationContext, write: Write[E]) -> Steps[E | None]:
    """Execute a delete. Returns the deleted entity, or None."""
    outcome = yield from execute(context, (write,), write.name)
    entity: E | None = outcome.results[0]
    return entity
