"""The object stores under test: each test of the suite runs once on every adapter and on the fake."""

from pathlib import Path

import pytest

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
