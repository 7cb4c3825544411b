"""Checks of invariants over several items and of queues, each with a schema that it finds and one it lets pass."""

from datetime import timedelta
from typing import Literal

from tablature import Attr, Entity, index, primary, queue, unique

Status = Literal["new", "running", "done"]


def test_an_entity_that_only_points_is_a_unique_constraint(finds, passes, table, other_table):
    class User(Entity, table=table):
        id: Attr[str]
        mail: Attr[str]
        name: Attr[str]
        key = primary("USER#{id}", "META")

    class Mail(Entity, table=table):
        mail: Attr[str]
        id: Attr[str]
        key = primary("MAIL#{mail}", "META")

    (issue,) = finds("TAB501", table)
    assert issue.subject == "Mail"
    assert issue.cure == 'by_mail = unique("mail")'

    class Person(Entity, table=other_table):
        id: Attr[str]
        mail: Attr[str]
        key = primary("USER#{id}", "META")
        by_mail = unique("mail")

    passes("TAB501", other_table)


def test_fields_repeated_by_hand_drift(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        title: Attr[str]
        summary: Attr[str]
        key = primary("ARTICLE#{id}", "META")

    class Listed(Entity, table=table):
        day: Attr[str]
        id: Attr[str]
        title: Attr[str]
        summary: Attr[str]
        key = primary("DAY#{day}", "ARTICLE#{id}")

    (issue,) = finds("TAB502", table)
    assert issue.message == "It repeats 'title', 'summary' of Article."

    class Story(Entity, table=other_table):
        id: Attr[str]
        title: Attr[str]
        summary: Attr[str]
        key = primary("ARTICLE#{id}", "META")

    class Chapter(Entity, table=other_table):
        id: Attr[str]
        number: Attr[int]
        title: Attr[str]
        summary: Attr[str]
        key = primary("ARTICLE#{id}", "CHAPTER#{number:03d}")

    passes("TAB502", other_table)


def test_a_count_of_neighbours_may_drift(finds, passes, table, other_table):
    class Cart(Entity, table=table):
        id: Attr[str]
        item_count: Attr[int]
        key = primary("CART#{id}", "META")

    class Line(Entity, table=table):
        id: Attr[str]
        sku: Attr[str]
        key = primary("CART#{id}", "LINE#{sku}")

    (issue,) = finds("TAB503", table)
    assert issue.subject == "Cart.item_count"

    class Alone(Entity, table=other_table):
        id: Attr[str]
        item_count: Attr[int]
        key = primary("CART#{id}", "META")

    passes("TAB503", other_table)


def test_a_unique_primary_key_needs_no_constraint(finds, passes, table, other_table):
    class User(Entity, table=table):
        id: Attr[str]
        key = primary("USER#{id}", "META")
        by_id = unique("id")

    finds("TAB504", table)

    class Person(Entity, table=other_table):
        id: Attr[str]
        mail: Attr[str]
        key = primary("USER#{id}", "META")
        by_mail = unique("mail")

    passes("TAB504", other_table)


def test_a_queue_gives_up_at_some_time(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="new")

    (issue,) = finds("TAB505", table)
    assert issue.subject == "Task.work"

    class Patient(Entity, table=other_table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="new", most_attempts=3)

    passes("TAB505", other_table)


def test_a_queue_names_states_that_exist(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="ready", done="done")

    (issue,) = finds("TAB506", table)
    assert issue.message == "'status' is never 'ready'; it has 'new', 'running', 'done'."

    class Right(Entity, table=other_table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="new", running="running", done="done")

    passes("TAB506", other_table)


def test_a_lease_lasts_a_while(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        hasty = queue(by_status, ready="new", lease=timedelta(seconds=1))
        slow = queue(by_status, ready="new", lease=timedelta(days=1))

    assert len(finds("TAB507", table)) == 2

    class Right(Entity, table=other_table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="new")

    passes("TAB507", other_table)
