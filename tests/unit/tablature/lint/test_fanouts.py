"""Checks of fan-outs, each with a schema that it finds and one that it lets pass."""

from datetime import datetime

from tablature import Attr, Entity, attr, auto_now, auto_now_add, fanout, pattern, primary, unique


def test_a_fanout_of_any_length_may_exceed_a_transaction(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        slug: Attr[str]
        words: Attr[list[str]]
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}")
        one_slug = unique("slug")

    (issue,) = finds("TAB401", table)
    assert (issue.subject, issue.cure) == ("Article.words", "words: attr(longest=48)")

    class Bounded(Entity, table=other_table):
        id: Attr[str]
        owner: Attr[str]
        words: Attr[list[str]] = attr(longest=20)
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}")
        by_owner = fanout(each="owner", pk="OWNER#{each}", sk="{id}")

    passes("TAB401", other_table)


def test_limits_of_several_fanouts_count_together(finds, table):
    class Article(Entity, table=table):
        id: Attr[str]
        words: Attr[list[str]] = attr(longest=30)
        people: Attr[list[str]] = attr(longest=40)
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}")
        by_person = fanout(each="people", pk="PERSON#{each}", sk="{id}")

    (issue,) = finds("TAB401", table)
    assert issue.message == "An update may need 141 actions, for old and new copies."
    assert issue.cure == "people: attr(longest=19)"


def test_copies_of_the_time_of_change_change_with_every_write(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        words: Attr[list[str]]
        at: Attr[datetime] = auto_now()
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", fields=("at",))

    finds("TAB402", table)

    class Still(Entity, table=other_table):
        id: Attr[str]
        words: Attr[list[str]]
        at: Attr[datetime] = auto_now_add()
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", fields=("at",))

    passes("TAB402", other_table)


def test_copies_are_thin(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        words: Attr[list[str]]
        parts: Attr[dict[str, str]]
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", fields=("parts",))

    finds("TAB403", table)

    class Thin(Entity, table=other_table):
        id: Attr[str]
        title: Attr[str]
        words: Attr[list[str]]
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", fields=("title",))

    passes("TAB403", other_table)


def test_copies_that_nothing_reads_are_found(finds, passes, table, other_table):
    class Article(Entity, table=table):
        id: Attr[str]
        words: Attr[list[str]]
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}")

    finds("TAB404", table)

    class Read(Entity, table=other_table):
        id: Attr[str]
        words: Attr[list[str]]
        key = primary("ARTICLE#{id}", "META")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}")
        with_word = pattern(by_word)

    passes("TAB404", other_table)


def test_a_copy_leads_to_its_item(finds, passes, table, other_table):
    class Article(Entity, table=table):
        site: Attr[str]
        id: Attr[str]
        words: Attr[list[str]]
        key = primary("SITE#{site}", "ARTICLE#{id}")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", fields=("words",))

    (issue,) = finds("TAB405", table)
    assert issue.cure == "fields=('words', 'site',)"

    class Traced(Entity, table=other_table):
        site: Attr[str]
        id: Attr[str]
        words: Attr[list[str]]
        key = primary("SITE#{site}", "ARTICLE#{id}")
        by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", fields=("site",))

    passes("TAB405", other_table)
