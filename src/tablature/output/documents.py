"""A design as a Markdown document: tables, entities, keys, access patterns with their cost, samples and a diagram."""

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from enum import Enum
from typing import Any

from tablature.design.estimates import VerbCost, collection_rcu, pattern_rcu, verb_costs
from tablature.design.model import Design, paths_of
from tablature.design.samples import sample_copy, sample_item
from tablature.schema.fields import UNSET, FieldSchema
from tablature.schema.model import (
    CollectionSchema,
    EntitySchema,
    FanoutPath,
    Index,
    IndexPath,
    PathSchema,
    PatternSchema,
    Table,
    WhenClause,
)
from tablature.wire import Item, from_wire

_LONGEST_CELL = 60


def diagram(table: Table) -> str:
    """An entity-relationship diagram, without its code fence."""
    entities = list(table.entities.values())
    lines = ["erDiagram", *(line for entity in entities for line in _box(entity))]
    return "\n".join([*lines, *_neighbours(entities), *(line for entity in entities for line in _copy_lines(entity))])


def _box(entity: EntitySchema) -> list[str]:
    lines = [f"    {entity.name} {{"]
    for field in entity.fields.values():
        mark = " PK" if field.name in entity.primary.sources else ""
        lines.append(f"        {field.kind.shape} {_word(field.name)}{mark}")
    return [*lines, "    }"]


def _neighbours(entities: list[EntitySchema]) -> list[str]:
    """A line from the first entity of each partition to every other one in it."""
    first: dict[str, EntitySchema] = {}
    lines = []
    for entity in sorted(entities, key=_is_list):
        home = entity.primary.partition.template.source
        root = first.setdefault(home, entity)
        if root is not entity:
            many = "o{" if _is_list(entity) else "o|"
            lines.append(f'    {root.name} ||--{many} {entity.name} : "{home}"')
    return lines


def _is_list(entity: EntitySchema) -> bool:
    """Whether one partition may contain several of these."""
    return entity.primary.sort is not None and not entity.primary.sort.template.is_constant


def _copy_lines(entity: EntitySchema) -> list[str]:
    return [
        f'    {entity.name} ||--o{{ {entity.name}_{_word(fanout.name)} : "copy per {fanout.each}"'
        for fanout in entity.fanouts
    ]


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name)


def document(design: Design, title: str = "Tables and access patterns") -> str:
    """The whole document."""
    parts = [f"# {title}"]
    for table in design.tables:
        parts += _table(table)
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> list[str]:
    entities = list(table.entities.values())
    parts = [f"## Table `{table.name}`", *([table.doc] if table.doc else []), _keys(table)]
    if entities:
        parts += ["```mermaid\n" + diagram(table) + "\n```"]
        parts += ["### Access patterns", _patterns(list(table.patterns.values()))]
        parts += ["### Cost of the verbs", _verbs(entities), "### Sample items", _samples(table, entities)]
        parts += [part for collection in table.collections.values() for part in _collection(collection)]
        parts += [part for entity in entities for part in _entity(entity)]
    return parts


