"""Threads that write at the same time: one wins a unique value or a lease, and no change is lost."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Literal

import pytest

from tablature import (
    Attr,
    Database,
    Entity,
    Index,
    Table,
    attr,
    auto_now_add,
    fanout,
    index,
    pattern,
    primary,
    queue,
    unique,
    version,
)
from tablature.errors import UniqueViolation, VersionConflict
from tablature.transport.embedded import Embedded

table = Table("crowd", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])
THREADS = 6


class Person(Entity, table=table):
    id: Attr[str]
    email: Attr[str]

    key = primary("PERSON#{id}", "PERSON")
    one_email = unique("email")


class Task(Entity, table=table):
    id: Attr[str]
    status: Attr[Literal["ready", "done"]] = attr(default="ready")
    created_at: Attr[datetime] = auto_now_add()

    key = primary("TASK#{id}", "TASK")
    by_status = index("GSI1", "TASKS#{status}", "{created_at:iso}#{id}")
    work = queue(by_status, ready="ready", done="done")


class Article(Entity, table=table):
    id: Attr[str]
    words: Attr[set[str]]
    reads: Attr[int] = attr(default=0)

    key = primary("ARTICLE#{id}", "ARTICLE")
    by_word = fanout(each="words", pk="WORD#{each}", sk="{id}", fields=("id",))
    about = pattern(by_word)


class Page(Entity, table=table):
    id: Attr[str]
    text: Attr[str] = attr(default="")
    revision: Attr[int] = version()

    key = primary("PAGE#{id}", "PAGE")


@pytest.fixture
def db(tmp_path):
    with Database(Embedded(tmp_path / "crowd.db")) as db:
        db.admin.create_table(table)
        yield db


def together(work):
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(THREADS)))


def test_one_of_many_gets_a_unique_value(db):
    def create(number):
        try:
            db.create(Person(id=str(number), email="a@example.org"))
        except UniqueViolation:
            return False
        return True

    assert together(create).count(True) == 1


def test_no_work_is_claimed_twice(db):
    db.put_many([Task(id=f"{number:02d}") for number in range(20)])
    claims = together(lambda number: [claim.item.id for claim in db.claim(Task.work, f"w{number}", limit=5)])
    claimed = [task for some in claims for task in some]
    assert sorted(claimed) == sorted(set(claimed))
    assert len(claimed) == 20


def test_copies_follow_when_many_change_the_same_item(db):
    db.create(Article(id="1", words=set()))

    def add_a_word(number):
        db.patch(Article.key(id="1"), Article.words.add({f"w{number}"}))
        db.patch(Article.key(id="1"), Article.reads.add(1))

    together(add_a_word)
    article = db.require(Article.key(id="1"))
    assert (article.words, article.reads) == ({f"w{number}" for number in range(THREADS)}, THREADS)
    for word in article.words:
        assert [copy.id for copy in db.query(Article.about(each=word))] == ["1"]


def test_one_of_many_edits_of_a_version_wins(db):
    page = db.create(Page(id="1"))

    def edit(number):
        try:
            db.patch(page, text=str(number))
        except VersionConflict:
            return False
        return True

    assert together(edit).count(True) == 1
    assert db.require(Page.key(id="1")).revision == 2
