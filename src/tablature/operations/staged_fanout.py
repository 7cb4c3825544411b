"""Fan-outs too large for one transaction: copies are staged under a generation, one write switches over, then cleanup.

Meanwhile a manifest lists every affected copy, and the main item carries the generation. A staged copy says from or
until which generation it is valid, so a reader decides by the main item which state to show. Whoever finds an abandoned
manifest finishes the write if the switch happened, and undoes it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tablature.errors import ConditionRefused, TransactionRefused
from tablature.expressions.builder import ExpressionBuilder
from tablature.expressions.conditions import Condition, absent, equals, exists
from tablature.operations.actions import Refusal, StaleRead, TransactAction, add_condition
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import KeyText, bookkeeping_item, key_text, primary_key
from tablature.operations.effects import Parallel, Steps, call, get_item
from tablature.operations.items import GENERATION, STAGED
from tablature.operations.plan import WritePlan
from tablature.records import record
from tablature.schema.model import EntitySchema, Table
from tablature.schema.refs import Ref
from tablature.wire import AttributeValue, Item, Request

FROM, UNTIL, NEXT, OF = "_from", "_until", "_next", "_of"
_MARKS = (FROM, UNTIL, NEXT, OF)
_CHUNK = 100
_DELETED, _WRITTEN = "gone", "written"


@record
class StagedWrite:
    """One staged write: its generation, its manifest, and the copies to write and to delete."""

    table: Table
    physical: str
    main: Item
    manifest: Item
    generation: AttributeValue
    written: dict[KeyText, Item]
    deleted: dict[KeyText, Item]
    is_delete: bool


def is_staged(item: Item | None) -> bool:
    return item is not None and STAGED in item


def write_staged(
    context: OperationContext,
    planned: WritePlan,
    markers: list[TransactAction],
    replan: Callable[[AttributeValue], WritePlan],
) -> Steps[Refusal | None]:
    """Execute a write with a large fan-out. Returns why it was refused, or None."""
    stage = _stage(context, planned)
    refused = yield from _begin(context, planned, stage)
    if refused is not None:
        return refused
    yield from _mark_copies(stage)
    refused = yield from _switch(context, replan(stage.generation), stage, markers)
    yield from (_finish(stage) if refused is None else _undo(stage))
    return refused


def _stage(context: OperationContext, planned: WritePlan) -> StagedWrite:
    schema = planned.write.schema
    table, main = schema.table, planned.write.ref.key
    changed = {key: copy for key, copy in planned.new_copies.items() if planned.old_copies.get(key) != copy}
    deleted = {key: copy for key, copy in planned.old_copies.items() if key not in planned.new_copies}
    generation = {"S": context.token()}
    return StagedWrite(
        table,
        context.physical(table),
        main,
        manifest_key(table, main),
        generation,
        changed,
        deleted,
        is_delete=planned.write.verb == "delete",
    )


def manifest_key(table: Table, main: Item) -> Item:
    return bookkeeping_item(table, "staging", table.delimiter.join(("STAGING", *key_text(table, main))))


def _begin(context: OperationContext, planned: WritePlan, stage: StagedWrite) -> Steps[Refusal | None]:
    """Store the manifest and mark the main item. An existing manifest is repaired first."""
    manifest = {
        **stage.manifest,
        GENERATION: stage.generation,
        "deletes": {"BOOL": stage.is_delete},
        "keys": {
            "L": [_key_entry(stage.table, c, _WRITTEN) for c in stage.written.values()]
            + [_key_entry(stage.table, c, _DELETED) for c in stage.deleted.values()]
        },
    }
    actions: list[Request] = [{"Put": _request(stage, {"Item": manifest}, absent(stage.table.pk))}]
    if planned.replaces:
        mark = _update(stage.main, {STAGED: stage.generation}, (), absent(STAGED) & exists(stage.table.pk))
        actions.append({"Update": {"TableName": stage.physical, **mark}})
    try:
        yield from call(planned.write.name, "TransactWriteItems", {"TransactItems": actions})
    except TransactionRefused:
        schema = planned.write.schema
        yield from repair_item(context, schema, planned.write.ref)
        return StaleRead((yield from get_item(planned.write.name, stage.physical, stage.main)))
    return None


def _key_entry(table: Table, copy: Item, fate: str) -> AttributeValue:
    return {"M": {**primary_key(table, copy), "fate": {"S": fate}}}


def _mark_copies(stage: StagedWrite) -> Steps[None]:
    of = {"M": stage.main}
    updates = [
        _update(primary_key(stage.table, copy), {NEXT: {"M": copy}, FROM: stage.generation, OF: of}, (), None)
        for copy in stage.written.values()
    ]
    updates += [
        _update(primary_key(stage.table, copy), {UNTIL: stage.generation, OF: of}, (), None)
        for copy in stage.deleted.values()
    ]
    for at in range(0, len(updates), _CHUNK):
        items = [{"Update": {"TableName": stage.physical, **update}} for update in updates[at : at + _CHUNK]]
        yield from call("staging", "TransactWriteItems", {"TransactItems": items})


def _switch(
    context: OperationContext, planned: WritePlan, stage: StagedWrite, markers: list[TransactAction]
) -> Steps[Refusal | None]:
    """The write that makes the new state valid: main item and sentinels, provided that the manifest is still ours."""
    main = planned.actions[0]
    copy_keys = {*planned.old_copies, *planned.new_copies}
    others = [action for action in planned.actions[1:] if action.key not in copy_keys] + markers
    is_ours = _request(stage, {"Key": primary_key(stage.table, stage.manifest)}, equals(GENERATION, stage.generation))
    requests = [{main.kind: _with_generation(main, stage)}, {"ConditionCheck": is_ours}]
    requests += [{action.kind: action.request} for action in others]
    request: Request = {"TransactItems": requests, "ClientRequestToken": context.token()}
    try:
        yield from call(planned.write.name, "TransactWriteItems", request)
    except TransactionRefused as refused:
        explained = [
            action.explain(reason.get("Item") or None)
            for action, reason in zip([main, None, *others], refused.reasons, strict=True)
            if action is not None and reason.get("Code") not in (None, "None")
        ]
        return explained[0] if explained else StaleRead((yield from get_item("staging", stage.physical, stage.main)))
    return None


def _with_generation(main: TransactAction, stage: StagedWrite) -> Request:
    marks = {STAGED: stage.generation, GENERATION: stage.generation}
    if main.kind == "Put":
        return {**main.request, "Item": {**main.request["Item"], **marks}}
    if main.kind == "Delete":
        return main.request
    text = main.request["UpdateExpression"]
    clause = "#staged = :generation, #generation = :generation"
    text = text.replace("SET ", f"SET {clause}, ", 1) if text.startswith("SET ") else f"SET {clause} {text}"
    names = {**main.request.get("ExpressionAttributeNames", {}), "#staged": STAGED, "#generation": GENERATION}
    values = {**main.request.get("ExpressionAttributeValues", {}), ":generation": stage.generation}
    return {
        **main.request,
        "UpdateExpression": text,
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
    }


def _finish(stage: StagedWrite) -> Steps[None]:
    """Replace staged copies by final ones, delete those no longer needed, and remove the marks."""
    finals = tuple(
        _write_unless_changed(stage, "PutItem", {"Item": copy}, equals(FROM, stage.generation))
        for copy in stage.written.values()
    )
    deleted = tuple(
        _write_unless_changed(
            stage, "DeleteItem", {"Key": primary_key(stage.table, copy)}, equals(UNTIL, stage.generation)
        )
        for copy in stage.deleted.values()
    )
    yield Parallel(finals + deleted)
    yield from _cleanup(stage)


def _undo(stage: StagedWrite) -> Steps[None]:
    """Remove the marks again. A copy that existed only as staged is deleted."""
    yield Parallel(
        tuple(_unmark(stage, primary_key(stage.table, c)) for c in (*stage.written.values(), *stage.deleted.values()))
    )
    yield from _cleanup(stage)


def _unmark(stage: StagedWrite, key: Item) -> Steps[None]:
    is_ours = equals(FROM, stage.generation) | equals(UNTIL, stage.generation)
    copy = yield from get_item("staging", stage.physical, key)
    if copy is None:
        return
    if not copy.keys() - {*_MARKS, *stage.table.key_attributes}:
        yield from _write_unless_changed(stage, "DeleteItem", {"Key": key}, is_ours)
    else:
        yield from _write_unless_changed(stage, "UpdateItem", _update(key, {}, _MARKS, is_ours), None)


def _write_unless_changed(
    stage: StagedWrite, operation: str, request: Request, condition: Condition | None
) -> Steps[None]:
    """One cleanup write, skipped if somebody changed the copy meanwhile."""
    full_request = {"TableName": stage.physical, **request}
    if condition is not None:
        full_request = add_condition(full_request, condition)
        full_request.pop("ReturnValuesOnConditionCheckFailure", None)
    try:
        yield from call("staging", operation, full_request)
    except ConditionRefused:
        return


def _cleanup(stage: StagedWrite) -> Steps[None]:
    is_ours = equals(STAGED, stage.generation)
    yield from _write_unless_changed(stage, "UpdateItem", _update(stage.main, {}, (STAGED, GENERATION), is_ours), None)
    key = primary_key(stage.table, stage.manifest)
    yield from _write_unless_changed(stage, "DeleteItem", {"Key": key}, equals(GENERATION, stage.generation))


def repair_item(context: OperationContext, schema: EntitySchema, ref: Ref[Any]) -> Steps[bool]:
    """Finish or undo an abandoned staged write of one item. False if there was none."""
    table, physical = schema.table, context.physical(schema.table)
    manifest = yield from get_item("staging", physical, primary_key(table, manifest_key(table, ref.key)))
    if manifest is None:
        return False
    main = yield from get_item("staging", physical, ref.key)
    generation = manifest[GENERATION]
    stage = StagedWrite(table, physical, ref.key, manifest, generation, {}, {}, manifest["deletes"]["BOOL"])
    switched = main is None if stage.is_delete else main is not None and main.get(GENERATION) == generation
    for entry in manifest["keys"]["L"]:
        yield from _repair_copy(stage, entry["M"], switched)
    yield from _cleanup(stage)
    return True


def _repair_copy(stage: StagedWrite, entry: Item, switched: bool) -> Steps[None]:
    key = primary_key(stage.table, entry)
    if not switched:
        yield from _unmark(stage, key)
    elif entry["fate"]["S"] == _DELETED:
        yield from _write_unless_changed(stage, "DeleteItem", {"Key": key}, equals(UNTIL, stage.generation))
    else:
        copy = yield from get_item("staging", stage.physical, key)
        if copy is not None and copy.get(FROM) == stage.generation:
            yield from _write_unless_changed(
                stage, "PutItem", {"Item": copy[NEXT]["M"]}, equals(FROM, stage.generation)
            )


def _request(stage: StagedWrite, request: Request, condition: Condition) -> Request:
    full_request = add_condition({"TableName": stage.physical, **request}, condition)
    full_request.pop("ReturnValuesOnConditionCheckFailure", None)
    return full_request


def _update(
    key: Item, sets: Mapping[str, AttributeValue], removes: tuple[str, ...], condition: Condition | None
) -> Request:
    expressions = ExpressionBuilder()
    clauses = []
    if sets:
        texts = [f"{expressions.name(name)} = {expressions.value(value)}" for name, value in sets.items()]
        clauses.append(f"SET {', '.join(texts)}")
    if removes:
        clauses.append(f"REMOVE {', '.join(map(expressions.name, removes))}")
    request = add_condition({"Key": key, "UpdateExpression": " ".join(clauses)}, condition, expressions)
    request.pop("ReturnValuesOnConditionCheckFailure", None)
    return request


def visible_copy(copy: Item, generation: AttributeValue | None, main_exists: bool) -> Item | None:
    """What a reader sees of a staged copy, given the main item's generation. None hides it."""
    if UNTIL in copy:
        visible = main_exists and generation != copy[UNTIL]
        return _without_marks(copy) if visible else None
    if FROM in copy:
        if main_exists and generation == copy[FROM]:
            return dict(copy[NEXT]["M"])
        plain = _without_marks(copy)
        return plain if len(plain) > len(copy[OF]["M"]) else None
    return copy


def _without_marks(copy: Item) -> Item:
    return {name: value for name, value in copy.items() if name not in _MARKS}


def main_item_key(copy: Item) -> Item | None:
    """The key of the main item of a staged copy; None if the copy isn't staged."""
    return dict(copy[OF]["M"]) if OF in copy and (FROM in copy or UNTIL in copy) else None
