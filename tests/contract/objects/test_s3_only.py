"""What only the S3 adapter promises: signed addresses, its prefix, and clear words about a missing bucket."""

from urllib.parse import urlsplit

import httpx
import pytest

from almanac.errors import NotFound, Unavailable
from almanac.objects.s3 import S3Objects


async def test_a_signed_address_opens_without_credentials(s3_objects: S3Objects) -> None:
    await s3_objects.put("öffentlich/a b.txt", b"for you")
    address = await s3_objects.signed_url("öffentlich/a b.txt", seconds=60)
    assert address is not None
    async with httpx.AsyncClient() as stranger:
        assert (await stranger.get(address)).content == b"for you"


async def test_nothing_is_signed_that_does_not_exist(s3_objects: S3Objects) -> None:
    with pytest.raises(NotFound):
        await s3_objects.signed_url("nowhere", seconds=60)


async def test_two_prefixes_of_one_bucket_do_not_meet(s3_url: str) -> None:
    other = S3Objects.from_url(s3_url.replace("some/prefix", "some/other"))
    mine = S3Objects.from_url(s3_url)
    await other.put("theirs.txt", b"1")
    await mine.put("mine.txt", b"2")
    assert [listed.key async for listed in mine.iterate()] == ["mine.txt"]
    assert await mine.delete_prefix("") == 1
    assert await other.get("theirs.txt") == b"1"


async def test_a_missing_bucket_fails_the_check(s3_url: str) -> None:
    objects = S3Objects.from_url(s3_url.replace(urlsplit(s3_url).netloc, "no-such-bucket"))
    with pytest.raises((NotFound, Unavailable)):
        await objects.check()
