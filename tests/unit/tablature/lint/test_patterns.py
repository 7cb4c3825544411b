"""Checks of access patterns, each with a schema that it finds and one that it lets pass."""

from datetime import datetime
from typing import Literal

from tablature import Attr, Entity, attr, auto_now_add, index, pattern, primary

Status = Literal["draft", "sent"]


def test_a_filter_is_cured_by_a_composite_sort_key(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        status: Attr[Status]
        at: Attr[datetime] = auto_now_add()
        key = primary("LETTER#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "LETTER#{at:iso}")
        of_owner = pattern(by_owner, filters=("status",))

    (issue,) = finds("TAB201", table)
    assert issue.cure == 'pk="OWNER#{owner}", sk="LETTER#{status}#{at:iso}"'

    class Direct(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        status: Attr[Status]
        key = primary("LETTER#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "LETTER#{status}#{id}")
        of_owner = pattern(by_owner)

    passes("TAB201", other_table)


def test_a_filter_by_a_list_is_cured_by_a_fanout(finds, table):
    class Letter(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        tags: Attr[list[str]]
        key = primary("LETTER#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")
        of_owner = pattern(by_owner, filters=("tags",))

    (issue,) = finds("TAB201", table)
    assert issue.cure == 'fanout(each="tags", pk="TAGS#{each}", ...)'


def test_a_filter_by_a_key_field_says_too_much(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key, filters=("id",))

    finds("TAB202", table)

    class Plain(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key)

    passes("TAB202", other_table)


def test_a_fixed_condition_is_cured_by_a_sparse_index(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        status: Attr[Status]
        key = primary("LETTER#{id}", "META")
        by_owner = index("GSI1", "OWNER#{owner}", "{id}")

    pattern(Letter.by_owner, name="drafts", where=Letter.status == "draft")
    (issue,) = finds("TAB203", table)
    assert issue.cure == "index(..., when={'status': ...})"

    class Sparse(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        status: Attr[Status]
        key = primary("LETTER#{id}", "META")
        drafts = index("GSI1", "OWNER#{owner}", "{id}", when={"status": "draft"})
        of_owner = pattern(drafts)

    passes("TAB203", other_table)


def test_a_pattern_says_what_it_is_for(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key)

    finds("TAB204", table)

    class Told(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key, doc="The letters of one owner, for the first page.")

    passes("TAB204", other_table)


def test_a_prefix_inside_another_reads_strangers(finds, passes, table, other_table):
    class Order(Entity, table=table):
        owner: Attr[str]
        id: Attr[str]
        key = primary("OWNER#{owner}", "ORDER{id}")
        of_owner = pattern(key)

    class Remark(Entity, table=table):
        owner: Attr[str]
        id: Attr[str]
        key = primary("OWNER#{owner}", "ORDER_REMARK#{id}#TEXT")

    (issue,) = finds("TAB205", table)
    assert issue.message == "It also reads what Remark.key writes."

    class Purchase(Entity, table=other_table):
        owner: Attr[str]
        id: Attr[str]
        key = primary("OWNER#{owner}", "ORDER#{id}")
        of_owner = pattern(key)

    class Comment(Entity, table=other_table):
        owner: Attr[str]
        id: Attr[str]
        key = primary("OWNER#{owner}", "ORDER_REMARK#{id}")

    passes("TAB205", other_table)


def test_a_page_over_one_megabyte_is_found(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        owner: Attr[str]
        id: Attr[str]
        a_rather_long_name_for_something_that_is_kept_in_every_single_item: Attr[dict[str, str]]
        another_rather_long_name_for_something_that_is_kept_in_every_item: Attr[dict[str, str]]
        a_third_long_name_for_something_that_is_also_kept_in_every_one_of_the_items: Attr[dict[str, str]]
        the_fourth_of_the_long_names_under_which_something_is_kept_in_every_item: Attr[dict[str, str]]
        the_fifth_of_the_long_names_under_which_something_is_kept_in_every_item: Attr[dict[str, str]]
        the_sixth_of_the_long_names_under_which_something_is_kept_in_every_item: Attr[dict[str, str]]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key, page=1000)

    (issue,) = finds("TAB206", table)
    assert issue.cure.startswith("page=")

    class Short(Entity, table=other_table):
        owner: Attr[str]
        id: Attr[str]
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key, page=1000)

    passes("TAB206", other_table)


def test_a_pattern_for_one_item_is_a_get(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        id: Attr[str]
        key = primary("LETTER#{id}", "META")
        by_id = pattern(key)

    (issue,) = finds("TAB207", table)
    assert issue.cure == "db.get(Letter.key(...))"

    class Many(Entity, table=other_table):
        owner: Attr[str]
        id: Attr[str] = attr(longest=10)
        key = primary("OWNER#{owner}", "LETTER#{id}")
        of_owner = pattern(key)

    passes("TAB207", other_table)


def test_a_page_shorter_than_the_shards_is_found(finds, passes, table, other_table):
    class Letter(Entity, table=table):
        id: Attr[str]
        key = primary("LETTER#{id}", "META")
        every = index("GSI1", "LETTER", "{id}", shards=16, by="id")
        latest = pattern(every, page=5)

    (issue,) = finds("TAB208", table)
    assert issue.cure == "page=32"

    class Longer(Entity, table=other_table):
        id: Attr[str]
        key = primary("LETTER#{id}", "META")
        every = index("GSI1", "LETTER", "{id}", shards=16, by="id")
        latest = pattern(every, page=50)

    passes("TAB208", other_table)
