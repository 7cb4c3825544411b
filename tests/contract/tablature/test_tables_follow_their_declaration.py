"""On every service, a table that lacks parts of its declaration is completed, and then compares as equal."""

from tablature import Index, Table

bare = Table("parts", pk="PK", sk="SK")
whole = Table(
    "parts",
    pk="PK",
    sk="SK",
    indexes=[Index("by-day", "day", "amount", sk_type="N", projection=("title",)), Index("by-owner", "owner")],
    ttl="expires_at",
    stream="NEW_IMAGE",
    recovery=True,
)


def test_a_table_is_completed_and_then_as_declared(open_db):
    db = open_db(bare)
    assert {problem.aspect for problem in db.admin.check_table(whole)} == {"index", "stream", "ttl", "recovery"}
    setup = db.admin.ensure_table(whole)
    assert (setup.created, len(setup.completed), setup.problems) == (False, 5, ())
    assert db.admin.check_table(whole) == []


def test_a_created_table_is_as_declared(open_db):
    assert open_db(whole).admin.check_table(whole) == []
