"""Capacity is reported by pattern and verb, as consumed and as estimated; a budget fails what costs more."""

import pytest

from tablature import Attr, Entity, Index, Table, attr, index, pattern, primary
from tablature.errors import BudgetExceeded

table = Table("costs", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Note(Entity, table=table):
    id: Attr[str]
    owner: Attr[str]
    text: Attr[str] = attr(default="x" * 900)

    key = primary("NOTE#{id}", "NOTE")
    by_owner = index("GSI1", "OWNER#{owner}", "{id}")
    of_owner = pattern(by_owner)


@pytest.fixture
def db(open_db):
    return open_db(table)


def test_costs_are_kept_by_pattern_and_verb(db):
    for number in range(10):
        db.create(Note(id=str(number), owner="u"))
    db.get(Note.key(id="1"))
    db.query(Note.of_owner(owner="u"))
    by_name = db.costs.by_name
    assert by_name["Note.create"].calls == 10
    assert by_name["Note.create"].wcu >= 10
    assert by_name["Note.get"].rcu == 0.5
    assert by_name["Note.of_owner"].rcu >= 1


def test_estimates_come_from_sizes(db):
    with db.measure() as spent:
        db.create(Note(id="1", owner="u"))
        db.get(Note.key(id="1"), consistent=True)
        db.put_many([Note(id="2", owner="u"), Note(id="3", owner="u", text="y" * 5_000)])
        db.get_many([Note.key(id="3")])
        db.snapshot([Note.key(id="1")])
    assert spent.total.estimated_wcu == 1 + 1 + 5
    assert spent.total.estimated_rcu == 1 + 1 + 2
    assert "Note.create: 1 calls" in str(spent)


def test_a_budget_passes_what_is_cheap_and_fails_what_is_not(db):
    with db.budget(rcu=2, wcu=6):
        db.create(Note(id="1", owner="u"))
        db.get(Note.key(id="1"))
    with pytest.raises(BudgetExceeded, match=r"WCU and 0.5 were allowed \(Note.put"), db.budget(wcu=0.5):
        db.put(Note(id="2", owner="u"))
    with pytest.raises(BudgetExceeded, match="RCU"), db.budget(rcu=0.5):
        db.get_many([Note.key(id="1"), Note.key(id="2"), Note.key(id="3")])


def test_budgets_nest_and_do_not_see_what_happens_outside(db):
    with db.budget(wcu=9) as outer:
        db.create(Note(id="1", owner="u"))
        with db.budget(wcu=4) as inner:
            db.put(Note(id="1", owner="u"))
    assert inner.total.calls == 1
    assert outer.total.calls == 2
