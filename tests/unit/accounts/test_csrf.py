"""A CSRF token is good for the session it was made for and for no other."""

from hypothesis import given
from hypothesis import strategies as st

from almanac.http.auth import is_valid_csrf, issue_csrf


@given(st.text(min_size=1))
def test_a_token_fits_the_session_it_was_issued_for(session):
    assert is_valid_csrf(session, issue_csrf(session))


def test_without_a_session_no_token_fits():
    assert not is_valid_csrf("", issue_csrf(""))


def test_a_token_of_another_session_does_not_fit():
    assert not is_valid_csrf("mine", issue_csrf("theirs"))


def test_two_tokens_of_one_session_differ_and_both_fit():
    first, second = issue_csrf("mine"), issue_csrf("mine")
    assert first != second
    assert is_valid_csrf("mine", first)
    assert is_valid_csrf("mine", second)


@given(st.none() | st.text())
def test_made_up_tokens_do_not_fit(token):
    assert not is_valid_csrf("mine", token)


def test_a_changed_nonce_breaks_the_seal():
    token = issue_csrf("mine")
    assert not is_valid_csrf("mine", "0" + token[1:] if token[0] != "0" else "1" + token[1:])
