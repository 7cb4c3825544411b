"""Checks of what a design costs, each with a schema that it finds and one that it lets pass."""

from datetime import datetime

from tablature import Attr, Collection, Entity, attr, auto_now_add, expires, fanout, pattern, primary


def test_a_write_with_many_copies_is_dear(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        words: Attr[list[str]]
        people: Attr[list[str]]
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}")
        by_person = fanout(each="people", pk="PERSON#{each}", sk="{id}")

    (issue,) = finds("TAB701", table)
    assert issue.message == "Creating one takes about 14 WCU."

    class Plain(Entity, table=other_table):
        id: Attr[str]
        words: Attr[list[str]]
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}")

    passes("TAB701", other_table)


def test_a_long_page_is_dear(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        owner: Attr[str]
        id: Attr[str]
        subject: Attr[str]
        notes: Attr[dict[str, str]]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key, page=1000)

    (issue,) = finds("TAB702", table)
    assert issue.cure.startswith("page=")

    class Short(Entity, table=other_table):
        owner: Attr[str]
        id: Attr[str]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key, page=25)

    passes("TAB702", other_table)


def test_a_counter_under_a_constant_key_is_hot(finds, passes, table, other_table):
    class Total(Entity, table=table):
        visits: Attr[int] = attr(default=0)
        key = primary("TOTAL", "TOTAL")

    (issue,) = finds("TAB703", table)
    assert issue.cure == 'primary("TOTAL#{shard}", ...)'

    class Daily(Entity, table=other_table):
        shard: Attr[str]
        visits: Attr[int] = attr(default=0)
        key = primary("TOTAL#{shard}", "TOTAL")

    passes("TAB703", other_table)


def test_a_collection_with_a_series_grows(finds, passes, table, other_table):
    class Meter(Entity, table=table):
        id: Attr[str]
        key = primary("METER#{id}", "META")

    class Reading(Entity, table=table):
        id: Attr[str]
        at: Attr[datetime] = auto_now_add()
        key = primary("METER#{id}", "AT#{at:iso}")

    class Everything(Collection):
        meter: Meter
        readings: list[Reading]

    (issue,) = finds("TAB704", table)
    assert issue.subject == "Everything.readings"

    class Device(Entity, table=other_table):
        id: Attr[str]
        key = primary("METER#{id}", "META")

    class Recent(Entity, table=other_table):
        id: Attr[str]
        at: Attr[datetime] = auto_now_add()
        expires_at: Attr[datetime] = expires(days=7)
        key = primary("METER#{id}", "AT#{at:iso}")

    class Lately(Collection):
        device: Device
        readings: list[Recent]

    passes("TAB704", other_table)
