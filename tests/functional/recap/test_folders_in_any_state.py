"""A folder of records in any state: encodings that can be told are read, and what can't be read costs itself alone."""

import os
import tempfile
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import msgspec
import pytest

from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.desks.recap.sources.folder import RecordFolder
from almanac.desks.recap.sources.port import CollectedRecord, SkippedRecord
from almanac.desks.recap.sources.text_encoding import to_utf8

NOBODY = 65534
DEBATE = (
    '<?xml version="1.0" encoding="{}"?>'
    '<akomaNtoso><debate><meta><FRBRdate date="2026-02-10"/></meta>'
    '<debateBody><speech by="#x"><from>議長</from><p>これより会議を開きます。</p></speech></debateBody>'
    "</debate></akomaNtoso>"
)


async def collect(folder):
    source = RecordFolder(folder)
    (span,) = source.spans(date(2026, 2, 1), date(2026, 2, 28))
    results = [item async for item in source.collect(span)]
    skipped = {item.name: item.reason for item in results if isinstance(item, SkippedRecord)}
    return [item.meeting for item in results if isinstance(item, CollectedRecord)], skipped


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "shift_jis", "euc_jp", "iso2022_jp", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
async def test_a_record_is_read_in_every_encoding_that_can_be_told(tmp_path, sitting, encoding):
    record = sitting(1)
    (tmp_path / "one.json").write_bytes(msgspec.json.encode(record).decode().encode(encoding))
    (meeting,), skipped = await collect(tmp_path)
    assert skipped == {}
    assert [speech.text for speech in meeting.speeches] == [speech["speech"] for speech in record["speechRecord"]]


@pytest.mark.parametrize("encoding", ["UTF-8", "Shift_JIS", "EUC-JP", "UTF-16"])
async def test_a_debate_is_read_in_the_encoding_that_it_declares(tmp_path, encoding):
    (tmp_path / "debate.xml").write_bytes(DEBATE.format(encoding).encode(encoding))
    (meeting,), skipped = await collect(tmp_path)
    assert skipped == {}
    assert [speech.text for speech in meeting.spoken] == ["これより会議を開きます。"]


@pytest.mark.parametrize("content", [b"\x80\x81\xfe\xff{", '{"a": "gr\xfc\xdfe"}'.encode("latin-1"), b"\x00\x01\x02"])
def test_an_encoding_that_can_not_be_told_is_not_guessed_at(content):
    with pytest.raises(UnreadableRecord, match="UTF-8"):
        to_utf8(content)


async def test_a_file_that_can_not_be_read_costs_itself_alone_and_is_named_with_what_to_do(tmp_path, sitting):
    (tmp_path / "good.json").write_bytes(msgspec.json.encode(sitting(1)))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "good.json").write_bytes(msgspec.json.encode(sitting(2)))
    (tmp_path / "below" / "latin.json").write_bytes('{"x": "gr\xfc\xdfe"}'.encode("latin-1"))
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "gone.json")
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    meetings, skipped = await collect(tmp_path)
    assert len(meetings) == 2
    assert set(skipped) == {"below/latin.json", "nowhere.json", "pipe.json"}
    assert "save it as UTF-8" in skipped["below/latin.json"]


async def test_a_folder_that_links_to_itself_is_read_once(tmp_path, sitting):
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "one.json").write_bytes(msgspec.json.encode(sitting(1)))
    (tmp_path / "records" / "again").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "loop").symlink_to("loop")
    meetings, skipped = await collect(tmp_path)
    assert (len(meetings), skipped) == (1, {})


@contextmanager
def without_privileges():
    """As nobody where tests run as root, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def half_closed(sitting):
    """A folder with a record, and a folder below it that may not be read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "one.json").write_bytes(msgspec.json.encode(sitting(1)))
        (folder / "one.json").chmod(0o644)
        (folder / "closed").mkdir()
        (folder / "closed").chmod(0o000)
        yield folder
        (folder / "closed").chmod(0o700)


async def test_a_folder_below_that_may_not_be_read_is_named_and_the_others_are_read(half_closed):
    await collect(half_closed)  # Loads every module while it may be read.
    with without_privileges():
        meetings, skipped = await collect(half_closed)
    assert len(meetings) == 1, skipped
    assert list(skipped) == ["closed"]
    assert "let Almanac's account read it" in skipped["closed"]
