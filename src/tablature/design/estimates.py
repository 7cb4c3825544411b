"""Estimated item sizes, and the expected cost of verbs and patterns."""

from dataclasses import dataclass

from tablature.explain import expected_rcu, typical_size
from tablature.operations.context import OperationContext
from tablature.operations.cost import read_units, write_units
from tablature.operations.query_plan import plan_query
from tablature.schema.model import CollectionSchema, EntitySchema, FanoutPath, IndexPath, PathSchema, PatternSchema
from tablature.schema.patterns import Query

from .samples import sample_inputs

TYPICAL_ELEMENTS = 3
TYPICAL_MEMBERS = 10
_SENTINEL_SIZE = 120


@dataclass(frozen=True, slots=True)
class VerbCost:
    """Units of one verb on one item of a typical size."""

    entity: str
    verb: str
    rcu: float
    wcu: float


def typical_copy_size(entity: EntitySchema, path: PathSchema) -> int:
    """Bytes of a typical item in this path."""
    pattern = PatternSchema("", entity, path, "ascending", 1, (), None, consistent=False, doc="")
    return typical_size(pattern)


def typical_item_size(entity: EntitySchema) -> int:
    """Bytes of a typical item, with the keys of all its indexes."""
    keys = (part for path in entity.indexes for part in path.parts)
    return typical_copy_size(entity, entity.primary) + sum(len(p.attribute) + len(p.template.source) for p in keys)


def projected_size(entity: EntitySchema, path: IndexPath) -> int:
    """Bytes of a typical item in an index."""
    projection = entity.table.index(path.index or "").projection
    if projection == "ALL":
        return typical_item_size(entity)
    keys = sum(len(p.attribute) + len(p.template.source) for p in (*path.parts, *entity.primary.parts))
    return keys if projection == "KEYS_ONLY" else keys + 30 * len(projection)


def typical_copies(entity: EntitySchema, fanout: FanoutPath) -> int:
    """How many copies a typical item has."""
    field = entity.fields[fanout.each]
    if field.kind.shape not in ("list", "set"):
        return 1
    return min(TYPICAL_ELEMENTS, field.options.longest or TYPICAL_ELEMENTS)


def full_write_units(entity: EntitySchema) -> float:
    """Units to create or delete an item with everything derived from it; a transaction counts twice."""
    units = write_units(typical_item_size(entity)) + len(entity.uniques) * write_units(_SENTINEL_SIZE)
    units += sum(typical_copies(entity, f) * write_units(typical_copy_size(entity, f)) for f in entity.fanouts)
    doubled = 2 if entity.fanouts or entity.uniques else 1
    return doubled * units + sum(write_units(projected_size(entity, path)) for path in entity.indexes)


def patch_write_units(entity: EntitySchema) -> float:
    """Units to change one field that nothing is derived from; an index that moves at every write counts twice."""
    units: float = write_units(typical_item_size(entity))
    for path in entity.indexes:
        times = 2 if moves_at_every_write(entity, path) else 1
        if entity.table.index(path.index or "").projection == "ALL" or times > 1:
            units += times * write_units(projected_size(entity, path))
    return units


def moves_at_every_write(entity: EntitySchema, path: PathSchema) -> bool:
    return any(entity.fields[name].role == "auto_now" for name in path.sources if name in entity.fields)


def verb_costs(entity: EntitySchema) -> list[VerbCost]:
    """The costs of the main verbs. `put` and `update` cost as much as a create plus the read before it."""
    size, write, read_first = typical_item_size(entity), full_write_units(entity), _read_first_units(entity)
    return [
        VerbCost(entity.name, "get", read_units(size, consistent=False), 0),
        VerbCost(entity.name, "create", read_first if entity.blobs else 0, write),
        VerbCost(entity.name, "patch", 0, patch_write_units(entity)),
        VerbCost(entity.name, "delete", read_first, write),
    ]


def other_verb_costs(entity: EntitySchema) -> list[VerbCost]:
    """The costs of the verbs that are variations of others."""
    size, write, read_first = typical_item_size(entity), full_write_units(entity), _read_first_units(entity)
    return [
        VerbCost(entity.name, "require", read_units(size, consistent=False), 0),
        VerbCost(entity.name, "put", read_first, write),
        VerbCost(entity.name, "update", read_first, write),
        VerbCost(entity.name, "upsert", read_units(size, consistent=True), write),
    ]


def _read_first_units(entity: EntitySchema) -> float:
    """Units to read the item first, if copies, unique values or blobs depend on its old values."""
    derived = entity.fanouts or entity.uniques or entity.blobs
    return read_units(typical_item_size(entity), consistent=True) if derived else 0


def pattern_rcu(pattern: PatternSchema) -> float:
    """Units of one full page."""
    return expected_rcu(pattern, plan_query(OperationContext(), Query(pattern, sample_inputs(pattern))))


def collection_rcu(collection: CollectionSchema) -> float:
    """Units to read a partition with one item per member, or several for a `many` member."""
    size = sum((TYPICAL_MEMBERS if m.arity == "many" else 1) * typical_item_size(m.entity) for m in collection.members)
    return read_units(size, consistent=False)