def markdown_table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a bar inside a cell is escaped."""
    cells = [heads, ["---"] * len(heads), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in cells)


def _code(text: str | None) -> str:
    return f"`{text}`" if text else ""


def _keys(table: Table) -> str:
    lines = [["the table", _key(table.pk, table.pk_type), _key(table.sk, table.sk_type), "ALL", ""]]
    lines += [_index_row(index) for index in table.indexes]
    text = markdown_table(("where", "partition key", "sort key", "projection", "notes"), lines)
    return text if table.ttl is None else f"{text}\n\nItems expire at the time in `{table.ttl}`."


def _key(attribute: str | None, kind: str) -> str:
    return "" if attribute is None else f"`{attribute}` ({kind})"


def _index_row(index: Index) -> list[str]:
    projection = index.projection if isinstance(index.projection, str) else ", ".join(index.projection)
    notes = " ".join(filter(None, ("local." if index.local else "", index.doc)))
    return [f"`{index.name}`", _key(index.pk, index.pk_type), _key(index.sk, index.sk_type), projection, notes]


def _patterns(patterns: list[PatternSchema]) -> str:
    if not patterns:
        return "None: items are read by key only."
    heads = ("pattern", "inputs", "request", "order", "page", "RCU a page", "what it is for")
    return markdown_table(heads, (_pattern_row(pattern) for pattern in patterns))


def _pattern_row(pattern: PatternSchema) -> list[str]:
    inputs = ", ".join((*pattern.needed, *(f"[{name}]" for name in pattern.optional)))
    units = f"{pattern_rcu(pattern):g}"
    doc = " ".join(pattern.doc.split())
    return [_code(pattern.name), inputs, request_line(pattern), pattern.order, str(pattern.page), units, doc]


def request_line(pattern: PatternSchema) -> str:
    """The query in one line, with templates for values."""
    path = pattern.path
    where = path.index or "table"
    text = f"Query {where}: `{path.partition.attribute} = {path.partition.template.source}`"
    if isinstance(path, IndexPath) and path.shards > 1:
        text += f" in {path.shards} shards"
    if path.sort is not None:
        sort = path.sort.template
        sign, value = ("=", sort.source) if sort.is_constant else ("begins with", sort.prefix)
        text += f" and `{path.sort.attribute} {sign} {value}`" if value else ""
    names = [name for name in pattern.filters if name not in path.sources]
    names += sorted(pattern.where.attributes()) if pattern.where is not None else []
    return text + (f", then filter by {', '.join(names)}" if names else "")


def _verbs(entities: list[EntitySchema]) -> str:
    lines = [[entity.name, *(_units(cost) for cost in verb_costs(entity))] for entity in entities]
    return markdown_table(("entity", "get", "create", "patch", "delete"), lines)


def _units(cost: VerbCost) -> str:
    return " and ".join(f"{units:g} {name}" for units, name in ((cost.rcu, "RCU"), (cost.wcu, "WCU")) if units)


def _samples(table: Table, entities: list[EntitySchema]) -> str:
    """The single-table view: one sample of each kind of item, by its keys."""
    keys = list(dict.fromkeys((*table.key_attributes, *table.attribute_types())))
    items = [(entity.name, sample_item(entity)) for entity in entities]
    items += [(f"{e.name}.{f.name}", sample_copy(e, f)) for e in entities for f in e.fanouts]
    items.sort(key=lambda pair: [str(_plain_value(pair[1], name)) for name in table.key_attributes])
    return markdown_table(
        (*keys, "kind", "other attributes"), ([*_cells(item, keys), kind, _rest(item, keys)] for kind, item in items)
    )


def _plain_value(item: Item, name: str) -> Any:
    return from_wire(item[name]) if name in item else ""


def _cells(item: Item, names: list[str]) -> list[str]:
    return [_code(str(_plain_value(item, name))) for name in names]


def _rest(item: Item, keys: list[str]) -> str:
    shown = [f"{name}: {_short(_plain_value(item, name))}" for name in item if name not in keys]
    return ", ".join(shown)


def _short(value: Any) -> str:
    text = "{" + ", ".join(map(repr, sorted(value))) + "}" if isinstance(value, set) else str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 1]}…"


def _collection(collection: CollectionSchema) -> list[str]:
    members = ", ".join(f"`{m.name}` ({m.arity} {m.entity.name})" for m in collection.members)
    units = f"about {collection_rcu(collection):g} RCU"
    text = f"One query of `{collection.partition.template.source}` gives {members}, for {units}."
    return [f"### Collection {collection.name}", *([collection.doc] if collection.doc else []), text]


def _entity(entity: EntitySchema) -> list[str]:
    parts = [f"### {entity.name}", *([entity.doc] if entity.doc else []), _paths(entity), _fields(entity)]
    notes = [_unique(unique.name, unique.fields, unique.window) for unique in entity.uniques]
    notes += [
        f"`{q.name}` is a queue: `{q.field}` goes from {q.ready!r} under a lease of {_duration(q.lease)}."
        for q in entity.queues
    ]
    return parts + (["\n".join(f"- {note}" for note in notes)] if notes else [])


def _unique(name: str, fields: tuple[str, ...], window: timedelta | None) -> str:
    lasting = f" for {_duration(window)}" if window is not None else ""
    return f"`{name}`: no two items have the same {', '.join(fields)}{lasting}."


def _duration(duration: timedelta) -> str:
    """The duration in the largest unit without a fraction."""
    seconds = int(duration.total_seconds())
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds % length == 0:
            return f"{seconds // length} {unit}{'s' if seconds != length else ''}"
    return f"{seconds} seconds"


def _paths(entity: EntitySchema) -> str:
    lines = [
        [_code(path.name), _where(path), _code(path.partition.template.source), _sort(path), _path_notes(path)]
        for path in paths_of(entity)
    ]
    return markdown_table(("name", "where", "partition key", "sort key", "notes"), lines)


def _where(path: PathSchema) -> str:
    return "copies" if isinstance(path, FanoutPath) else path.index or "the table"


def _sort(path: PathSchema) -> str:
    return "" if path.sort is None else _code(path.sort.template.source)


def _path_notes(path: PathSchema) -> str:
    notes = []
    if isinstance(path, IndexPath) and path.when:
        notes.append(f"only {' and '.join(map(_when, path.when))}")
    if isinstance(path, IndexPath) and path.shards > 1:
        notes.append(f"{path.shards} shards by `{path.by}`")
    if isinstance(path, FanoutPath):
        notes.append(f"one per {path.each}, with {', '.join(path.fields) or 'no fields'}")
    return "; ".join([*notes, *([path.doc] if path.doc else [])])


def _when(clause: WhenClause) -> str:
    if clause.test is not None:
        return f"where `{clause.field}` passes a test"
    return f"where `{clause.field}` is {' or '.join(map(repr, clause.values))}"


def _fields(entity: EntitySchema) -> str:
    lines = [
        [_code(f.name), _code(f.attribute), _code(f.kind.name), _field_notes(entity, f)] for f in entity.fields.values()
    ]
    return markdown_table(("field", "stored as", "type", "notes"), lines)


def _field_notes(entity: EntitySchema, field: FieldSchema) -> str:
    options = field.options
    has_default = options.default is not UNSET and options.default is not None
    notes = [
        "in the key" if field.name in entity.primary.sources else "",
        "optional" if field.optional else "",
        field.role.replace("_", " ") if field.role != "plain" else "",
        f"default {_enum_value(options.default)!r}" if has_default else "",
        f"matches `{options.pattern}`" if options.pattern else "",
        f"at most {options.longest} long" if options.longest is not None else "",
        f"at least {options.minimum:g}" if options.minimum is not None else "",
        f"at most {options.maximum:g}" if options.maximum is not None else "",
        f"moved out above {options.blob_over:,} bytes" if options.blob_over is not None else "",
        options.doc,
    ]
    return "; ".join(filter(None, notes))


def _enum_value(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
