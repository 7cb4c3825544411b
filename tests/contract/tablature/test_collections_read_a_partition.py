"""Collections: one query gives a typed aggregate; a partition is deleted with all that was derived from it."""

import pytest

from tablature import Attr, Collection, Entity, Table, attr, fanout, primary, unique
from tablature.errors import DeclarationError, InputError, StoredItemError

table = Table("habits", pk="PK", sk="SK")


class User(Entity, table=table):
    user_id: Attr[str] = attr(in_key=True)
    username: Attr[str]
    email: Attr[str | None] = attr(default=None)

    key = primary("USER#{user_id}", "METADATA")
    one_email = unique("email")


class Topics(Entity, table=table):
    user_id: Attr[str] = attr(in_key=True)
    names: Attr[list[str]]

    key = primary("USER#{user_id}", "TOPICS")
    by_name = fanout(each="names", pk="TOPIC#{each}", sk="{user_id}")


class Streak(Entity, table=table):
    user_id: Attr[str] = attr(in_key=True)
    habit_id: Attr[str] = attr(in_key=True)
    days: Attr[int] = attr(default=0)

    key = primary("USER#{user_id}", "STREAK#{habit_id}")


class Dashboard(Collection):
    """Everything about one user."""

    user: User
    topics: Topics | None
    streaks: list[Streak]


@pytest.fixture
def db(open_db):
    return open_db(table)


@pytest.fixture
def user(db):
    db.create(User(user_id="1", username="ann", email="a@example.org"))
    db.put_many([Streak(user_id="1", habit_id=name, days=3) for name in ("gym", "run")])
    return "1"


def test_one_query_gives_every_member(db, user):
    with db.measure() as spent:
        dashboard = db.collect(Dashboard, user_id=user)
    assert spent.total.calls == 1
    assert (dashboard.user.username, dashboard.topics) == ("ann", None)
    assert [streak.habit_id for streak in dashboard.streaks] == ["gym", "run"]


def test_an_optional_member_is_there_once_it_is_written(db, user):
    db.create(Topics(user_id=user, names=["health"]))
    assert db.collect(Dashboard, user_id=user).topics.names == ["health"]


def test_an_empty_partition_is_none(db):
    assert db.collect(Dashboard, user_id="none") is None


def test_a_partition_without_its_main_item_is_an_error_not_a_guess(db):
    db.put(Streak(user_id="2", habit_id="gym"))
    with pytest.raises(StoredItemError, match="no User"):
        db.collect(Dashboard, user_id="2")


def test_fields_kept_in_the_key_are_not_stored_twice(db, user):
    streak = db.require(Streak.key(user_id=user, habit_id="gym"))
    assert (streak.user_id, streak.habit_id) == ("1", "gym")
    assert set(streak.__dict__["__stored__"]) == {"PK", "SK", "days"}


def test_deleting_a_partition_deletes_what_was_derived_from_it_and_nothing_else(db, user, transport):
    db.create(Topics(user_id=user, names=["health", "sleep"]))
    name = db.context.physical(table)
    transport.send("PutItem", {"TableName": name, "Item": {"PK": {"S": "USER#1"}, "SK": {"S": "FOREIGN"}}})
    transport.send("PutItem", {"TableName": name, "Item": {"PK": {"S": "PROPOSAL#1"}, "SK": {"S": "METADATA"}}})
    assert db.delete_partition(Dashboard, user_id=user) == 5
    left = transport.send("Scan", {"TableName": name})["Items"]
    assert [item["PK"]["S"] for item in left] == ["PROPOSAL#1"]
    db.create(User(user_id="9", username="bob", email="a@example.org"))


def test_a_large_partition_is_deleted_too(db, user):
    db.put_many([Streak(user_id=user, habit_id=f"h{number:03d}") for number in range(230)])
    assert db.delete_partition(Dashboard, user_id=user) == 233
    assert db.collect(Dashboard, user_id=user) is None


def test_the_inputs_are_those_of_the_partition(db):
    with pytest.raises(InputError, match="needs the inputs user_id"):
        db.collect(Dashboard, habit_id="gym")


def test_members_must_share_a_partition():
    class Other(Entity, table=table):
        id: Attr[str]
        key = primary("OTHER#{id}", "METADATA")

    with pytest.raises(DeclarationError, match="mixes partitions"):

        class Mixed(Collection):
            user: User
            other: Other
