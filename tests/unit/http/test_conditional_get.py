"""304 is returned if and only if the client has the current body."""

from datetime import UTC, datetime, timedelta

import pytest
from starlette.requests import Request

from almanac.http.etags import conditional_response

BODY, MODIFIED = b"the body", datetime(2026, 3, 1, 8, 30, 0, 500, tzinfo=UTC)


def ask(body=BODY, modified=MODIFIED, **headers):
    raw = [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()]
    return conditional_response(Request({"type": "http", "headers": raw}), body, "text/plain", modified=modified)


def test_the_first_answer_carries_its_etag_and_date():
    answer = ask()
    assert (answer.status_code, answer.body) == (200, BODY)
    assert answer.headers["etag"].startswith('"')
    assert answer.headers["last-modified"] == "Sun, 01 Mar 2026 08:30:00 GMT"


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_the_same_etag_means_not_modified(form):
    answer = ask(If_None_Match=form.format(ask().headers["etag"]))
    assert (answer.status_code, answer.body) == (304, b"")
    assert answer.headers["etag"] == ask().headers["etag"]


def test_another_body_has_another_etag():
    assert ask(b"another", If_None_Match=ask().headers["etag"]).status_code == 200


def test_a_date_counts_only_without_an_etag():
    date = "Sun, 01 Mar 2026 08:30:00 GMT"
    assert ask(If_Modified_Since=date).status_code == 304
    assert ask(If_Modified_Since=date, If_None_Match='"other"').status_code == 200


def test_what_changed_later_is_sent():
    date = "Sun, 01 Mar 2026 08:30:00 GMT"
    assert ask(modified=MODIFIED + timedelta(seconds=1), If_Modified_Since=date).status_code == 200


@pytest.mark.parametrize("date", ["", "yesterday", "Sun, 99 Mar 2026 08:30:00 GMT", "0"])
def test_a_date_that_makes_no_sense_is_passed_over(date):
    assert ask(If_Modified_Since=date).status_code == 200


def test_without_a_date_only_the_etag_counts():
    assert ask(modified=None, If_Modified_Since="Sun, 01 Mar 2026 08:30:00 GMT").status_code == 200
