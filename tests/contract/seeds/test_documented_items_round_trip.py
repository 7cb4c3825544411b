"""Every documented item is read as an entity and written back byte for byte, with what it holds beyond the document."""

import json
from pathlib import Path

import pytest

from tablature.schema.collections import matches_primary_key
from tablature.schema.timestamps import from_iso

ITEMS = sorted((Path(__file__).parent / "items").glob("*.json"))
MAIN_ITEMS = [
    (path.stem, at)
    for path in ITEMS
    for at, item in enumerate(json.loads(path.read_text("utf-8")))
    if item.get("type") != "THIN_INDEX"
]


def as_bytes(items):
    return {key: json.dumps(item, sort_keys=True).encode() for key, item in items.items()}


def entity_class(table, item):
    (schema,) = [schema for schema in table.entities.values() if matches_primary_key(schema, item)]
    return schema.cls


def reference(cls, item):
    """The entity's own key, from the fields it was read into."""
    entity = cls.__codec__.decode(item)
    return cls.key(**{name: getattr(entity, name) for name in cls.__schema__.primary.sources})


def set_clock_to_last_write(stored, item):
    changed = item.get("updated_at") or item.get("updatedAt")
    if changed is not None:
        stored.clock.now = from_iso(changed["S"])


@pytest.mark.parametrize(("name", "at"), MAIN_ITEMS)
@pytest.mark.parametrize("extra", [{}, {"added_by_others": {"M": {"kept": {"L": [{"NULL": True}, {"N": "1"}]}}}}])
def test_an_item_read_and_written_back_is_byte_equal(open_table, documented, name, at, extra):
    stored = open_table(name)
    item = {**documented(name)[at], **extra}
    stored.put(item)
    set_clock_to_last_write(stored, item)
    before = as_bytes(stored.items())
    cls = entity_class(stored.table, item)
    entity = stored.db.require(reference(cls, item))
    stored.db.put(entity)
    assert as_bytes(stored.items()) == before


@pytest.mark.parametrize(("name", "at"), MAIN_ITEMS)
def test_an_entity_made_anew_from_its_fields_is_the_documented_item(open_table, documented, name, at):
    stored = open_table(name)
    item = documented(name)[at]
    set_clock_to_last_write(stored, item)
    cls = entity_class(stored.table, item)
    ref = reference(cls, item)
    entity = stored.db.require(ref)
    values = {field: getattr(entity, field) for field in cls.__schema__.fields}
    stored.db.delete(ref)
    stored.db.create(cls(**values))
    key = tuple(ref.key[name]["S"] for name in stored.table.key_attributes)
    assert without_additions(stored, stored.items()[key]) == without_additions(stored, item)


def without_additions(stored, item):
    """The item without what only we add (an expiry, a shard) and without nulls, which are left out."""
    expiry = stored.table.ttl
    kept = {name: value for name, value in item.items() if name != expiry and "NULL" not in value}
    if item.get("SK") == {"S": "META"}:
        kept.pop("id", None)
    if stored.db.context.spread:
        for index in stored.table.indexes:
            kept.pop(index.pk, None)
    if "overdue_amount" in kept:
        kept["overdue_amount"] = {"N": f"{float(kept['overdue_amount']['N']):g}"}
    return kept


def test_an_item_of_the_wrong_type_is_refused_with_its_field(open_table, documented):
    stored = open_table("newsletter")
    item = {**documented("newsletter")[0], "tone_professional": {"S": "seventy"}}
    stored.put(item)
    cls = entity_class(stored.table, item)
    with pytest.raises(Exception, match="tone_professional"):
        stored.db.get(cls.key(newsletter_code="NL-20260126-A1B2"))
