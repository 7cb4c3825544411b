"""Checks of names, each with a schema that it finds and one that it lets pass."""

from tablature import Attr, Entity, Index, Table, attr, primary


def test_prefixes_are_written_in_one_case(finds, passes, table, other_table):
    class User(Entity, table=table):
        id: Attr[str]
        key = primary("USER#{id}", "META")

    class Order(Entity, table=table):
        id: Attr[str]
        key = primary("Order#{id}", "META")

    (issue,) = finds("TAB801", table)
    assert (issue.subject, issue.cure) == ("Order.key", "ORDER#")

    class Person(Entity, table=other_table):
        id: Attr[str]
        key = primary("user#{id}", "META")

    class Purchase(Entity, table=other_table):
        id: Attr[str]
        key = primary("order#{id}", "META")

    passes("TAB801", other_table)


def test_one_attribute_has_one_spelling(finds, passes, table, other_table):
    class User(Entity, table=table):
        user_id: Attr[str]
        key = primary("USER#{user_id}", "META")

    class Order(Entity, table=table):
        id: Attr[str]
        user: Attr[str] = attr(name="userId")
        key = primary("ORDER#{id}", "META")

    (issue,) = finds("TAB802", table)
    assert issue.cure == 'attr(name="user_id")'

    class Person(Entity, table=other_table):
        user_id: Attr[str]
        key = primary("USER#{user_id}", "META")

    class Purchase(Entity, table=other_table):
        id: Attr[str]
        user: Attr[str] = attr(name="user_id")
        key = primary("ORDER#{id}", "META")

    passes("TAB802", other_table)


def test_one_attribute_has_one_type(finds, passes, table, other_table):
    class User(Entity, table=table):
        id: Attr[str]
        level: Attr[int]
        key = primary("USER#{id}", "META")

    class Order(Entity, table=table):
        id: Attr[str]
        level: Attr[str]
        key = primary("ORDER#{id}", "META")

    (issue,) = finds("TAB803", table)
    assert issue.subject == "Order.level"

    class Person(Entity, table=other_table):
        id: Attr[str]
        level: Attr[int]
        key = primary("USER#{id}", "META")

    class Purchase(Entity, table=other_table):
        id: Attr[str]
        level: Attr[int]
        key = primary("ORDER#{id}", "META")

    passes("TAB803", other_table)


def test_names_are_such_as_the_service_takes(finds, passes):
    assert len(finds("TAB804", Table("my things", pk="PK", indexes=[Index("by name", "name")]))) == 2
    passes("TAB804", Table("my-things_2.0", pk="PK", indexes=[Index("by-name", "name")]))
