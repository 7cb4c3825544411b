"""Checks of how long items stay, each with a schema that it finds and one that it lets pass."""

from datetime import date, datetime, timedelta

from tablature import Attr, Entity, Table, attr, auto_now_add, expires, primary, unique


def test_a_session_expires(finds, passes, table, other_table):
    class LoginSession(Entity, table=table):
        id: Attr[str]
        key = primary("SESSION#{id}", "META")

    (issue,) = finds("TAB601", table)
    assert issue.cure == "expires_at: Attr[datetime] = expires(days=30)"

    class OtherSession(Entity, table=other_table):
        id: Attr[str]
        expires_at: Attr[datetime] = expires(days=1)
        key = primary("SESSION#{id}", "META")

    passes("TAB601", other_table)


def test_a_ttl_that_nothing_sets_is_found(finds, passes, table, other_table):
    class Thing(Entity, table=table):
        id: Attr[str]
        key = primary("THING#{id}", "META")

    (issue,) = finds("TAB602", table)
    assert issue.subject == "things"

    class Mortal(Entity, table=other_table):
        id: Attr[str]
        expires_at: Attr[datetime] = expires(days=1)
        key = primary("THING#{id}", "META")

    passes("TAB602", other_table)


def test_sentinels_of_a_window_expire(finds, passes, table):
    lasting = Table("lasting", pk="PK", sk="SK")

    class Thing(Entity, table=lasting):
        id: Attr[str]
        mail: Attr[str]
        key = primary("THING#{id}", "META")
        once_a_day = unique("mail", window=timedelta(days=1))

    (issue,) = finds("TAB603", lasting)
    assert issue.subject == "Thing.once_a_day"

    class Tidy(Entity, table=table):
        id: Attr[str]
        mail: Attr[str]
        key = primary("THING#{id}", "META")
        once_a_day = unique("mail", window=timedelta(days=1))

    passes("TAB603", table)


def test_a_field_that_looks_like_an_expiry_is_one(finds, passes, table, other_table):
    class Invitation(Entity, table=table):
        id: Attr[str]
        valid_until: Attr[datetime]
        until: Attr[int] = attr(name="expires_at")
        key = primary("INVITATION#{id}", "META")

    assert [issue.subject for issue in finds("TAB604", table)] == ["Invitation.valid_until", "Invitation.until"]

    class Right(Entity, table=other_table):
        id: Attr[str]
        expires_at: Attr[datetime] = expires(days=1)
        key = primary("INVITATION#{id}", "META")

    passes("TAB604", other_table)


def test_a_series_ends_at_some_time(finds, passes, table, other_table):
    class Reading(Entity, table=table):
        meter: Attr[str]
        at: Attr[datetime] = auto_now_add()
        key = primary("METER#{meter}", "{at:iso}")

    finds("TAB605", table)

    class Yearly(Entity, table=other_table):
        meter: Attr[str]
        day: Attr[date]
        key = primary("METER#{meter}#{day:%Y}", "{day:%m-%d}")

    class Meter(Entity, table=other_table):
        meter: Attr[str]
        at: Attr[datetime] = auto_now_add()
        expires_at: Attr[datetime] = expires(days=365)
        key = primary("READINGS#{meter}", "{at:iso}")

    passes("TAB605", other_table)
