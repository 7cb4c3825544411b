"""Checks of key templates, each with a schema that it finds and one that it lets pass."""

from datetime import date, datetime
from typing import Literal

from tablature import Attr, Entity, attr, auto_now, auto_now_add, fanout, index, primary, queue, version

Status = Literal["new", "done"]


def test_a_raw_field_may_contain_the_delimiter(finds, passes, table, other_table):
    class Note(Entity, table=table):
        name: Attr[str]
        key = primary("NOTE#{name:raw}", "META")

    (issue,) = finds("TAB001", table)
    assert (issue.subject, issue.cure) == ("Note.name", "{name} without :raw")

    class Safe(Entity, table=other_table):
        name: Attr[str]
        code: Attr[str] = attr(pattern=r"[a-z]{3}-\d{4}")
        status: Attr[Status]
        key = primary("NOTE#{name}", "CODE#{code:raw}")
        by_status = index("GSI1", "S#{status:raw}", "{name}")

    passes("TAB001", other_table)


def test_a_pattern_that_allows_the_delimiter_does_not_make_a_raw_field_safe(finds, table):
    class Note(Entity, table=table):
        name: Attr[str] = attr(pattern=r"[^ ]+")
        key = primary("NOTE#{name:raw}", "META")

    finds("TAB001", table)


def test_a_month_in_a_primary_key_loses_the_day(finds, passes, table, other_table):
    class Bill(Entity, table=table):
        user: Attr[str]
        day: Attr[date]
        key = primary("BILL#{user}", "{day:%Y-%m}")

    (issue,) = finds("TAB002", table)
    assert issue.cure == "{day:%Y-%m-%d}"

    class Whole(Entity, table=other_table):
        user: Attr[str]
        day: Attr[date]
        key = primary("BILL#{user}#{day:%Y}", "{day:%m-%d}")

    passes("TAB002", other_table)


def test_a_date_that_begins_with_the_day_does_not_sort(finds, passes, table, other_table):
    class Visit(Entity, table=table):
        user: Attr[str]
        day: Attr[date]
        at: Attr[datetime]
        key = primary("USER#{user}", "{day:%d-%m-%Y}")
        by_time = index("GSI1", "USER#{user}", "{at:iso}")

    cures = {issue.subject: issue.cure for issue in finds("TAB003", table)}
    assert cures == {"Visit.key": "{day:%Y-%m-%d}", "Visit.by_time": 'at: attr(precision="seconds")'}

    class Sorted(Entity, table=other_table):
        user: Attr[str]
        day: Attr[date]
        at: Attr[datetime] = attr(precision="milliseconds")
        key = primary("USER#{user}#{day:%Y}", "{day:%m-%d}")
        by_time = index("GSI1", "USER#{user}", "{at:iso}")
        by_day = fanout(each="user", pk="DAYS#{each}", sk="Y#{day:%Y}#M#{day:%m}#D#{day:iso}")

    passes("TAB003", other_table)


def test_a_number_without_width_does_not_sort(finds, passes, table, other_table):
    class Score(Entity, table=table):
        game: Attr[str]
        points: Attr[int]
        key = primary("GAME#{game}", "{points}")

    (issue,) = finds("TAB004", table)
    assert issue.cure == "{points:010d}"

    class Padded(Entity, table=other_table):
        game: Attr[str]
        points: Attr[int]
        key = primary("GAME#{game}#{points}", "{points:06d}")

    passes("TAB004", other_table)


