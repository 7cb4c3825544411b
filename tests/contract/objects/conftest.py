"""The object stores under test: each test of the suite runs once on every adapter and on the fake."""

from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from almanac.kit.ids import new_id
from almanac.objects import ObjectStore
from almanac.objects.local import LocalObjectStore
from almanac.objects.memory import MemoryObjectStore
from almanac.objects.s3 import S3ObjectStore


@pytest.fixture(params=["memory", "local", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    if request.param == "memory":
        return MemoryObjectStore()
    if request.param == "local":
        return LocalObjectStore(tmp_path / "objects")
    return request.getfixturevalue("s3_objects")


@pytest.fixture
def s3_objects(s3_url: str) -> S3ObjectStore:
    return S3ObjectStore.from_url(s3_url)


@pytest.fixture
def s3_url(moto_url: str, aws_keys: None) -> str:
    """A fresh bucket, with a prefix of its own inside."""
    bucket = f"bucket-{new_id()}"
    request = Request(f"{moto_url}/{bucket}", method="PUT")
    urlopen(request, timeout=10).close()
    return f"s3://{bucket}/some/prefix?{urlencode({'endpoint': moto_url, 'region': 'us-east-1'})}"
