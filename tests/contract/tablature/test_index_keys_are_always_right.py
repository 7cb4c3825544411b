"""Index keys equal what the item implies after any sequence of verbs, by whoever and from whatever was known."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tablature
from tablature import Attr, Entity, Index, Table, attr, auto_now_add, index, pattern, primary
from tablature.errors import DoesNotExist

table = Table(
    "keys",
    pk="PK",
    sk="SK",
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK"), Index("GSI2", "GSI2PK", "GSI2SK"), Index("GSI3", "GSI3PK", "GSI3SK")],
)
START = datetime(2026, 1, 1, tzinfo=UTC)


class Note(Entity, table=table):
    id: Attr[str]
    author: Attr[str]
    created_at: Attr[datetime] = auto_now_add()

    key = primary("NOTE#{id}", "METADATA")
    by_author = index("GSI1", "AUTHOR#{author}", "{created_at:iso}")


class Task(Entity, table=table):
    id: Attr[str]
    owner: Attr[str | None] = attr(default=None)
    status: Attr[Literal["draft", "queued", "done"]] = attr(default="draft")
    rank: Attr[int] = attr(default=0)
    due: Attr[datetime | None] = attr(default=None, precision="seconds")
    created_at: Attr[datetime] = auto_now_add()

    key = primary("TASK#{id}", "METADATA")
    by_owner = index("GSI1", "OWNER#{owner}", "{rank:06d}#{created_at:iso}")
    waiting = index("GSI2", "WAITING", "{due:iso}#{id}", when={"status": ("queued", "draft"), "rank": lambda r: r < 50})
    by_status = index("GSI3", "STATUS#{status}", "{created_at:iso}", shards=3, by="id")

    of_owner = pattern(by_owner)
    of_status = pattern(by_status)


@pytest.fixture
def db(open_db):
    return open_db(table)


def assert_keys_are_right(db, ref):
    """Compare the stored keys with those that the stored fields imply."""
    entity = db.get(ref, consistent=True)
    if entity is None:
        return
    stored = entity.__dict__["__stored__"]
    implied = Task.__codec__.keys(entity.__dict__)
    assert {name: value for name, value in stored.items() if name.startswith(("GSI", "PK", "SK"))} == implied


texts = st.sampled_from(["u1", "u#2", "ü%3"])
fields = st.fixed_dictionaries(
    {},
    optional={
        "owner": st.none() | texts,
        "status": st.sampled_from(["draft", "queued", "done"]),
        "rank": st.integers(0, 99),
        "due": st.none() | st.integers(0, 9).map(lambda days: START + timedelta(days=days)),
    },
)
steps = st.lists(
    st.tuples(st.sampled_from(["create", "put", "update", "upsert", "patch", "patch_read", "add", "delete"]), fields),
    max_size=6,
)


def apply(db, ref, verb, values):
    if verb == "patch" and values:
        db.patch(ref, **values)
    elif verb == "patch_read" and values:
        current = db.require(ref)
        db.patch(ref, rank=1)
        db.patch(current, **values)
    elif verb == "add":
        db.patch(ref, Task.rank.add(7))
    elif verb == "delete":
        db.delete(ref)
    elif verb in ("create", "put", "update", "upsert"):
        getattr(db, verb)(Task(id=ref.values["id"], **values))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_after_any_sequence_of_verbs(db, sequence):
    ref = Task.key(id=uuid.uuid4().hex)
    for verb, values in sequence:
        try:
            apply(db, ref, verb, values)
        except (DoesNotExist, tablature.errors.AlreadyExists):
            continue
        assert_keys_are_right(db, ref)


def test_a_key_whose_sources_are_all_known_needs_no_read(db):
    db.create(Note(id="1", author="ann"))
    with db.measure() as spent:
        noted = db.patch(Note.key(id="1"), author="bob")
    assert spent.total.calls == 1
    assert noted.__dict__["__stored__"]["GSI1PK"] == {"S": "AUTHOR#bob"}


def test_a_source_set_to_none_takes_the_item_out_of_the_index(db):
    db.create(Task(id="1", owner="u1"))
    db.patch(Task.key(id="1"), owner=None)
    assert db.query(Task.of_owner(owner="u1")).items == []
    db.patch(Task.key(id="1"), owner="u2")
    assert [task.id for task in db.query(Task.of_owner(owner="u2"))] == ["1"]


def test_a_condition_that_fails_takes_the_item_out_of_the_index(db):
    db.create(Task(id="1", due=START, status="queued"))
    done = db.patch(Task.key(id="1"), status="done")
    assert "GSI2PK" not in done.__dict__["__stored__"]
    again = db.patch(done, status="queued")
    assert again.__dict__["__stored__"]["GSI2PK"] == {"S": "WAITING"}


def test_a_patch_from_an_old_copy_is_planned_again_on_the_item_as_it_is(db):
    old = db.create(Task(id="1", due=START, status="done"))
    db.patch(Task.key(id="1"), due=START + timedelta(days=5))
    patched = db.patch(old, status="queued")
    assert patched.__dict__["__stored__"]["GSI2SK"] == {"S": "2026-01-06T00:00:00Z#1"}


def test_whoever_changes_a_source_between_look_and_write_is_noticed(db, transport):
    db.create(Task(id="1", due=START, status="done"))
    other = tablature.Database(transport, names=db.context.names, clock=db.context.now)
    seen = []

    class Meddling:
        """Lets somebody else write just before the first update is sent."""

        def send(self, operation, request):
            if operation == "UpdateItem" and not seen:
                seen.append(operation)
                other.patch(Task.key(id="1"), due=START + timedelta(days=9))
            return transport.send(operation, request)

    tablature.Database(Meddling(), names=db.context.names, clock=db.context.now).patch(
        Task.key(id="1"), status="queued"
    )
    assert seen
    assert db.require(Task.key(id="1")).__dict__["__stored__"]["GSI2SK"] == {"S": "2026-01-10T00:00:00Z#1"}
