"""Checks of secondary indexes: whether each is written, read, and spread evenly."""

from collections.abc import Iterator

from tablature.design.model import Design
from tablature.lint.checks import (
    FEW_VALUED,
    TIMES,
    LintIssue,
    distinguishing_field,
    field_shapes,
    issue_at,
    lint_check,
)
from tablature.schema.model import EntitySchema, IndexPath, WhenClause

_MAX_GLOBAL, _MAX_LOCAL = 20, 5
_MANY_SHARDS = 32


@lint_check(
    "TAB101",
    "No entity writes this index",
    "warning",
    why="Every query of an index that nothing writes is empty, and whoever reads the table's definition "
    "believes that it holds something.",
    fix="Remove the index from the table, or declare `index(...)` on the entity that belongs in it.",
)
def unwritten_index(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        paths = [path for entity in table.entities.values() for path in entity.indexes]
        constants = {name for e in table.entities.values() for fanout in e.fanouts for name in fanout.constants}
        for index in table.indexes:
            if index.pk not in constants and all(path.index != index.name for path in paths):
                yield LintIssue(f"{table.name}.{index.name}", f"No entity of {table.name!r} has keys in {index.name}.")


@lint_check(
    "TAB102",
    "Nothing reads this index",
    "warning",
    why="Every write of the entity is repeated in the index and its items are stored a second time. Without a "
    "pattern that reads it, that money is wasted.",
    fix="Declare the access pattern that the index is for, or remove it.",
)
def unread_index(design: Design) -> Iterator[LintIssue]:
    read = {(p.entity.name, p.path.name) for p in design.patterns}
    for entity, path in design.index_paths():
        queues = {queue.path.name for queue in entity.queues}
        if (entity.name, path.name) not in read and path.name not in queues:
            yield issue_at(
                entity,
                path,
                f"No pattern and no queue reads {path.name}.",
                f'list_{path.name} = pattern({path.name}, doc="...")',
            )


@lint_check(
    "TAB103",
    "A queue's index keeps finished work",
    "advice",
    why="A queue looks only at work that is ready or running. Finished work that stays in the index is paid for on "
    "every write and grows forever.",
    fix="Make the index sparse with `when=`, so that an item leaves it when its work is done.",
)
def full_queue_index(design: Design) -> Iterator[LintIssue]:
    for entity, queue in design.queues():
        if not queue.path.when:
            states = tuple(state for state in (queue.ready, queue.running) if state is not None)
            yield issue_at(
                entity,
                queue.path,
                f"Finished work of the queue {queue.name!r} stays in the index.",
                f"when={{{queue.field!r}: {states!r}}}",
            )


@lint_check(
    "TAB104",
    "An index moves its item at every write",
    "advice",
    why="A key made from the time of the last write changes with each write. The index then removes the old entry "
    "and writes a new one: two writes where one would do, and readers may meet an item twice between pages.",
    fix="Order by the time of creation where that is enough, or by the time of the change that readers care about.",
)
def churning_index(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.index_paths():
        for name in sorted(path.sources):
            if entity.fields[name].role in ("auto_now", "version"):
                yield issue_at(entity, path, f"{name!r} changes with every write, and the index key with it.")


@lint_check(
    "TAB105",
    "A pattern fetches every item a second time",
    "advice",
    why="The index holds only part of each item, so a page costs the query and then one read per item.",
    fix="Project all attributes, or the few that the pattern's readers need and read them as a fan-out or view.",
)
def partial_projection(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        name = pattern.path.index
        if name is not None and pattern.entity.table.index(name).projection != "ALL":
            yield LintIssue(pattern.name, f"{name} does not hold whole items.", 'projection="ALL"')


@lint_check(
    "TAB106",
    "A local index limits the partition to 10 GB",
    "warning",
    why="A local index must be made together with the table and can never be removed, and it limits each partition "
    "with its index entries to 10 GB. Writes beyond that are refused.",
    fix="Use a global index, unless its readers must see their own writes at once.",
)
def local_index(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        for index in table.indexes:
            if index.local:
                yield LintIssue(f"{table.name}.{index.name}", f"{index.name} is local.", "local=False")


@lint_check(
    "TAB107",
    "The table has more indexes than the service allows",
    "error",
    why="A table has at most 20 global and 5 local indexes by default; creating it with more is refused.",
    fix="Let several entities share an index: its key attributes are generic and each entity has its own prefix.",
)
def too_many_indexes(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        local = sum(index.local for index in table.indexes)
        for count, most, kind in ((len(table.indexes) - local, _MAX_GLOBAL, "global"), (local, _MAX_LOCAL, "local")):
            if count > most:
                yield LintIssue(table.name, f"It has {count} {kind} indexes, and {most} are allowed.")


@lint_check(
    "TAB108",
    "Two indexes hold the same keys",
    "warning",
    why="A second index with the same keys in the same order adds nothing to the first, and doubles "
    "what every write costs.",
    fix="Remove one of them and let its patterns read the other.",
)
def duplicate_index(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        seen: dict[tuple[str, ...], str] = {}
        for path in (entity.primary, *entity.indexes):
            keys = tuple(part.template.source for part in path.parts)
            when = path.when if isinstance(path, IndexPath) else ()
            earlier = seen.setdefault(keys, path.name)
            if earlier != path.name and not when:
                yield issue_at(entity, path, f"{path.name} has the same keys as {earlier}.")


@lint_check(
    "TAB109",
    "A pattern asks for keys that nothing writes",
    "error",
    why="The condition of the index names a value that the field can't have, so no item ever enters it and whatever "
    "reads it finds nothing. This is how a key is written under one name and read under another.",
    fix="Name values that the field has.",
)
def empty_index(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.index_paths():
        for clause in path.when:
            unknown = _impossible(entity, clause)
            if unknown:
                choices = ", ".join(map(repr, entity.fields[clause.field].kind.choices))
                yield issue_at(
                    entity,
                    path,
                    f"{clause.field!r} is never {' or '.join(map(repr, unknown))}; it has {choices}.",
                )


def _impossible(entity: EntitySchema, clause: WhenClause) -> list[object]:
    choices = entity.fields[clause.field].kind.choices
    return [value for value in clause.values if choices and value not in choices]


@lint_check(
    "TAB110",
    "Shards are chosen by a field that does not spread",
    "warning",
    why="The shard of an item is a hash of one field. A field of few values, or one that is the same throughout the "
    "partition, fills one shard and leaves the others empty; a field that changes moves items between shards.",
    fix="Choose shards by the field that tells the items of the partition apart, usually the identity.",
)
def poor_shard_field(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.index_paths():
        if path.by is None:
            continue
        field = entity.fields[path.by]
        poor = path.by in path.partition.fields or field.kind.shape in FEW_VALUED | {"day"}
        if poor or field.role in ("auto_now", "version"):
            yield issue_at(
                entity,
                path,
                f"{path.by!r} does not spread the items of one partition.",
                f'by="{distinguishing_field(entity, path)}"',
            )


@lint_check(
    "TAB111",
    "More shards than the index needs",
    "advice",
    why="Every page asks every shard. A partition key that already has many values needs none, and beyond a few "
    "dozen shards a short page costs more in requests than in items.",
    fix="Remove the shards where the partition key spreads by itself; otherwise use as many as the peak of writes "
    "needs.",
)
def unneeded_shards(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.index_paths():
        wide = field_shapes(entity, path, path.partition.template) - FEW_VALUED - TIMES
        if path.shards > 1 and wide:
            yield issue_at(entity, path, f"{path.partition.template.source!r} already has many values.", "shards=1")
        elif path.shards > _MANY_SHARDS:
            yield issue_at(entity, path, f"Each page is {path.shards} requests.", f"shards={_MANY_SHARDS} or fewer")


CHECKS = (
    unwritten_index,
    unread_index,
    full_queue_index,
    churning_index,
    partial_projection,
    local_index,
    too_many_indexes,
    duplicate_index,
    empty_index,
    poor_shard_field,
    unneeded_shards,
)
