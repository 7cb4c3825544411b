"""Checks of secondary indexes, each with a schema that it finds and one that it lets pass."""

from datetime import date, datetime
from typing import Literal

from tablature import (
    Attr,
    Entity,
    Index,
    Table,
    auto_now,
    auto_now_add,
    fanout,
    index,
    pattern,
    primary,
    queue,
)

Status = Literal["new", "running", "done"]


def with_indexes(*indexes: Index) -> Table:
    return Table("things", pk="PK", sk="SK", indexes=indexes)


def test_an_index_that_nothing_writes_is_found(finds, passes):
    lonely = with_indexes(Index("GSI1", "GSI1PK", "GSI1SK"))

    class Thing(Entity, table=lonely):
        id: Attr[str]
        key = primary("THING#{id}", "META")

    (issue,) = finds("TAB101", lonely)
    assert issue.subject == "things.GSI1"
    written = with_indexes(Index("GSI1", "GSI1PK", "GSI1SK"), Index("GSI2", "GSI2PK"))

    class Written(Entity, table=written):
        id: Attr[str]
        words: Attr[list[str]]
        key = primary("THING#{id}", "META")
        by_id = index("GSI1", "ID#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", constants={"GSI2PK": "WORDS"})

    passes("TAB101", written)


def test_an_index_that_nothing_reads_is_found(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")

    (issue,) = finds("TAB102", table)
    assert issue.cure == 'list_by_owner = pattern(by_owner, doc="...")'

    class Read(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")
        of_owner = pattern(by_owner)

    passes("TAB102", other_table)


def test_a_queue_reads_its_index(passes, table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="new")

    passes("TAB102", table)


def test_a_queue_leaves_finished_work_behind(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="new", running="running")

    (issue,) = finds("TAB103", table)
    assert issue.cure == "when={'status': ('new', 'running')}"

    class Sparse(Entity, table=other_table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}", when={"status": ("new", "running")})
        work = queue(by_status, ready="new", running="running")

    passes("TAB103", other_table)


def test_an_index_by_last_change_moves_at_every_write(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        at: Attr[datetime] = auto_now()
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{at:iso}")

    finds("TAB104", table)

    class Still(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        at: Attr[datetime] = auto_now_add()
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{at:iso}")

    passes("TAB104", other_table)


def test_a_pattern_over_half_items_fetches_them_again(finds, passes, table):
    half = with_indexes(Index("GSI1", "GSI1PK", "GSI1SK", projection="KEYS_ONLY"))

    class Thing(Entity, table=half):
        id: Attr[str]
        owner: Attr[str]
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")
        of_owner = pattern(by_owner)

    (issue,) = finds("TAB105", half)
    assert issue.subject == "Thing.of_owner"

    class Whole(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")
        of_owner = pattern(by_owner)

    passes("TAB105", table)


def test_a_local_index_limits_the_partition(finds, passes):
    finds("TAB106", with_indexes(Index("LSI1", "PK", "LSI1SK", local=True)))
    passes("TAB106", with_indexes(Index("GSI1", "GSI1PK", "GSI1SK")))


def test_a_table_has_a_limited_number_of_indexes(finds, passes):
    many = with_indexes(*(Index(f"GSI{n}", f"GSI{n}PK") for n in range(21)))
    (issue,) = finds("TAB107", many)
    assert "21 global" in issue.message
    local = with_indexes(*(Index(f"LSI{n}", "PK", f"LSI{n}SK", local=True) for n in range(6)))
    finds("TAB107", local)
    passes("TAB107", with_indexes(*(Index(f"GSI{n}", f"GSI{n}PK") for n in range(20))))


def test_two_indexes_with_the_same_keys_are_found(finds, passes):
    doubled = with_indexes(Index("GSI1", "GSI1PK", "GSI1SK"), Index("GSI2", "GSI2PK", "GSI2SK"))

    class Thing(Entity, table=doubled):
        id: Attr[str]
        owner: Attr[str]
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")
        again = index("GSI2", "OWNER#{owner}", "{id}")

    (issue,) = finds("TAB108", doubled)
    assert issue.subject == "Thing.again"
    sparse = with_indexes(Index("GSI1", "GSI1PK", "GSI1SK"), Index("GSI2", "GSI2PK", "GSI2SK"))

    class Sparse(Entity, table=sparse):
        id: Attr[str]
        owner: Attr[str]
        status: Attr[Status]
        key = primary("THING#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")
        waiting = index("GSI2", "OWNER#{owner}", "{id}", when={"status": "new"})

    passes("TAB108", sparse)


def test_an_index_for_a_value_that_never_is_stays_empty(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_id = index("GSI1", "WAITING", "{id}", when={"status": "waiting"})

    (issue,) = finds("TAB109", table)
    assert issue.message == "'status' is never 'waiting'; it has 'new', 'running', 'done'."

    class Right(Entity, table=other_table):
        id: Attr[str]
        status: Attr[Status]
        done_on: Attr[date | None]
        key = primary("TASK#{id}", "META")
        by_id = index("GSI1", "WAITING", "{id}", when={"status": "new", "done_on": lambda day: day is None})

    passes("TAB109", other_table)


def test_shards_by_a_status_spread_nothing(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}", shards=4, by="status")

    (issue,) = finds("TAB110", table)
    assert issue.cure == 'by="id"'

    class Spread(Entity, table=other_table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}", shards=4, by="id")

    passes("TAB110", other_table)


def test_a_wide_partition_needs_no_shards(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("TASK#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}", shards=4, by="id")

    (issue,) = finds("TAB111", table)
    assert issue.cure == "shards=1"

    class Spread(Entity, table=other_table):
        id: Attr[str]
        key = primary("TASK#{id}", "META")
        latest = index("GSI1", "TASK", "{id}", shards=8, by="id")

    passes("TAB111", other_table)


def test_too_many_shards_are_found(finds, table):
    class Task(Entity, table=table):
        id: Attr[str]
        key = primary("TASK#{id}", "META")
        latest = index("GSI1", "TASK", "{id}", shards=100, by="id")

    (issue,) = finds("TAB111", table)
    assert "100 requests" in issue.message
