"""What people type about an account is cleaned or refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.accounts.fields import (
    clean_email,
    clean_name,
    clean_preferences,
    clean_role,
    clean_scopes,
    safe_return_path,
)
from almanac.accounts.model import Preferences
from almanac.accounts.permissions import PERMISSIONS, Role, role_permissions
from almanac.errors import FieldErrors


def refusal(clean, *given_values) -> dict[str, str]:
    with pytest.raises(FieldErrors) as caught:
        clean(*given_values)
    return caught.value.fields


@pytest.mark.parametrize(
    "email", ["ada@example.org", "ADA@Example.org ", "admin@localhost", "ada+x@mail.example", "葵@例え.jp"]
)
def test_an_address_is_kept_in_lower_case(email):
    assert clean_email(email) == email.strip().lower()


@pytest.mark.parametrize(
    "email",
    [
        "",
        "ada",
        "@example.org",
        "ada@",
        "a@b@c",
        "ada @example.org",
        "ada@example..org",
        "ada@-x.org",
        "ada@example.org\nBcc: x@y.z",
        "<ada@example.org>",
        "a" * 250 + "@x.org",
        "ada\x00@example.org",
        "\ud800@x.org",
    ],
)
def test_what_is_no_address_is_refused_with_an_example(email):
    assert refusal(clean_email, email) == {"email": "Enter an e-mail address like ada@example.org."}


def test_a_name_is_put_on_one_line():
    assert clean_name("  Ada \n Lovelace ") == "Ada Lovelace"


@pytest.mark.parametrize("name", ["", " \t ", "\x00", "\ud800"])
def test_an_empty_name_is_refused(name):
    assert refusal(clean_name, name) == {"name": "Enter a name."}


def test_an_endless_name_is_refused():
    assert refusal(clean_name, "x" * 101) == {"name": "Use at most 100 characters."}


def test_an_unknown_role_is_answered_with_the_known_ones():
    assert refusal(clean_role, "owner") == {"role": "Choose one of admin, editor, approver, member."}


def test_every_wrong_preference_gets_its_own_sentence():
    wrong = Preferences(theme="sepia", language="tlh", time_zone="Mars/Olympus")
    assert set(refusal(clean_preferences, wrong)) == {"theme", "language", "time_zone"}


def test_known_preferences_pass():
    chosen = Preferences(theme="dark", language="ja", time_zone="Asia/Tokyo")
    assert clean_preferences(chosen) is chosen


def test_a_token_needs_a_scope_that_exists():
    assert refusal(clean_scopes, [], PERMISSIONS) == {"scopes": "Choose at least one scope."}
    assert "There is no scope everything;" in refusal(clean_scopes, ["everything"], PERMISSIONS)["scopes"]


def test_a_scope_that_the_role_can_never_use_is_refused():
    sentence = "Their rights don't include anything of the scope approve."
    assert refusal(clean_scopes, ["approve"], role_permissions(Role.EDITOR)) == {"scopes": sentence}


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example", "/\\evil.example", "", "news", "/a\nb"])
def test_after_signing_in_nobody_is_led_elsewhere(path):
    assert safe_return_path(path) == "/"


def test_a_path_of_ours_is_returned_to():
    assert safe_return_path("/news?page=2") == "/news?page=2"


@given(st.text())
def test_a_return_path_always_starts_with_one_slash(path):
    safe = safe_return_path(path)
    assert safe.startswith("/")
    assert not safe.startswith("//")
