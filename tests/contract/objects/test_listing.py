"""Lists are sorted by key, paged without gaps, and bounded by whole segments."""

from almanac.kit.paging import Page
from almanac.objects import ListedObject, ObjectStore, StoreUsage

# In this order "a-1" sorts before "a/1" although a walk through folders would meet it later.
KEYS = ["a", "a-1.txt", "b/1.txt", "b/10.txt", "b/2.txt", "b/c/3.txt", "b!.txt", "bc/4.txt", "日/本.txt"]


async def fill(objects: ObjectStore, keys: list[str]) -> None:
    for key in keys:
        await objects.put(key, key.encode())


def keys_of(page: Page[ListedObject]) -> list[str]:
    return [listed.key for listed in page.items]


async def test_everything_is_listed_in_key_order(objects: ObjectStore) -> None:
    await fill(objects, KEYS)
    page = await objects.list()
    assert keys_of(page) == sorted(KEYS)
    assert page.next_cursor is None


async def test_a_prefix_means_whole_segments(objects: ObjectStore) -> None:
    await fill(objects, KEYS)
    below = ["b/1.txt", "b/10.txt", "b/2.txt", "b/c/3.txt"]
    assert keys_of(await objects.list("b")) == below
    assert keys_of(await objects.list("b/")) == below
    assert keys_of(await objects.list("b/c")) == ["b/c/3.txt"]
    assert keys_of(await objects.list("nothing/here")) == []


async def test_pages_meet_without_gap_or_overlap(objects: ObjectStore) -> None:
    await fill(objects, KEYS)
    seen: list[str] = []
    after: str | None = None
    while True:
        page = await objects.list(after=after, limit=2)
        seen += keys_of(page)
        assert len(page.items) <= 2
        if page.next_cursor is None:
            break
        after = page.next_cursor
    assert seen == sorted(KEYS)


async def test_a_last_page_that_is_full_has_no_cursor(objects: ObjectStore) -> None:
    await fill(objects, ["x/1", "x/2"])
    assert (await objects.list("x", limit=2)).next_cursor is None


async def test_a_listing_tells_size_and_entity_tag(objects: ObjectStore) -> None:
    stored = await objects.put("one.txt", b"12345")
    listed = (await objects.list()).items[0]
    assert (listed.size, listed.etag) == (5, stored.etag)


async def test_iterating_meets_every_object_of_a_prefix(objects: ObjectStore) -> None:
    await fill(objects, KEYS)
    assert [listed.key async for listed in objects.iterate()] == sorted(KEYS)
    assert [listed.key async for listed in objects.iterate("bc")] == ["bc/4.txt"]


async def test_deleting_a_prefix_leaves_its_neighbours(objects: ObjectStore) -> None:
    await fill(objects, KEYS)
    assert await objects.delete_prefix("b") == 4
    assert keys_of(await objects.list()) == sorted(key for key in KEYS if not key.startswith("b/"))
    assert await objects.delete_prefix("b") == 0


async def test_usage_counts_objects_and_bytes(objects: ObjectStore) -> None:
    await fill(objects, ["a/1", "b/22"])
    assert await objects.usage() == StoreUsage(objects=2, bytes=7)