def test_a_constant_partition_is_cured_by_shards(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        at: Attr[datetime] = auto_now_add()
        key = primary("ARTICLE#{id}", "META")
        latest = index("GSI1", "ARTICLE", "{at:iso}")

    (issue,) = finds("TAB005", table)
    assert issue.cure == 'shards=4, by="id", include_unsharded=True'
    (busier,) = finds("TAB005", table, peak_writes=20_000)
    assert "shards=64" in busier.cure

    class Spread(Entity, table=other_table):
        id: Attr[str]
        at: Attr[datetime] = auto_now_add()
        key = primary("ARTICLE#{id}", "META")
        latest = index("GSI1", "ARTICLE", "{at:iso}", shards=4, by="id")

    class Settings(Entity, table=other_table):
        title: Attr[str]
        key = primary("SETTINGS", "SETTINGS")

    passes("TAB005", other_table)


def test_constant_partitions_of_keys_and_copies_need_a_field(finds, table):
    class Article(Entity, table=table):
        id: Attr[str]
        words: Attr[list[str]]
        key = primary("ARTICLE", "{id}")
        by_word = fanout(each="words", pk="WORDS", sk="{each}#{id}")

    assert [issue.cure for issue in finds("TAB005", table)] == ["ARTICLE#{id}", "WORDS#{each}"]


def test_a_status_as_partition_is_cured_by_shards(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}", "{id}")

    (issue,) = finds("TAB006", table)
    assert issue.cure == 'shards=4, by="id", include_unsharded=True'

    class Spread(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        status: Attr[Status]
        key = primary("TASK#{id}", "META")
        by_status = index("GSI1", "STATUS#{status}#{owner}", "{id}")

    passes("TAB006", other_table)


def test_a_day_as_partition_is_hot_today(finds, passes, table, other_table):
    class Visit(Entity, table=table):
        id: Attr[str]
        day: Attr[date]
        key = primary("VISIT#{id}", "META")
        by_day = index("GSI1", "DAY#{day:%Y-%m-%d}", "{id}")

    finds("TAB007", table)

    class Spread(Entity, table=other_table):
        id: Attr[str]
        site: Attr[str]
        day: Attr[date]
        key = primary("VISIT#{id}", "META")
        by_day = index("GSI1", "SITE#{site}#{day:%Y-%m-%d}", "{id}")

    passes("TAB007", other_table)


def test_a_primary_key_must_not_change(finds, passes, table, other_table):
    class Task(Entity, table=table):
        id: Attr[str]
        status: Attr[Status]
        at: Attr[datetime] = auto_now()
        revision: Attr[int] = version()
        key = primary("TASK#{status}#{id}", "{at:iso}#{revision:06d}")
        by_status = index("GSI1", "STATUS#{status}", "{id}")
        work = queue(by_status, ready="new")

    assert len(finds("TAB008", table)) == 3

    class Still(Entity, table=other_table):
        id: Attr[str]
        at: Attr[datetime] = auto_now_add()
        key = primary("TASK#{id}", "{at:iso}")

    passes("TAB008", other_table)


def test_one_prefix_has_one_spelling(finds, passes, table, other_table):
    class User(Entity, table=table):
        number: Attr[int]
        key = primary("USER#{number:08d}", "PROFILE")

    class Order(Entity, table=table):
        user_number: Attr[int]
        id: Attr[str]
        key = primary("USER#{user_number}", "ORDER#{id}")

    (issue,) = finds("TAB009", table)
    assert issue.subject == "Order.key"

    class Person(Entity, table=other_table):
        id: Attr[str]
        key = primary("USER#{id}", "PROFILE")

    class Purchase(Entity, table=other_table):
        person_id: Attr[str]
        id: Attr[str]
        key = primary("USER#{person_id}", "ORDER#{id}")

    passes("TAB009", other_table)


def test_a_key_that_may_be_too_long_is_an_error(finds, passes, table, other_table):
    class Page(Entity, table=table):
        url: Attr[str] = attr(longest=2000)
        body: Attr[str] = attr(longest=5000)
        key = primary("PAGE#{body}", "URL#{url}")

    sentences = [issue.message for issue in finds("TAB010", table)]
    assert "2,004" in sentences[1]
    assert "5,005" in sentences[0]

    class Short(Entity, table=other_table):
        url: Attr[str] = attr(longest=2000)
        key = primary("URL#{url}", "META")

    passes("TAB010", other_table)


def test_a_key_names_its_kind_where_kinds_share_a_table(finds, passes, table, other_table):
    class User(Entity, table=table):
        id: Attr[str]
        mail: Attr[str]
        key = primary("{id}", "{mail}")

    class Order(Entity, table=table):
        id: Attr[str]
        key = primary("ORDER#{id}", "META")

    (issue,) = finds("TAB011", table)
    assert issue.cure == "USER#{id}"

    class Alone(Entity, table=other_table):
        id: Attr[str]
        mail: Attr[str]
        key = primary("{id}", "{mail}")

    passes("TAB011", other_table)


def test_the_layers_own_prefixes_are_taken(finds, passes, table, other_table):
    class Draw(Entity, table=table):
        id: Attr[str]
        key = primary("UNIQUE#{id}", "META")

    finds("TAB012", table)

    class Plain(Entity, table=other_table):
        id: Attr[str]
        key = primary("UNIQUE_DRAW#{id}", "ONCE#{id}")

    passes("TAB012", other_table)
