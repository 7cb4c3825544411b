"""What a lint check is, and questions about the schema that several checks ask."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tablature.design.model import Design
from tablature.operations.cost import write_units
from tablature.schema.collisions import may_collide
from tablature.schema.formats import SlotFormat
from tablature.schema.kinds import TEXT, ValueKind
from tablature.schema.model import EntitySchema, FanoutPath, PathSchema
from tablature.schema.templates import KeyTemplate, LiteralPart, TemplateSlot

Severity = Literal["error", "warning", "advice"]
FEW_VALUED = frozenset({"choice", "flag"})
TIMES = frozenset({"moment", "day"})
_WRITE_UNITS_PER_PARTITION = 1000
_ANYTHING = TemplateSlot("rest", "raw", SlotFormat(str, r"(?s:.+)", str, is_ordered=True, is_raw=True), "str")


@dataclass(frozen=True, slots=True)
class LintIssue:
    """One problem that a check found: its subject, what is wrong, and a concrete fix if there is one."""

    subject: str
    message: str
    cure: str = ""


FindIssues = Callable[[Design], Iterator[LintIssue]]


@dataclass(frozen=True)
class LintCheck:
    """One rule of good design. Its code never changes its meaning."""

    code: str
    title: str
    severity: Severity
    why: str
    fix: str
    find: FindIssues


def lint_check(code: str, title: str, severity: Severity, *, why: str, fix: str) -> Callable[[FindIssues], LintCheck]:
    """Decorator: turn a function that finds issues into a check."""
    return lambda find: LintCheck(code, title, severity, why, fix, find)


def subject_name(entity: EntitySchema, part: PathSchema | str) -> str:
    """The name of a key, index, fan-out or field in a finding."""
    return f"{entity.name}.{part if isinstance(part, str) else part.name}"


def issue_at(entity: EntitySchema, part: PathSchema | str, message: str, cure: str = "") -> LintIssue:
    """An issue with a key, index, fan-out or field."""
    return LintIssue(subject_name(entity, part), message, cure)


def kind_of_field(entity: EntitySchema, path: PathSchema, name: str) -> ValueKind:
    """The kind of a field in a key, including `each` of a fan-out."""
    if name == "each" and isinstance(path, FanoutPath):
        kind = TEXT if path.of is not None else entity.fields[path.each].kind
        return kind.inner[0] if kind.shape in ("list", "set") else kind
    return entity.fields[name].kind


def field_shapes(entity: EntitySchema, path: PathSchema, template: KeyTemplate) -> set[str]:
    """The shapes of all fields that a template is made from."""
    return {kind_of_field(entity, path, slot.field).shape for slot in template.slots}


def reads_items_of(path: PathSchema, other: PathSchema) -> bool:
    """Whether a query of one path can read items written for the other."""
    if path.index != other.index or not may_collide(path.partition.template, other.partition.template):
        return False
    if path.sort is None or other.sort is None:
        return True
    return may_collide(_open_ended(path.sort.template), other.sort.template)


def _open_ended(template: KeyTemplate) -> KeyTemplate:
    """A template for every key with the same prefix, as a query without sort key inputs reads them."""
    if template.is_constant:
        return template
    prefix = (LiteralPart(template.prefix),) if template.prefix else ()
    return KeyTemplate(template.source, (*prefix, _ANYTHING))


def distinguishing_field(entity: EntitySchema, path: PathSchema) -> str:
    """The field that best spreads the items of a partition: in the primary key, with many values."""
    own = [name for part in entity.primary.parts for name in part.fields]
    many = [n for n in own if entity.fields[n].kind.shape not in FEW_VALUED and n not in path.partition.fields]
    text = [n for n, f in entity.fields.items() if f.kind.shape in ("text", "uuid") and n not in path.partition.fields]
    return next(iter((*many, *text, *own, *entity.fields)))


def shard_count(peak_writes: int, size: int) -> int:
    """How many shards twice the peak of writes needs: a power of two, at least two."""
    needed, count = 2 * peak_writes * write_units(size) / _WRITE_UNITS_PER_PARTITION, 2
    while count < needed:
        count *= 2
    return count


def entity_pairs(entities: list[EntitySchema]) -> Iterator[tuple[EntitySchema, EntitySchema]]:
    """All ordered pairs of entities of one table."""
    for entity in entities:
        for other in entities:
            if entity is not other and entity.table is other.table:
                yield entity, other
