"""A page becomes a story, a sitting an article, both a newsletter, and each sentence leads back to their very words."""

import io
import zipfile
from contextlib import closing
from html import escape

import pypdfium2

STORY = 36


async def gathered(program, web):
    """The page is read and the sitting written about."""
    address = web.url(f"/a/{STORY}")
    await program.post("/news/links", {"urls": [address]})
    await program.post("/recap/collect", {"from": "2026-02-20", "until": "2026-02-20"})
    fate = await program.until(f"/news/fate?url={address}", lambda answer: answer["status"] == "completed")
    articles = await program.until("/recap/articles", lambda answer: answer["items"])
    return fate["story"], articles["items"][0]["id"]


async def written(program):
    wish = {"title": "Water and power", "frequency": "monthly", "source_kinds": ["news", "recap"]}
    return await program.write(wish, "hydropower", "小水力")


async def test_each_sentence_is_traced_to_the_page_or_the_speech(program, web, page_of, sitting, services):
    story, article = await gathered(program, web)
    code = await written(program)
    traced = await program.get(f"/api/v1/newsletters/{code}/provenance")
    chain = [(item, support) for item in traced["sentences"] for support in item["rests_on"]]
    assert len(chain) >= len(traced["sentences"]) > 0
    assert {item["verdict"] for item in traced["sentences"]} == {"supported"}
    assert {support["desk"] for _, support in chain} == {"news", "recap"}
    speeches = {str(item["speechOrder"]): item for item in sitting["speechRecord"]}
    for sentence, support in chain:
        place, quote = support["place"], support["quote"]
        assert (quote != "", support["standing"]) == (True, "unchanged")
        assert sentence["text"] == " ".join(quote.split())
        if support["desk"] == "news":
            assert (place["item"], support["url"]) == (str(story), web.url(f"/a/{STORY}"))
            assert any(quote in paragraph for paragraph in page_of(STORY))
        else:
            speech = speeches[place["part"]]
            assert (place["item"], support["url"]) == (article, speech["speechURL"])
            assert speech["speech"][support["start"] : support["end"]] == quote
        page = (await program.http.get(support["path"].partition("#")[0])).text
        assert 'id="quoted"' in page
        assert f">{escape(quote)}</mark>" in page
        assert f"/newsletter/{code}/draft#section-" in page
    await exports_name_the_originals(program, code, {support["url"] for _, support in chain})
    await a_desk_that_does_not_feed_it_is_not_asked(program)
    await sources_that_change_are_told(program, services, code, story)


async def exports_name_the_originals(program, code, addresses):
    for name in ("markdown", "text", "web", "html"):
        content = (await program.export(code, name)).decode()
        assert all(address in content for address in addresses), name
    with zipfile.ZipFile(io.BytesIO(await program.export(code, "docx"))) as packed:
        links = packed.read("word/_rels/document.xml.rels").decode()
    assert all(address in links for address in addresses)
    with closing(pypdfium2.PdfDocument(await program.export(code, "pdf"))) as document:
        printed = "".join(page.get_textpage().get_text_range() for page in document)
    # A long address may be broken after each of its parts.
    whole = "".join(printed.replace("\u200b", "").split())
    assert all(address in whole for address in addresses)


async def sources_that_change_are_told(program, services, code, story):
    """The quoted words stay whatever becomes of their source."""
    before = await program.get(f"/api/v1/newsletters/{code}/provenance")
    for change, standing in (
        ("UPDATE processed_content SET article = 'Corrected. ' || article WHERE link_id = %(id)s", "revised"),
        ("UPDATE processed_content SET article = 'Withdrawn.' WHERE link_id = %(id)s", "lost"),
        ("DELETE FROM processed_content WHERE link_id = %(id)s", "gone"),
    ):
        async with services.database.unit() as unit:
            await unit.execute(change, {"id": story})
        after = await program.get(f"/api/v1/newsletters/{code}/provenance")
        assert quotes(after) == quotes(before)
        assert {support["standing"] for support in supports(after) if support["desk"] == "news"} == {standing}
        assert {support["standing"] for support in supports(after) if support["desk"] == "recap"} == {"unchanged"}


def supports(traced):
    return [support for item in traced["sentences"] for support in item["rests_on"]]


def quotes(traced):
    return [support["quote"] for support in supports(traced)]


async def a_desk_that_does_not_feed_it_is_not_asked(program):
    code = await program.write({"title": "News only", "frequency": "monthly", "source_kinds": ["news"]}, "hydropower")
    topics = await program.get(f"/api/v1/newsletters/{code}/topics")
    assert {chunk["kind"] for chunk in topics["retrieved_content"]} == {"news"}
