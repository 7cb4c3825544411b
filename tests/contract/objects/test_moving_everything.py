"""Everything can be carried from any store into any other and back."""

from pathlib import Path

from almanac.objects import ListedObject, Objects, Transferred, copy_all
from almanac.objects.local import LocalObjects


async def test_a_round_trip_through_a_folder_loses_nothing(objects: Objects, tmp_path: Path) -> None:
    await objects.put("a/1.txt", b"one", content_type="text/x-odd")
    await objects.put("日本/2", b"two")
    archive = LocalObjects(tmp_path / "archive")
    seen: list[ListedObject] = []
    assert await copy_all(objects, archive, seen=seen.append) == Transferred(objects=2, bytes=6)
    assert [listed.key for listed in seen] == ["a/1.txt", "日本/2"]

    await objects.delete_prefix("")
    await copy_all(archive, objects)
    assert await objects.get("日本/2") == b"two"
    assert (await objects.head("a/1.txt")).content_type == "text/x-odd"
