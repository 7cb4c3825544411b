"""A unique value has at most one holder; the refusal names the field and the holder."""

import uuid
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tablature
from tablature import Attr, Entity, Table, attr, expires, primary, unique
from tablature.errors import ConditionFailed, InputError, UniqueViolation

table = Table("people", pk="PK", sk="SK", ttl="ttl")


class Person(Entity, table=table):
    id: Attr[str]
    email: Attr[str | None] = attr(default=None)
    team: Attr[str] = attr(default="t")
    seat: Attr[int | None] = attr(default=None)

    key = primary("PERSON#{id}", "METADATA")
    one_email = unique("email")
    one_seat = unique("team", "seat")


class Reminder(Entity, table=table):
    id: Attr[str]
    customer: Attr[str]
    level: Attr[str]

    key = primary("REMINDER#{id}", "METADATA")
    not_again_soon = unique("customer", "level", window=timedelta(days=7))


class Session(Entity, table=table):
    id: Attr[str]
    user: Attr[str]
    ttl: Attr[datetime | None] = expires(hours=1)

    key = primary("SESSION#{id}", "METADATA")
    one_a_user = unique("user")


class Lasting(Entity, table=table):
    id: Attr[str]
    name: Attr[str]
    ttl: Attr[datetime | None] = expires()

    key = primary("LASTING#{id}", "METADATA")
    one_name = unique("name")


@pytest.fixture
def db(open_db):
    return open_db(table)


def test_a_second_item_with_the_value_is_refused_and_told_who_holds_it(db):
    db.create(Person(id="1", email="a@example.org"))
    with pytest.raises(UniqueViolation, match="email") as refusal:
        db.create(Person(id="2", email="a@example.org"))
    assert refusal.value.fields == ("email",)
    assert refusal.value.holder == ("PERSON#1", "METADATA")
    assert db.get(Person.key(id="2")) is None


def test_the_holder_is_found_by_the_value_alone(db):
    db.create(Person(id="1", email="a@example.org", seat=3))
    holder = db.find_unique(Person, email="a@example.org")
    assert holder is not None
    assert holder.id == "1"
    assert db.find_unique(Person, team="t", seat=3).id == "1"
    assert db.find_unique(Person, email="b@example.org") is None
    db.patch(holder, email="b@example.org")
    assert db.find_unique(Person, email="a@example.org") is None
    with pytest.raises(InputError, match="no unique constraint"):
        db.find_unique(Person, team="t")


def test_several_fields_are_unique_together(db):
    db.create(Person(id="1", team="red", seat=1))
    db.create(Person(id="2", team="blue", seat=1))
    with pytest.raises(UniqueViolation) as refusal:
        db.patch(Person.key(id="2"), team="red")
    assert refusal.value.fields == ("team", "seat")


def test_delimiters_in_values_do_not_make_two_values_equal(db):
    db.create(Person(id="1", team="a#1", seat=2))
    db.create(Person(id="2", team="a", seat=12))
    assert db.find_unique(Person, team="a#1", seat=2).id == "1"
    assert db.find_unique(Person, team="a", seat=12).id == "2"


def test_a_value_is_free_again_after_a_change_or_a_delete(db):
    db.create(Person(id="1", email="a@example.org"))
    db.patch(Person.key(id="1"), email="b@example.org")
    db.create(Person(id="2", email="a@example.org"))
    db.delete(Person.key(id="2"))
    db.put(Person(id="1", email="a@example.org"))
    db.create(Person(id="3", email="b@example.org"))
    assert db.find_unique(Person, email="a@example.org").id == "1"
    assert db.find_unique(Person, email="b@example.org").id == "3"


def test_the_holder_may_write_its_own_value_again(db):
    person = db.create(Person(id="1", email="a@example.org"))
    db.put(person)
    db.upsert(Person(id="1", email="a@example.org"))
    assert db.patch(Person.key(id="1"), email="a@example.org").email == "a@example.org"


