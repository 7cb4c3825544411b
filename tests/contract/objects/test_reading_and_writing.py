"""What is put can be read again, whole, with what is known about it."""

from collections.abc import AsyncIterator

import pytest

from almanac.errors import Conflict, NotFound
from almanac.objects import ObjectStore


class SenderGone(Exception):
    pass


async def pieces(count: int, size: int = 1024) -> AsyncIterator[bytes]:
    for number in range(count):
        yield bytes([number % 256]) * size


async def interrupted() -> AsyncIterator[bytes]:
    yield b"the first half"
    raise SenderGone


async def test_content_comes_back_as_it_was_put(objects: ObjectStore) -> None:
    await objects.put("reports/2026/a.txt", b"hello")
    assert await objects.get("reports/2026/a.txt") == b"hello"


async def test_empty_content_is_content(objects: ObjectStore) -> None:
    await objects.put("empty.txt", b"")
    assert await objects.get("empty.txt") == b""
    assert (await objects.head("empty.txt")).size == 0


async def test_a_stream_larger_than_one_part_is_stored_whole(objects: ObjectStore) -> None:
    size = 6 * 1024 * 1024
    info = await objects.put("large.bin", pieces(6, 1024 * 1024))
    assert info.size == size
    opened = await objects.open("large.bin")
    assert sum([len(chunk) async for chunk in opened.chunks]) == size


async def test_an_interrupted_stream_leaves_nothing(objects: ObjectStore) -> None:
    with pytest.raises(SenderGone):
        await objects.put("half.txt", interrupted())
    with pytest.raises(NotFound):
        await objects.head("half.txt")
    assert (await objects.list()).items == []


async def test_an_interrupted_stream_keeps_the_object_that_was_there(objects: ObjectStore) -> None:
    await objects.put("half.txt", b"before")
    with pytest.raises(SenderGone):
        await objects.put("half.txt", interrupted())
    assert await objects.get("half.txt") == b"before"


async def test_the_head_tells_size_type_and_moment(objects: ObjectStore) -> None:
    stored = await objects.put("page.html", b"<p>hi</p>")
    head = await objects.head("page.html")
    assert head == stored
    assert (head.key, head.size, head.content_type) == ("page.html", 9, "text/html")
    assert head.modified_at.tzinfo is not None


async def test_a_given_content_type_is_kept(objects: ObjectStore) -> None:
    await objects.put("raw/one", b"{}", content_type="application/json")
    assert (await objects.head("raw/one")).content_type == "application/json"
    assert (await objects.open("raw/one")).info.content_type == "application/json"


async def test_a_replacement_forgets_the_earlier_content_type(objects: ObjectStore) -> None:
    await objects.put("note.txt", b"1", content_type="application/json")
    await objects.put("note.txt", b"2")
    assert (await objects.head("note.txt")).content_type == "text/plain"


async def test_the_entity_tag_changes_with_the_content(objects: ObjectStore) -> None:
    first = await objects.put("a.txt", b"first")
    second = await objects.put("a.txt", b"second")
    assert first.etag
    assert first.etag != second.etag


async def test_a_missing_object_is_not_found(objects: ObjectStore) -> None:
    for read in (objects.get, objects.head, objects.open):
        with pytest.raises(NotFound, match=r"no object 'nowhere\.txt'"):
            await read("nowhere.txt")


async def test_creating_if_absent_succeeds_once(objects: ObjectStore) -> None:
    await objects.put("once.txt", b"mine", if_absent=True)
    with pytest.raises(Conflict, match=r"already an object 'once\.txt'"):
        await objects.put("once.txt", b"yours", content_type="text/csv", if_absent=True)
    assert await objects.get("once.txt") == b"mine"
    assert (await objects.head("once.txt")).content_type == "text/plain"


async def test_a_stream_can_be_created_if_absent_too(objects: ObjectStore) -> None:
    await objects.put("once.bin", pieces(2), if_absent=True)
    with pytest.raises(Conflict):
        await objects.put("once.bin", pieces(1), if_absent=True)
    assert (await objects.head("once.bin")).size == 2048


async def test_deleting_twice_is_fine(objects: ObjectStore) -> None:
    await objects.put("gone.txt", b"x")
    await objects.delete("gone.txt")
    await objects.delete("gone.txt")
    with pytest.raises(NotFound):
        await objects.get("gone.txt")


async def test_a_deleted_name_can_become_a_folder(objects: ObjectStore) -> None:
    await objects.put("name/below", b"x")
    await objects.delete("name/below")
    await objects.put("name", b"y")
    assert await objects.get("name") == b"y"


async def test_a_copy_has_the_content_and_the_type(objects: ObjectStore) -> None:
    await objects.put("from/a", b"same", content_type="text/markdown")
    copied = await objects.copy("from/a", "to/b")
    assert (copied.key, copied.content_type) == ("to/b", "text/markdown")
    assert await objects.get("to/b") == await objects.get("from/a") == b"same"


async def test_copying_what_is_missing_is_not_found(objects: ObjectStore) -> None:
    with pytest.raises(NotFound):
        await objects.copy("nowhere", "somewhere")


async def test_a_healthy_store_passes_its_check_and_keeps_nothing_of_it(objects: ObjectStore) -> None:
    await objects.check()
    assert (await objects.usage()).objects == 0
