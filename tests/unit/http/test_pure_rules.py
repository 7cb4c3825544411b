"""Pure rules of the web layer: versions, paths, cookies, events, names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import URL
from starlette.responses import Response

from almanac.errors import EditGuardMissing, InputError, StaleEdit
from almanac.http.cookies import FLASH, Cookies, Flash
from almanac.http.etags import check_version, etag, parse_if_match
from almanac.http.idempotency.route import key_hash, seal, unseal
from almanac.http.jinja import browser_name, initials, inline_code
from almanac.http.live import format_event, merge_streams
from almanac.http.pages import safe_local_path
from almanac.http.paging import with_query

COOKIES = Cookies(secure=True, key=b"k" * 32, session_seconds=3600)


def test_a_version_travels_as_an_etag():
    assert parse_if_match(etag(7)) == 7
    assert parse_if_match('W/"7"') == 7
    with pytest.raises(EditGuardMissing):
        parse_if_match(None)
    with pytest.raises(InputError):
        parse_if_match("*")


def test_a_stale_version_is_told_the_current_one():
    check_version('"3"', 3)
    with pytest.raises(StaleEdit) as refused:
        check_version('"2"', 3)
    assert refused.value.current == "3"


@given(st.text(max_size=40))
def test_a_local_path_never_leaves_the_site(path):
    kept = safe_local_path(path)
    assert kept.startswith("/")
    assert not kept.startswith(("//", "/\\"))


def test_a_local_path_keeps_its_query():
    assert safe_local_path("/jobs?status=failed") == "/jobs?status=failed"


def kept_flash(flash):
    response = Response()
    COOKIES.set_flash(response, flash)
    return response.headers["set-cookie"].split(";")[0].split("=", 1)[1].strip('"')


def test_a_flash_comes_back_as_it_was():
    flash = Flash("Saved.", undo="/undo")
    assert COOKIES.read_flash({FLASH: kept_flash(flash)}) == flash


@pytest.mark.parametrize("value", ["", "nonsense", "AAAA", "ééé"])
def test_a_flash_that_we_did_not_make_is_nothing(value):
    assert COOKIES.read_flash({FLASH: value}) is None


def test_a_flash_sealed_elsewhere_is_nothing():
    other = Cookies(secure=True, key=b"x" * 32, session_seconds=3600)
    assert other.read_flash({FLASH: kept_flash(Flash("Saved."))}) is None


def test_every_line_of_an_event_is_its_own_field():
    assert format_event("<p>\nhello\n</p>", "job") == "event: job\ndata: <p>\ndata: hello\ndata: </p>\n\n"


async def test_merged_streams_bring_everything_and_end():
    async def numbers(*values):
        for value in values:
            yield value

    assert sorted([piece async for piece in merge_streams(numbers("a", "b"), numbers(), numbers("c"))]) == [
        "a",
        "b",
        "c",
    ]


def test_what_is_sealed_with_a_key_opens_with_that_key_only():
    sealed = seal("mine", b"the secret")
    assert unseal("mine", sealed) == b"the secret"
    assert unseal("yours", sealed) is None
    assert b"the secret" not in sealed
    assert key_hash("mine") != key_hash("yours")


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36", "Chrome on Linux"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/17 Safari/605", "Safari on Mac"),
        ("curl/8.5.0", "curl"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_named_as_its_owner_would(agent, name):
    assert browser_name(agent) == name


def test_changing_one_parameter_keeps_the_others():
    url = URL("http://testserver/jobs?status=failed&cursor=abc")
    assert with_query(url, cursor=None) == "/jobs?status=failed"
    assert with_query(url, status="queued", cursor=None) == "/jobs?status=queued"


@pytest.mark.parametrize(("name", "letters"), [("Ada Lovelace", "AL"), ("Ada", "A"), ("", "?"), ("A B C", "AC")])
def test_initials(name, letters):
    assert initials(name) == letters


def test_code_in_a_sentence_is_marked_and_the_rest_escaped():
    assert inline_code("Send `<x>` & wait") == "Send <code>&lt;x&gt;</code> &amp; wait"
