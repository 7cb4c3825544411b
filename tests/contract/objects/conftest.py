"""The object stores under test: each test of the suite runs once on every adapter and on the fake."""

from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from almanac.kit.ids import new_id
from almanac.objects import Objects
from almanac.objects.local import LocalObjects
from almanac.objects.memory import MemoryObjects
from almanac.objects.s3 import S3Objects


@pytest.fixture(params=["memory", "local", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Objects:
    if request.param == "memory":
        return MemoryObjects()
    if request.param == "local":
        return LocalObjects(tmp_path / "objects")
    return request.getfixturevalue("s3_objects")


@pytest.fixture
def s3_objects(s3_url: str) -> S3Objects:
    return S3Objects.from_url(s3_url)


@pytest.fixture
def s3_url(moto_url: str, aws_keys: None) -> str:
    """A fresh bucket, with a prefix of its own inside."""
    bucket = f"bucket-{new_id()}"
    request = Request(f"{moto_url}/{bucket}", method="PUT")
    urlopen(request, timeout=10).close()
    return f"s3://{bucket}/some/prefix?{urlencode({'endpoint': moto_url, 'region': 'us-east-1'})}"
