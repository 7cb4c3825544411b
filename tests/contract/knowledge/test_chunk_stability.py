"""A passage keeps its id as long as its words stay the same, however often they are read."""

from almanac.knowledge import KnowledgeViewer

AMINA = KnowledgeViewer("amina")
SENTENCES = (
    "The committee of ward {n} met on Tuesday and approved a budget of {m} thousand dollars.",
    "It asked the engineer to mend bridge {n} near the market before the long rains begin.",
    "Mr. Otieno, who chairs the committee, said that the money would be released in two parts.",
    "Residents had complained since January that crossing {n} was unsafe for children on their way to school.",
)


def paragraph(number):
    return " ".join(sentence.format(n=number, m=100 + number) for sentence in SENTENCES)


def text(*numbers):
    return "\n\n".join(paragraph(number) for number in numbers).encode()


async def test_reading_unchanged_text_again_changes_nothing(library):
    source = await library.knowledge.add_file(AMINA, "wards.txt", text(*range(40)))
    before = await library.texts(source)
    again = await library.knowledge.add_file(AMINA, "wards.txt", text(*range(40)))
    await library.knowledge.refresh(AMINA, source.id)
    assert again.id == source.id
    assert list(await library.texts(source)) == list(before)


async def test_an_unchanged_passage_keeps_its_id_when_another_changes(library):
    source = await library.knowledge.add_file(AMINA, "wards.txt", text(*range(40)))
    before = await library.texts(source)
    await library.knowledge.add_file(AMINA, "wards.txt", text(*range(20), 999, *range(20, 40)))
    after = await library.texts(source)
    assert any("ward 999" in words for words in after.values())
    assert len(set(before) - set(after)) <= 5
    assert all(before[kept] == after[kept] for kept in set(before) & set(after))


async def test_spaces_and_line_breaks_make_no_difference(library):
    source = await library.knowledge.add_file(AMINA, "wards.txt", text(*range(10)))
    before = await library.texts(source)
    await library.knowledge.add_file(
        AMINA, "wards.txt", text(*range(10)).replace(b". ", b".   ").replace(b"\n\n", b"\r\n\r\n\r\n")
    )
    assert set(await library.texts(source)) == set(before)


async def test_removing_and_adding_again_gives_the_same_ids(library):
    source = await library.knowledge.add_file(AMINA, "wards.txt", text(*range(10)))
    before = await library.texts(source)
    await library.knowledge.remove(AMINA, source.id)
    again = await library.knowledge.add_file(AMINA, "wards.txt", text(*range(10)))
    assert set(await library.texts(again)) == set(before)


async def test_a_repeated_passage_is_one_chunk(library):
    twice = text(1, 1)
    source = await library.read(
        await library.knowledge.add_file(AMINA, "wards.md", b"# A\n\n" + twice + b"\n\n# B\n\n" + twice)
    )
    assert source.chunks == 1


async def test_an_entry_that_left_the_feed_is_kept_and_new_ones_are_added(library):
    feed = "<rss version='2.0'><channel><title>Ward</title>{}</channel></rss>"
    item = "<item><guid>{0}</guid><title>Entry {0}</title><description>Words of entry {0}.</description></item>"
    library.web.lay_out("https://ward.example/feed", feed.format(item.format(1) + item.format(2)).encode())
    source = await library.knowledge.add_feed(AMINA, "https://ward.example/feed")
    before = await library.texts(source)
    library.web.lay_out("https://ward.example/feed", feed.format(item.format(2) + item.format(3)).encode())
    await library.knowledge.refresh(AMINA, source.id)
    after = await library.texts(source)
    assert set(before) < set(after)
    assert sorted(after.values()) == [f"Words of entry {n}." for n in (1, 2, 3)]


async def test_a_failed_refresh_keeps_what_was_read(library):
    library.web.lay_out("https://ward.example/", b"<html><p>The bridge was mended in March.</p></html>")
    source = await library.knowledge.add_url(AMINA, "https://ward.example/")
    before = await library.texts(source)
    library.web.lay_out("https://ward.example/", b"", status=404)
    await library.knowledge.refresh(AMINA, source.id)
    assert await library.texts(source) == before
    failed = await library.read(source)
    assert (failed.status, failed.chunks) == ("failed", 1)
    assert "status 404" in failed.reason


async def test_a_page_that_changed_loses_its_old_passages(library):
    library.web.lay_out("https://ward.example/", b"<html><p>The bridge was mended in March.</p></html>")
    source = await library.knowledge.add_url(AMINA, "https://ward.example/")
    await library.settle()
    library.web.lay_out("https://ward.example/", b"<html><p>The bridge fell in April.</p></html>")
    await library.knowledge.refresh(AMINA, source.id)
    assert list((await library.texts(source)).values()) == ["The bridge fell in April."]
