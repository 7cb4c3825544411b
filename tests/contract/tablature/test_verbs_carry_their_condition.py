"""Each verb says whether the item must exist, and a refusal carries the item as it is."""

from datetime import datetime
from typing import Literal

import pytest

import tablature
from tablature import Attr, Entity, Index, Table, attr, auto_now, auto_now_add, index, primary, version
from tablature.errors import AlreadyExists, ConditionFailed, DerivedTouched, DoesNotExist, InputError, VersionConflict

table = Table("verbs", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Letter(Entity, table=table):
    code: Attr[str]
    title: Attr[str]
    owner: Attr[str | None] = attr(default=None)
    status: Attr[Literal["draft", "sent"]] = attr(default="draft")
    opens: Attr[int] = attr(default=0)
    tags: Attr[set[str]]
    lines: Attr[list[str]] = attr(default_factory=list)
    extra: Attr[dict[str, object] | None] = attr(default=None)
    created_at: Attr[datetime] = auto_now_add()
    updated_at: Attr[datetime] = auto_now()

    key = primary("LETTER#{code}", "METADATA")
    by_owner = index("GSI1", "OWNER#{owner}", "LETTER#{created_at:iso}")


class Page(Entity, table=table):
    code: Attr[str]
    text: Attr[str]
    revision: Attr[int] = version()

    key = primary("PAGE#{code}", "METADATA")


def letter(**fields: object) -> Letter:
    return Letter(**{"code": "a", "title": "Hello", **fields})  # type: ignore[arg-type]


@pytest.fixture
def db(open_db):
    return open_db(table)


def test_create_refuses_an_item_that_exists_and_shows_it(db):
    db.create(letter())
    with pytest.raises(AlreadyExists) as refusal:
        db.create(letter(title="Again"))
    assert refusal.value.current.title == "Hello"


def test_put_replaces_whatever_is_stored(db):
    db.put(letter())
    db.put(letter(title="Again"))
    assert db.require(Letter.key(code="a")).title == "Again"


def test_update_needs_an_item_that_exists(db):
    with pytest.raises(DoesNotExist):
        db.update(letter())
    db.create(letter())
    assert db.update(letter(title="Again")).title == "Again"


def test_patch_needs_an_item_that_exists(db):
    with pytest.raises(DoesNotExist):
        db.patch(Letter.key(code="a"), title="Again")


def test_patch_changes_only_the_fields_given(db):
    db.create(letter(owner="u1"))
    patched = db.patch(Letter.key(code="a"), title="Again")
    assert (patched.title, patched.owner, patched.status) == ("Again", "u1", "draft")


def test_a_patch_can_count_append_add_and_remove(db):
    db.create(letter(tags={"a", "b"}, lines=["one"], owner="u1"))
    patched = db.patch(
        Letter.key(code="a"),
        Letter.opens.add(2),
        Letter.tags.discard({"a"}),
        Letter.lines.append(["two"]),
        owner=None,
    )
    assert (patched.opens, patched.tags, patched.lines, patched.owner) == (2, {"b"}, ["one", "two"], None)


def test_a_patch_can_reach_inside_a_field(db):
    db.create(letter(extra={"pdf": {"pages": 1}}))
    patched = db.patch(Letter.key(code="a"), Letter.extra.at("pdf", "pages").set(2))
    assert patched.extra == {"pdf": {"pages": 2}}


def test_a_field_that_is_not_optional_cannot_be_removed(db):
    with pytest.raises(InputError, match="not optional"):
        db.patch(Letter.key(code="a"), title=None)


def test_upsert_creates_and_then_changes(db):
    created = db.upsert(letter(title="One"))
    db.patch(Letter.key(code="a"), Letter.opens.add(5))
    changed = db.upsert(letter(title="Two", opens=5))
    assert (created.title, changed.title, changed.opens) == ("One", "Two", 5)
    assert changed.created_at == created.created_at


def test_delete_gives_back_what_was_there(db):
    db.create(letter())
    assert db.delete(Letter.key(code="a")).title == "Hello"
    assert db.delete(Letter.key(code="a")) is None
    assert db.get(Letter.key(code="a")) is None


def test_a_condition_of_the_caller_is_checked_and_its_failure_shows_the_item(db):
    db.create(letter(status="sent"))
    with pytest.raises(ConditionFailed) as refusal:
        db.patch(Letter.key(code="a"), title="Late", when=Letter.status == "draft")
    assert refusal.value.current.status == "sent"
    with pytest.raises(ConditionFailed):
        db.delete(Letter.key(code="a"), when=Letter.status == "draft")


def test_conditions_combine(db):
    db.create(letter(owner="u1", opens=3))
    when = ((Letter.opens >= 3) & Letter.owner.is_in(["u1", "u2"])) | ~Letter.title.starts_with("H")
    assert db.patch(Letter.key(code="a"), title="Fine", when=when).title == "Fine"
    with pytest.raises(ConditionFailed):
        db.patch(Letter.key(code="a"), title="Not", when=Letter.opens.between(10, 20))


def test_automatic_times_follow_the_clock(db, clock):
    created = db.create(letter())
    clock.advance(hours=1)
    patched = db.patch(created, title="Later")
    assert patched.created_at == created.created_at
    assert (patched.updated_at - created.updated_at).total_seconds() == 3600


def test_the_version_rises_with_every_verb(db):
    page = db.create(Page(code="p", text="one"))
    page = db.put(tablature.replace(page, text="two"))
    page = db.update(tablature.replace(page, text="three"))
    page = db.patch(page, text="four")
    assert page.revision == 4
    assert db.upsert(Page(code="p", text="five")).revision == 5


@pytest.mark.parametrize("verb", ["put", "update", "delete"])
def test_a_verb_on_an_old_version_is_refused_and_shows_the_new_one(db, verb):
    old = db.create(Page(code="p", text="one"))
    db.patch(old, text="two")
    with pytest.raises(VersionConflict) as refusal:
        getattr(db, verb)(old)
    assert refusal.value.current.text == "two"


def test_a_patch_of_an_old_version_is_refused(db):
    old = db.create(Page(code="p", text="one"))
    db.patch(old, text="two")
    with pytest.raises(VersionConflict):
        db.patch(old, text="three")


def test_a_new_entity_cannot_overwrite_a_versioned_one(db):
    db.create(Page(code="p", text="one"))
    with pytest.raises(VersionConflict):
        db.put(Page(code="p", text="other"))


def test_a_raw_update_may_not_touch_what_keys_are_derived_from(db):
    db.create(letter(owner="u1"))
    with pytest.raises(DerivedTouched, match="owner"):
        db.patch(Letter.key(code="a"), tablature.raw("SET #o = :o", names={"#o": "owner"}, values={":o": "u2"}))
    patched = db.patch(Letter.key(code="a"), tablature.raw("ADD opens :n", values={":n": 1}))
    assert patched.opens == 1


def test_part_of_the_key_cannot_be_changed(db):
    with pytest.raises(InputError, match="create another item"):
        db.patch(Letter.key(code="a"), code="b")


def test_an_unknown_field_is_named(db):
    with pytest.raises(InputError, match="no field 'titel'"):
        db.patch(Letter.key(code="a"), titel="x")
    with pytest.raises(InputError, match="made of code"):
        Letter.key(kode="a")
