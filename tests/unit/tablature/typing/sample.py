"""What type checkers see of a declared entity: values on instances, fields on the class, references, queries."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_type

from tablature import (
    Attr,
    Claim,
    Collection,
    Condition,
    Database,
    Entity,
    Field,
    Index,
    Page,
    Pattern,
    Query,
    Ref,
    Table,
    Thin,
    attr,
    auto_now_add,
    blob,
    fanout,
    index,
    pattern,
    primary,
    queue,
    unique,
    version,
)
from tablature.async_database import AsyncDatabase

main = Table("newsletter", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


@dataclass
class Card:
    title: str


class Newsletter(Entity, table=main):
    code: Attr[str] = attr(pattern=r"NL-\d+")
    title: Attr[str]
    status: Attr[Literal["draft", "sent"]] = attr(default="draft")
    opens: Attr[int] = attr(default=0)
    tags: Attr[set[str]] = attr(default_factory=set)
    owner: Attr[str | None] = attr(default=None)
    body: Attr[str | None] = blob(over=1000, default=None)
    created_at: Attr[datetime] = auto_now_add()
    revision: Attr[int] = version()

    key = primary("NEWSLETTER#{code}", "METADATA")
    by_owner = index("GSI1", "OWNER#{owner}", "{created_at:iso}")
    by_tag = fanout(each="tags", pk="TAG#{each}", sk="{code}", fields=("title",))
    as_card = fanout(each="owner", pk="CARD#{each}", sk="{code}", view=Card)
    one_title = unique("title")
    work = queue(by_owner, ready="draft", field="owner")

    of_owner = pattern(by_owner, order="descending")
    tagged = pattern(by_tag)
    cards = pattern(as_card)


class Whole(Collection):
    newsletter: Newsletter
    others: list[Newsletter]


weekly = Newsletter(code="NL-1", title="Weekly")
assert_type(weekly.title, str)
assert_type(weekly.status, Literal["draft", "sent"])
assert_type(weekly.owner, str | None)
assert_type(weekly.created_at, datetime)
assert_type(Newsletter.title, Field[str])
assert_type(Newsletter.opens, Field[int])
assert_type(Newsletter.title == "x", Condition)
assert_type((Newsletter.opens > 3) & ~Newsletter.owner.exists(), Condition)
assert_type(Newsletter.key(code="NL-1"), Ref[Newsletter])
assert_type(Newsletter.of_owner, Pattern[Newsletter])
assert_type(Newsletter.of_owner(owner="u"), Query[Newsletter])
assert_type(Newsletter.tagged(each="t"), Query[Thin])
assert_type(Newsletter.cards(each="t"), Query[Card])
weekly.title = "Monthly"


def use(db: Database) -> None:
    assert_type(db.get(Newsletter.key(code="NL-1")), Newsletter | None)
    assert_type(db.require(Newsletter.key(code="NL-1")), Newsletter)
    assert_type(db.create(weekly), Newsletter)
    assert_type(db.patch(weekly, Newsletter.opens.add(1), title="x"), Newsletter)
    assert_type(db.query(Newsletter.of_owner(owner="u")), Page[Newsletter])
    assert_type(db.query(Newsletter.cards(each="u")).items, list[Card])
    assert_type(db.collect(Whole, code="NL-1"), Whole | None)
    assert_type(db.claim(Newsletter.work, "me"), list[Claim[Newsletter]])
    for newsletter in db.each(Newsletter.of_owner(owner="u")):
        assert_type(newsletter, Newsletter)


async def use_async(db: AsyncDatabase) -> None:
    assert_type(await db.get(Newsletter.key(code="NL-1")), Newsletter | None)
    assert_type(await db.query(Newsletter.of_owner(owner="u")), Page[Newsletter])
    async for newsletter in db.each(Newsletter.of_owner(owner="u")):
        assert_type(newsletter, Newsletter)
