"""Sources of every kind are read into chunks, shared or kept, removed and brought back; by both adapters alike."""

import pytest

from almanac.documents.model import Unreadable
from almanac.errors import InputError, NotAllowed, NotFound, TooLarge
from almanac.fetch import AddressRefused
from almanac.knowledge import KnowledgeViewer, SourceFilter, SourceKind, Visibility

AMINA, BARAKA, CONSOLE = (
    KnowledgeViewer("amina"),
    KnowledgeViewer("baraka"),
    KnowledgeViewer("console", everything=True),
)
TEXT = b"The bridge near the market was mended in March. It had been unsafe since the January rains."
FEED = """<rss version="2.0"><channel><title>Ward news</title>{}</channel></rss>"""
ITEM = """<item><guid>{0}</guid><title>Entry {0}</title><link>https://ward.example/{0}</link><description>{1}</description>
<pubDate>Tue, 03 Feb 2026 10:00:00 GMT</pubDate></item>"""


def feed(*items):
    return FEED.format("".join(ITEM.format(name, words) for name, words in items)).encode()


async def test_a_file_is_read_into_chunks(library):
    source = await library.read(await library.knowledge.add_file(AMINA, "bridge.txt", TEXT))
    assert (source.kind, source.title, source.status, source.documents, source.chunks) == (
        "file",
        "bridge",
        "ready",
        1,
        1,
    )
    (chunk,) = (await library.knowledge.list_chunks(AMINA, source.id)).items
    assert (chunk.text, chunk.title, chunk.language, chunk.url) == (TEXT.decode(), "bridge", "en", None)
    assert (str(chunk.date), chunk.date_known) == ("2026-03-02", False)


async def test_a_page_is_fetched_and_read_under_its_own_title(library):
    page = b"<html><head><title>Bridge mended</title></head><body><p>" + TEXT + b"</p></body></html>"
    library.web.lay_out("https://ward.example/bridge", page, headers={"Content-Type": "text/html"})
    source = await library.read(await library.knowledge.add_url(AMINA, "https://ward.example/bridge#top"))
    assert (source.title, source.url, source.status) == ("Bridge mended", "https://ward.example/bridge", "ready")
    (chunk,) = (await library.knowledge.list_chunks(AMINA, source.id)).items
    assert (chunk.text, chunk.url) == (TEXT.decode(), "https://ward.example/bridge")


async def test_each_entry_of_a_feed_is_a_document_with_its_date_and_address(library):
    library.web.lay_out("https://ward.example/feed", feed(("1", "The bridge was mended."), ("2", "The road was not.")))
    source = await library.read(await library.knowledge.add_feed(AMINA, "https://ward.example/feed"))
    assert (source.title, source.documents) == ("Ward news", 2)
    detail = await library.knowledge.get(AMINA, source.id)
    assert {(d.title, d.url, str(d.date), d.date_known) for d in detail.documents} == {
        ("Entry 1", "https://ward.example/1", "2026-02-03", True),
        ("Entry 2", "https://ward.example/2", "2026-02-03", True),
    }


async def test_documents_of_one_day_come_in_the_order_of_their_passages(library):
    entries = [f'{{"id": "{key}", "content_text": "The ward met on matter {key}."}}' for key in "abcdef"]
    feed = f'{{"version": "https://jsonfeed.org/version/1", "items": [{", ".join(entries)}]}}'
    library.web.lay_out("https://ward.example/feed", feed.encode())
    source = await library.knowledge.add_feed(AMINA, "https://ward.example/feed")
    await library.settle()
    documents = [row.id for row in (await library.knowledge.get(AMINA, source.id)).documents]
    passages = (await library.knowledge.list_chunks(AMINA, source.id)).items
    assert [row.document_id for row in passages] == documents


async def test_a_name_that_was_given_stays(library):
    page = b"<html><title>Other</title><p>Some words of a page.</p></html>"
    library.web.lay_out("https://ward.example/", page)
    source = await library.read(await library.knowledge.add_url(AMINA, "https://ward.example/", title="My name for it"))
    assert source.title == "My name for it"


async def test_what_cannot_be_read_is_refused_at_once_where_that_can_be_seen(library):
    with pytest.raises(Unreadable, match="image"):
        await library.knowledge.add_file(AMINA, "photo.png", b"\x89PNG\r\n\x1a\n")
    with pytest.raises(TooLarge, match="larger"):
        await library.knowledge.add_file(AMINA, "big.txt", b"x" * 1_000_001)
    with pytest.raises(InputError, match="no name"):
        await library.knowledge.add_file(AMINA, " / ", TEXT)
    with pytest.raises(AddressRefused):
        await library.knowledge.add_url(AMINA, "http://169.254.169.254/latest")


async def test_what_fails_later_keeps_its_reason(library):
    missing = await library.read(await library.knowledge.add_url(AMINA, "https://nowhere.example/"))
    # Where a job reads it, it is tried again.
    assert missing.status in ("waiting", "failed")
    assert missing.reason
    library.web.lay_out("https://ward.example/page", b"<html><p>Only a page.</p></html>")
    page = await library.read(await library.knowledge.add_feed(AMINA, "https://ward.example/page"))
    assert (page.status, page.chunks) == ("failed", 0)
    assert "feed" in page.reason


