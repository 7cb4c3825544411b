"""Any sensible key works in every store, and a bad one is refused in one sentence before anything is touched."""

import pytest

from almanac.errors import InputError
from almanac.objects import ObjectStore

GOOD = [
    "plain",
    "deep/er/still",
    "Ünï cödé/日本語 的.txt",
    "50% off?.txt",
    "a+b&c=d#e",
    "*[x]{y}~'\"|^`",
    "%41",
    ".hidden",
]
BAD = [
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    "..",
    "a/../b",
    "./a",
    "a\\b",
    "a\x00b",
    "a\nb",
    "a#1",
    "\ud800",
    "é" * 200,
    "a/" * 600,
]


@pytest.mark.parametrize("key", GOOD)
async def test_a_good_key_is_kept_letter_for_letter(objects: ObjectStore, key: str) -> None:
    await objects.put(key, b"x")
    assert (await objects.head(key)).key == key
    assert [listed.key for listed in (await objects.list()).items] == [key]
    assert await objects.get(key) == b"x"
    await objects.delete(key)
    assert (await objects.list()).items == []


@pytest.mark.parametrize("key", BAD)
async def test_a_bad_key_is_refused_everywhere(objects: ObjectStore, key: str) -> None:
    with pytest.raises(InputError):
        await objects.put(key, b"x")
    with pytest.raises(InputError):
        await objects.copy("fine", key)
    for use in (objects.get, objects.head, objects.delete):
        with pytest.raises(InputError):
            await use(key)


@pytest.mark.parametrize("prefix", ["/", "a/../b", "..", "a//b"])
async def test_a_bad_prefix_is_refused(objects: ObjectStore, prefix: str) -> None:
    with pytest.raises(InputError):
        await objects.list(prefix)
    with pytest.raises(InputError):
        await objects.delete_prefix(prefix)
