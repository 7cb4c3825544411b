"""Transactions over entities: all or none, one typed error per action, limits checked before sending, at most once."""

import pytest

import tablature
from tablature import Attr, Entity, Table, attr, primary, unique, version
from tablature.errors import (
    AlreadyExists,
    ConditionFailed,
    DoesNotExist,
    InputError,
    TransactionFailed,
    TransactionTooLarge,
    VersionConflict,
)

table = Table("bank", pk="PK", sk="SK")


class Account(Entity, table=table):
    id: Attr[str]
    balance: Attr[int] = attr(default=0)
    number: Attr[str | None] = attr(default=None)
    revision: Attr[int] = version()

    key = primary("ACCOUNT#{id}", "ACCOUNT")
    one_number = unique("number")


class Entry(Entity, table=table):
    id: Attr[str]
    text: Attr[str] = attr(default="")

    key = primary("ENTRY#{id}", "ENTRY")


@pytest.fixture
def db(open_db):
    return open_db(table)


@pytest.fixture
def accounts(db):
    return db.create(Account(id="a", balance=10)), db.create(Account(id="b"))


def move(amount):
    return (
        tablature.patch(Account.key(id="a"), Account.balance.add(-amount), when=Account.balance >= amount),
        tablature.patch(Account.key(id="b"), Account.balance.add(amount)),
        tablature.create(Entry(id="1", text=f"moved {amount}")),
    )


def balances(db):
    return [db.require(Account.key(id=name)).balance for name in "ab"]


def test_every_write_happens(db, accounts):
    outcome = db.transact(*move(4))
    assert outcome.applied
    assert balances(db) == [6, 4]
    assert db.require(Entry.key(id="1")).text == "moved 4"


def test_one_refusal_undoes_all_and_is_typed_by_position(db, accounts):
    db.create(Entry(id="1"))
    with pytest.raises(TransactionFailed) as refusal:
        db.transact(*move(40))
    first, second, third = refusal.value.errors
    assert isinstance(first, ConditionFailed)
    assert first.current.balance == 10
    assert second is None
    assert isinstance(third, AlreadyExists)
    assert balances(db) == [10, 0]


def test_versions_are_checked_inside_transactions(db, accounts):
    old, _ = accounts
    db.patch(old, balance=11)
    with pytest.raises(TransactionFailed) as refusal:
        db.transact(tablature.put(old), tablature.create(Entry(id="1")))
    assert isinstance(refusal.value.errors[0], VersionConflict)
    with pytest.raises(TransactionFailed) as refusal:
        db.transact(tablature.check(old), tablature.create(Entry(id="1")))
    assert isinstance(refusal.value.errors[0], VersionConflict)


def test_a_check_guards_without_writing(db, accounts):
    account, _ = accounts
    db.transact(tablature.check(account, when=Account.balance == 10), tablature.create(Entry(id="1")))
    assert db.require(Account.key(id="a")).revision == account.revision
    with pytest.raises(TransactionFailed) as refusal:
        db.transact(tablature.check(Account.key(id="none")), tablature.create(Entry(id="2")))
    assert isinstance(refusal.value.errors[0], DoesNotExist)


def test_more_than_a_hundred_actions_are_refused_before_sending(db):
    with db.measure() as spent, pytest.raises(TransactionTooLarge, match="101 actions"):
        db.transact(*(tablature.create(Entry(id=str(number))) for number in range(101)))
    assert spent.total.calls == 0


def test_more_than_four_megabytes_are_refused_before_sending(db):
    entries = [Entry(id=str(number), text="x" * 250_000) for number in range(20)]
    with db.measure() as spent, pytest.raises(TransactionTooLarge, match="bytes"):
        db.transact(*(tablature.create(entry) for entry in entries))
    assert spent.total.calls == 0


def test_an_item_cannot_be_touched_twice(db, accounts):
    with pytest.raises(InputError, match="touched twice"):
        db.transact(tablature.delete(Account.key(id="a")), tablature.patch(Account.key(id="a"), balance=1))


def test_every_transaction_carries_a_token_of_its_own(db, accounts, transport):
    tokens = []

    class Listening:
        def send(self, operation, request):
            tokens.append(request.get("ClientRequestToken"))
            return transport.send(operation, request)

    listening = tablature.Database(Listening(), names=db.context.names, clock=db.context.now)
    listening.transact(*move(1))
    listening.transact(*move(1)[:2])
    assert all(tokens)
    assert len(set(tokens)) == 2


def test_an_event_is_applied_once_however_often_it_comes(db, accounts):
    assert db.transact(*move(2), once="event-1").applied
    assert not db.transact(*move(2), once="event-1").applied
    assert balances(db) == [8, 2]


def test_one_write_can_be_applied_once(db, accounts):
    for _ in range(3):
        account = db.patch(Account.key(id="a"), Account.balance.add(5), once="event-2")
    assert account.balance == 15
    db.transact(tablature.patch(Account.key(id="a"), Account.balance.add(5)).once("event-3"))
    db.transact(tablature.patch(Account.key(id="a"), Account.balance.add(5)).once("event-3"))
    assert balances(db) == [20, 0]


def test_an_event_that_failed_can_still_be_applied(db, accounts):
    with pytest.raises(TransactionFailed):
        db.transact(*move(40), once="event-4")
    db.patch(Account.key(id="a"), balance=50)
    assert db.transact(*move(40), once="event-4").applied


def test_several_items_are_read_at_one_moment(db, accounts):
    read_accounts = db.snapshot([Account.key(id="b"), Account.key(id="none"), Account.key(id="a")])
    assert [account and account.id for account in read_accounts] == ["b", None, "a"]