def test_a_window_holds_for_its_time_and_no_longer(db, clock):
    db.create(Reminder(id="1", customer="c", level="first"))
    clock.advance(days=6)
    with pytest.raises(UniqueViolation):
        db.create(Reminder(id="2", customer="c", level="first"))
    db.create(Reminder(id="3", customer="c", level="second"))
    clock.advance(days=2)
    db.create(Reminder(id="4", customer="c", level="first"))


def test_an_item_whose_window_was_taken_over_can_still_be_deleted(db, clock):
    db.create(Reminder(id="1", customer="c", level="first"))
    clock.advance(days=8)
    db.create(Reminder(id="2", customer="c", level="first"))
    db.delete(Reminder.key(id="1"))
    with pytest.raises(UniqueViolation):
        db.create(Reminder(id="3", customer="c", level="first"))


def test_an_expired_holder_gives_its_value_up(db, clock):
    db.create(Session(id="1", user="u"))
    clock.advance(hours=2)
    assert db.create(Session(id="2", user="u")).user == "u"


@pytest.mark.parametrize("verb", ["patch", "put", "update", "upsert"])
def test_a_holder_that_lives_longer_keeps_its_value_as_long(db, clock, verb):
    db.create(Session(id="1", user="u"))
    later = clock.now + timedelta(hours=5)
    if verb == "patch":
        db.patch(Session.key(id="1"), ttl=later)
    else:
        getattr(db, verb)(Session(id="1", user="u", ttl=later))
    clock.advance(hours=2)
    with pytest.raises(UniqueViolation):
        db.create(Session(id="2", user="u"))
    clock.advance(hours=4)
    assert db.create(Session(id="2", user="u")).user == "u"


def test_a_holder_that_was_given_an_end_gives_its_value_up_then(db, clock):
    db.create(Lasting(id="1", name="n"))
    db.patch(Lasting.key(id="1"), ttl=clock.now + timedelta(hours=1))
    clock.advance(hours=2)
    assert db.find_unique(Lasting, name="n") is None
    assert db.create(Lasting(id="2", name="n")).name == "n"
    assert db.find_unique(Lasting, name="n").id == "2"


def test_an_expired_holder_that_is_written_anew_takes_its_value_only_where_it_is_free(db, clock):
    db.create(Session(id="1", user="u"))
    clock.advance(hours=2)
    db.create(Session(id="2", user="u"))
    with pytest.raises(UniqueViolation):
        db.put(Session(id="1", user="u", ttl=clock.now + timedelta(hours=1)))


def test_a_transaction_can_pass_a_value_on(db):
    db.create(Person(id="1", email="a@example.org"))
    db.transact(
        tablature.patch(Person.key(id="1"), email=None),
        tablature.create(Person(id="2", email="a@example.org")),
    )
    with pytest.raises(UniqueViolation) as refusal:
        db.create(Person(id="3", email="a@example.org"))
    assert refusal.value.holder == ("PERSON#2", "METADATA")


moves = st.lists(
    st.tuples(
        st.sampled_from(["create", "put", "patch", "upsert", "delete"]),
        st.sampled_from("123"),
        st.none() | st.sampled_from(["x", "y"]),
    ),
    max_size=8,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves)
def test_at_most_one_item_holds_a_value_after_any_verbs(db, sequence):
    salt = uuid.uuid4().hex
    for verb, who, email in sequence:
        ref, value = Person.key(id=salt + who), email and f"{email}@{salt}"
        try:
            if verb == "patch":
                db.patch(ref, email=value)
            elif verb == "delete":
                db.delete(ref)
            else:
                getattr(db, verb)(Person(id=salt + who, email=value))
        except ConditionFailed:
            pass
        holders = [person.email for name in "123" if (person := db.get(Person.key(id=salt + name))) and person.email]
        assert len(holders) == len(set(holders))
    for name in "123":
        db.delete(Person.key(id=salt + name))
    for at, email in enumerate(("x", "y")):
        db.create(Person(id=f"{salt}-{at}", email=f"{email}@{salt}"))
