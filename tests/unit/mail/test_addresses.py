"""Addresses are parsed strictly, in every script, and can't inject a header."""

import pytest

from almanac.errors import InputError
from almanac.mail import Address


@pytest.mark.parametrize(
    ("text", "email", "name"),
    [
        ("anna@example.org", "anna@example.org", ""),
        (" Anna <anna@example.org> ", "anna@example.org", "Anna"),
        ('"Dr. \\"A\\", Anna" <anna@example.org>', "anna@example.org", 'Dr. "A", Anna'),
        ("山田花子 <hanako@例え.jp>", "hanako@xn--r8jz45g.jp", "山田花子"),
        ("用户@example.com", "用户@example.com", ""),
        ("<a.b+c@EXAMPLE.org>", "a.b+c@example.org", ""),
        ("almanac@localhost", "almanac@localhost", ""),
    ],
)
def test_an_address_is_read_with_its_name(text: str, email: str, name: str) -> None:
    assert Address.parse(text) == Address(email, name)
    assert (Address.parse(text).email, Address.parse(text).name) == (email, name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anna",
        "@example.org",
        "anna@",
        "an na@example.org",
        "anna@exa mple.org",
        "anna@-a.org",
        "anna@a..b",
        "a@b@c.org",
        ".a@example.org",
        "a..b@example.org",
        "a@example.org, b@example.org",
        "anna@[127.0.0.1]",
        "anna@example.org\nBcc: eve@example.org",
        "anna\r\n@example.org",
        f"{'a' * 65}@example.org",
        f"a@{'b.' * 130}org",
        "Anna\r\nBcc: eve@example.org <anna@example.org>",
        "A\u2028B <anna@example.org>",
    ],
)
def test_what_is_no_single_address_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Address.parse(text)


def test_addresses_are_compared_without_case() -> None:
    assert Address("Anna@Example.ORG").key == "anna@example.org"


def test_only_letters_before_the_at_need_utf8_on_the_wire() -> None:
    assert Address("用户@example.com").needs_utf8
    assert not Address("info@bücher.example", "Bücher").needs_utf8
