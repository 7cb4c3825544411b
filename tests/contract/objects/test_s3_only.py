"""What only the S3 adapter promises: its prefix, and clear words about a missing bucket."""

from urllib.parse import urlsplit

import pytest

from almanac.errors import Unavailable
from almanac.objects.s3 import S3ObjectStore


async def test_two_prefixes_of_one_bucket_do_not_meet(s3_url: str) -> None:
    other = S3ObjectStore.from_url(s3_url.replace("some/prefix", "some/other"))
    mine = S3ObjectStore.from_url(s3_url)
    await other.put("theirs.txt", b"1")
    await mine.put("mine.txt", b"2")
    assert [listed.key async for listed in mine.iterate()] == ["mine.txt"]
    assert await mine.delete_prefix("") == 1
    assert await other.get("theirs.txt") == b"1"


async def test_a_missing_bucket_fails_the_check(s3_url: str) -> None:
    objects = S3ObjectStore.from_url(s3_url.replace(urlsplit(s3_url).netloc, "no-such-bucket"))
    with pytest.raises(Unavailable, match="The bucket doesn't exist; create it"):
        await objects.check()