async def test_a_private_source_is_for_its_owner_alone(library):
    source = await library.read(await library.knowledge.add_file(AMINA, "bridge.txt", TEXT))
    chunks = await library.texts(source)
    for call in (
        library.knowledge.get(BARAKA, source.id),
        library.knowledge.list_chunks(BARAKA, source.id),
        library.knowledge.remove(BARAKA, source.id),
        library.knowledge.refresh(BARAKA, source.id),
        library.knowledge.share(BARAKA, source.id, Visibility.EVERYONE),
        library.knowledge.restore(BARAKA, source.id),
    ):
        with pytest.raises(NotFound):
            await call
    assert await library.knowledge.find_chunks(BARAKA, list(chunks)) == {}
    assert (await library.knowledge.list(BARAKA)).items == []
    assert set(await library.knowledge.find_chunks(AMINA, [*chunks, "unknown"])) == set(chunks)


async def test_a_shared_source_may_be_read_and_not_changed_by_others(library):
    source = await library.knowledge.add_file(AMINA, "bridge.txt", TEXT, visibility=Visibility.EVERYONE)
    chunks = await library.texts(source)
    assert set(await library.knowledge.find_chunks(BARAKA, list(chunks))) == set(chunks)
    assert [source_.id for source_ in (await library.knowledge.list(BARAKA)).items] == [source.id]
    for change in (library.knowledge.remove, library.knowledge.refresh):
        with pytest.raises(NotAllowed):
            await change(BARAKA, source.id)
    await library.knowledge.share(AMINA, source.id, Visibility.MINE)
    with pytest.raises(NotFound):
        await library.knowledge.get(BARAKA, source.id)


async def test_the_console_sees_and_changes_everything(library):
    source = await library.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    assert [source_.id for source_ in (await library.knowledge.list(CONSOLE)).items] == [source.id]
    await library.knowledge.remove(CONSOLE, source.id)


async def test_a_removed_source_is_gone_until_it_is_restored(library):
    source = await library.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    chunks = await library.texts(source)
    await library.knowledge.remove(AMINA, source.id)
    assert (await library.knowledge.list(AMINA)).items == []
    assert await library.knowledge.find_chunks(AMINA, list(chunks)) == {}
    with pytest.raises(NotFound):
        await library.knowledge.get(AMINA, source.id)
    await library.knowledge.restore(AMINA, source.id)
    assert await library.texts(source) == chunks


@pytest.mark.parametrize(
    ("name", "typed"),
    [("Köln", "Koeln"), ("Köln", "koln"), ("Koeln", "Köln"), ("牧区", "牧區"), ("Parliament", "parlaiment")],
)
async def test_the_filter_forgives_spellings_and_typing_errors(library, name, typed):
    await library.knowledge.add_file(AMINA, f"{name}.txt", TEXT)
    await library.knowledge.add_file(AMINA, "wheat.txt", TEXT)
    listed = await library.knowledge.list(AMINA, SourceFilter(text=typed))
    assert [source.title for source in listed.items] == [name]


async def test_the_list_is_newest_first_filtered_and_paged(library):
    for number in range(5):
        await library.knowledge.add_file(AMINA, f"notes-{number}.txt", TEXT)
    await library.knowledge.add_url(AMINA, "https://nowhere.example/page")
    await library.settle()
    first = await library.knowledge.list(AMINA, SourceFilter(kind=SourceKind.FILE), limit=3)
    second = await library.knowledge.list(AMINA, SourceFilter(kind=SourceKind.FILE), limit=3, cursor=first.next_cursor)
    assert [s.title for s in [*first.items, *second.items]] == [f"notes-{n}" for n in (4, 3, 2, 1, 0)]
    assert second.next_cursor is None
    assert [s.title for s in (await library.knowledge.list(AMINA, SourceFilter(text="NOTES-3"))).items] == ["notes-3"]
    with pytest.raises(InputError):
        await library.knowledge.list(AMINA, cursor=first.next_cursor)


async def test_every_feed_of_a_list_is_added_once(library):
    library.web.lay_out("https://a.example/feed", feed(("1", "Words.")))
    opml = b"""<opml><body><outline text="In"><outline text="A" xmlUrl="https://a.example/feed"/></outline>
    <outline text="B" xmlUrl="https://b.example/feed"/><outline text="Bad" xmlUrl="http://10.0.0.1/feed"/></body></opml>"""
    first = await library.knowledge.import_opml(AMINA, opml)
    await library.settle()
    again = await library.knowledge.import_opml(AMINA, opml)
    assert ([s.url for s in first.added], len(first.existing)) == (
        ["https://a.example/feed", "https://b.example/feed"],
        0,
    )
    assert ([s.url for s in again.existing], len(again.added)) == (
        ["https://a.example/feed", "https://b.example/feed"],
        0,
    )
    assert first.refused[0][0] == "http://10.0.0.1/feed"
    assert first.refused[0][1].endswith(".")


async def test_two_people_can_add_the_same_thing(library):
    mine = await library.knowledge.add_file(AMINA, "bridge.txt", TEXT)
    theirs = await library.knowledge.add_file(BARAKA, "bridge.txt", TEXT)
    assert mine.id != theirs.id
    assert not set(await library.texts(mine)) & set(await library.texts(theirs, BARAKA))
