"""A CSRF token is good for the session it was made for and for no other."""

from hypothesis import given
from hypothesis import strategies as st

from almanac.accounts.csrf import csrf_fits, issue_csrf


@given(st.text(min_size=1))
def test_a_token_fits_the_session_it_was_issued_for(session):
    assert csrf_fits(session, issue_csrf(session))


def test_without_a_session_no_token_fits():
    assert not csrf_fits("", issue_csrf(""))


def test_a_token_of_another_session_does_not_fit():
    assert not csrf_fits("mine", issue_csrf("theirs"))


def test_two_tokens_of_one_session_differ_and_both_fit():
    first, second = issue_csrf("mine"), issue_csrf("mine")
    assert first != second
    assert csrf_fits("mine", first)
    assert csrf_fits("mine", second)


@given(st.none() | st.text())
def test_made_up_tokens_do_not_fit(token):
    assert not csrf_fits("mine", token)


def test_a_changed_nonce_breaks_the_seal():
    token = issue_csrf("mine")
    assert not csrf_fits("mine", "0" + token[1:] if token[0] != "0" else "1" + token[1:])
