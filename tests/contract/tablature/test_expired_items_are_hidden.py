"""An item whose time is over counts as gone, although the service has not removed it yet."""

from datetime import datetime, timedelta

import pytest

from tablature import Attr, Collection, Entity, Index, Table, auto_now_add, expires, fanout, index, pattern, primary
from tablature.errors import AlreadyExists, DeclarationError, DoesNotExist

table = Table("sessions", pk="PK", sk="SK", ttl="ttl", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Session(Entity, table=table):
    id: Attr[str]
    user: Attr[str]
    created_at: Attr[datetime] = auto_now_add()
    ttl: Attr[datetime | None] = expires(days=30)

    key = primary("SESSION#{id}", "SESSION")
    by_user = index("GSI1", "USER#{user}", "{created_at:iso}#{id}")
    seen_by = fanout(each="user", pk="SEEN#{each}", sk="{id}", fields=("id",))

    of_user = pattern(by_user)
    copies = pattern(seen_by)


class Whole(Collection):
    sessions: list[Session]


@pytest.fixture
def db(open_db):
    return open_db(table)


def test_the_time_is_set_from_the_first_write(db, clock):
    session = db.create(Session(id="1", user="u"))
    assert session.ttl == clock.now + timedelta(days=30)
    clock.advance(days=3)
    assert db.patch(session, user="v").ttl == session.ttl
    assert session.__dict__["__stored__"]["ttl"] == {"N": str(int(session.ttl.timestamp()))}


def test_an_expired_item_is_not_read_in_any_way(db, clock):
    db.create(Session(id="1", user="u"))
    clock.advance(days=10)
    db.create(Session(id="2", user="u"))
    clock.advance(days=21)
    ref = Session.key(id="1")
    assert db.get(ref) is None
    assert db.get_many([ref]) == [None]
    assert db.snapshot([ref]) == [None]
    assert [session.id for session in db.query(Session.of_user(user="u"), limit=1)] == ["2"]
    assert [copy.id for copy in db.query(Session.copies(each="u"))] == ["2"]
    assert db.collect(Whole, id="1") is None
    assert [session.id for session in db.admin.scan(Session)] == ["2"]


def test_copies_live_as_long_as_their_item(db, clock):
    session = db.create(Session(id="1", user="u"))
    session = db.patch(session, ttl=clock.now + timedelta(days=60))
    clock.advance(days=40)
    assert [copy.id for copy in db.query(Session.copies(each="u"))] == ["1"]
    db.patch(session, ttl=clock.now + timedelta(days=1))
    clock.advance(days=2)
    assert db.query(Session.copies(each="u")).items == []


def test_an_expired_item_cannot_be_changed_but_can_be_created_again(db, clock):
    session = db.create(Session(id="1", user="u"))
    with pytest.raises(AlreadyExists):
        db.create(Session(id="1", user="u"))
    clock.advance(days=31)
    with pytest.raises(DoesNotExist):
        db.patch(session, user="v")
    with pytest.raises(DoesNotExist):
        db.update(session)
    assert db.create(Session(id="1", user="w")).user == "w"
    clock.advance(days=31)
    assert db.upsert(Session(id="1", user="x")).user == "x"
    assert db.get(Session.key(id="1")).user == "x"


def test_the_field_must_be_the_tables_own_ttl():
    with pytest.raises(DeclarationError, match="ttl"):

        class Wrong(Entity, table=table):
            id: Attr[str]
            until: Attr[datetime | None] = expires(days=1)
            key = primary("WRONG#{id}", "WRONG")


def test_an_item_that_another_program_keeps_for_ever_gets_no_expiry_when_it_is_written_back(db, transport):
    item = {"PK": {"S": "SESSION#9"}, "SK": {"S": "SESSION"}, "id": {"S": "9"}, "user": {"S": "u"}}
    transport.send("PutItem", {"TableName": db.context.physical(table), "Item": item})
    db.put(db.require(Session.key(id="9")))
    assert db.require(Session.key(id="9")).ttl is None
