"""What every fetcher does alike, the real one and the fake."""

import pytest

from almanac.errors import Retryable
from almanac.fetch import AddressRefused, BodyTooLarge, FetchFailed, HostRateLimited, HostUnavailable


async def test_an_answer_comes_with_its_type_and_charset(fetching):
    fetching.lay_out("/page", "é".encode(), headers={"Content-Type": "text/html; charset=UTF-8"})
    fetched = await fetching.fetcher.get(fetching.base + "/page")
    assert (fetched.status, fetched.body, fetched.content_type, fetched.charset) == (
        200,
        "é".encode(),
        "text/html",
        "utf-8",
    )


async def test_nothing_is_sent_again_when_nothing_changed(fetching):
    fetching.lay_out("/page", b"once", headers={"ETag": '"1"'})
    first = await fetching.fetcher.get(fetching.base + "/page")
    again = await fetching.fetcher.get(fetching.base + "/page", conditions=first.conditions)
    assert (again.not_modified, again.body) == (True, b"")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
async def test_a_refusal_of_the_host_is_final(fetching, status):
    fetching.lay_out("/page", status=status)
    with pytest.raises(FetchFailed) as failed:
        await fetching.fetcher.get(fetching.base + "/page")
    assert failed.value.status_code == status
    assert not isinstance(failed.value, Retryable)


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504])
async def test_a_fault_of_the_host_is_worth_another_try(fetching, status):
    fetching.lay_out("/page", status=status)
    with pytest.raises(HostUnavailable) as failed:
        await fetching.fetcher.get(fetching.base + "/page")
    assert failed.value.status_code == status


@pytest.mark.parametrize(("status", "wait", "seconds"), [(429, "7", 7), (429, "soon", 60), (503, "120", 120)])
async def test_a_host_that_asks_for_patience_gets_it(fetching, status, wait, seconds):
    fetching.lay_out("/page", status=status, headers={"Retry-After": wait})
    with pytest.raises(HostRateLimited) as failed:
        await fetching.fetcher.get(fetching.base + "/page")
    assert failed.value.retry_after == seconds


async def test_a_body_over_the_limit_is_refused(fetching):
    fetching.lay_out("/page", b"x" * 2000)
    with pytest.raises(BodyTooLarge):
        await fetching.fetcher.get(fetching.base + "/page", max_bytes=1999)
    assert len((await fetching.fetcher.get(fetching.base + "/page", max_bytes=2000)).body) == 2000


async def test_a_private_address_is_refused(fetching):
    with pytest.raises(AddressRefused):
        await fetching.fetcher.get("http://10.0.0.1/")
    with pytest.raises(AddressRefused):
        await fetching.fetcher.post("http://169.254.169.254/", b"")


@pytest.mark.parametrize("status", [200, 302, 404, 429, 500])
async def test_any_answer_to_a_post_is_returned(fetching, status):
    fetching.lay_out("/hook", b"words", status=status, headers={"Location": "http://10.0.0.1/"})
    answer = await fetching.fetcher.post(fetching.base + "/hook", b"{}")
    assert (answer.status, answer.body) == (status, b"words")
