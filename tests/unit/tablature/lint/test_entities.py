"""Checks of entities and their fields, each with a schema that it finds and one that it lets pass."""

from datetime import datetime
from decimal import Decimal

from tablature import (
    Attr,
    Entity,
    attr,
    auto_now,
    blob,
    index,
    primary,
    upcast,
    version,
)


def test_a_list_without_limit_is_found(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        tags: Attr[list[str]]
        labels: Attr[set[str]]
        notes: Attr[dict[str, str]]
        key = primary("THING#{id}", "META")

    assert [issue.subject for issue in finds("TAB301", table)] == ["Thing.tags", "Thing.labels", "Thing.notes"]

    class Bounded(Entity, table=other_table):
        id: Attr[str]
        tags: Attr[list[str]] = attr(longest=20)
        pages: Attr[list[str]] = blob(over=10_000)
        key = primary("THING#{id}", "META")

    passes("TAB301", other_table)


def test_limits_that_add_up_to_too_much_are_an_error(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        text: Attr[str] = attr(longest=300_000)
        more: Attr[str] = attr(longest=200_000)
        key = primary("THING#{id}", "META")

    (issue,) = finds("TAB302", table)
    assert issue.cure == "text: blob(over=64_000)"

    class Fits(Entity, table=other_table):
        id: Attr[str]
        text: Attr[str] = blob(over=64_000)
        more: Attr[str] = attr(longest=200_000)
        key = primary("THING#{id}", "META")

    passes("TAB302", other_table)


def test_a_body_belongs_in_the_object_store(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        body_html: Attr[str]
        key = primary("ARTICLE#{id}", "META")

    finds("TAB303", table)

    class Moved(Entity, table=other_table):
        id: Attr[str]
        body_html: Attr[str] = blob(over=10_000)
        content: Attr[str] = attr(longest=500)
        key = primary("ARTICLE#{id}", "META")

    passes("TAB303", other_table)


def test_an_entity_that_changes_has_a_version(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        at: Attr[datetime] = auto_now()
        key = primary("THING#{id}", "META")

    finds("TAB304", table)

    class Guarded(Entity, table=other_table):
        id: Attr[str]
        at: Attr[datetime] = auto_now()
        revision: Attr[int] = version()
        key = primary("THING#{id}", "META")

    passes("TAB304", other_table)


def test_every_earlier_version_can_be_brought_up(finds, passes, table, other_table):
    class Thing(Entity, table=table, schema_version=3):
        id: Attr[str]
        key = primary("THING#{id}", "META")

    assert [issue.cure for issue in finds("TAB305", table)] == [
        "@upcast(Thing, from_version=1)",
        "@upcast(Thing, from_version=2)",
    ]

    class Ready(Entity, table=other_table, schema_version=2):
        id: Attr[str]
        key = primary("THING#{id}", "META")

    upcast(Ready, from_version=1)(lambda item: item)
    passes("TAB305", other_table)


def test_money_is_no_float(finds, passes, table, other_table):
    class Invoice(Entity, table=table):
        id: Attr[str]
        amount_due: Attr[float]
        key = primary("INVOICE#{id}", "META")

    (issue,) = finds("TAB306", table)
    assert issue.cure == "amount_due: Attr[Decimal]"

    class Exact(Entity, table=other_table):
        id: Attr[str]
        amount_due: Attr[Decimal]
        ratio: Attr[float]
        key = primary("INVOICE#{id}", "META")

    passes("TAB306", other_table)


def test_a_secret_is_not_kept_as_text(finds, passes, table, other_table):
    class User(Entity, table=table):
        id: Attr[str]
        password: Attr[str]
        api_key: Attr[str]
        key = primary("USER#{id}", "META")

    assert len(finds("TAB307", table)) == 2

    class Hashed(Entity, table=other_table):
        id: Attr[str]
        password_hash: Attr[str]
        key = primary("USER#{id}", "META")

    passes("TAB307", other_table)


def test_a_field_under_an_index_key_joins_the_index(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        group: Attr[str] = attr(name="GSI1PK")
        key = primary("THING#{id}", "META")

    (issue,) = finds("TAB308", table)
    assert issue.subject == "Thing.group"

    class Member(Entity, table=other_table):
        id: Attr[str]
        group: Attr[str] = attr(name="GSI1PK")
        key = primary("THING#{id}", "META")
        by_group = index("GSI1", "{group}", "{id}")

    passes("TAB308", other_table)


def test_the_layers_own_names_are_taken(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        kind: Attr[str] = attr(name="_kind")
        key = primary("THING#{id}", "META")

    finds("TAB309", table)

    class Plain(Entity, table=other_table):
        id: Attr[str]
        kind: Attr[str]
        key = primary("THING#{id}", "META")

    passes("TAB309", other_table)
