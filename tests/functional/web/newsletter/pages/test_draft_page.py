"""Step 4 as a page: writing by hand, unsupported sentences, revisions, and outdated files."""

import re

import pytest


def field(page, name):
    return re.findall(rf'name="{name}" value="([^"]*)"', page)


def sections(page):
    return re.findall(r'id="section-([^"]*)"', page)


@pytest.fixture
def write(drafted_desk):
    """Writes the first section by hand; a function from its present text gives the new one."""

    async def edit(change, **more):
        first = sections(await drafted_desk.see("draft"))[0]
        page = await drafted_desk.see(f"draft?edit={first}")
        text = re.search(r"<textarea[^>]*>([^<]*)</textarea>", page)[1]
        data = {"text": change(text), "version": field(page, "version")[0], "references": field(page, "references")}
        return await drafted_desk.send(f"draft/sections/{first}", {**data, **more})

    return edit


async def test_references_are_numbers_where_people_write(drafted_desk, write):
    answer = await write(lambda text: text.replace("[@1]", "[@1][@2]"))
    assert answer.status_code == 200
    assert "Section saved." in answer.text
    first = sections(answer.text)[0]
    page = await drafted_desk.see(f"draft?edit={first}")
    assert "[@1][@2]" in page
    assert "Source 2:" in answer.text.split("</section>")[0]


async def test_an_invented_figure_is_marked_in_place_and_stands_in_the_way(drafted_desk, write):
    answer = await write(lambda text: f"{text}\n\nPrices rose by 912 percent.[@1] The minister resigned.[@nowhere]")
    page = answer.text
    assert "Prices rose by 912 percent." in page
    assert "912" in re.search(r'class="fault-why[^"]*">(.*?)</span>', page)[1]
    assert "This reference has no source: nowhere" in page
    refused = await drafted_desk.send("draft/complete", page="draft?edit=" + sections(page)[0])
    assert "It can't be completed yet." in refused.text
    number = re.search(r'href="#(sentence-[^"]*)"', refused.text)[1]
    assert f'id="{number}"' in refused.text
    exported = await drafted_desk.send("export/pdf")
    assert "without support" in re.search(r'class="toast toast-failed".*?</p>', exported.text, re.DOTALL)[0]


async def test_a_stale_text_is_shown_beside_the_saved_one(drafted_desk, write):
    version = field(await drafted_desk.see("draft?edit=section-1"), "version")[0]
    await write(lambda _: "Dear readers, first.")
    answer = await write(lambda _: "Dear readers, second.", version=version)
    assert answer.status_code == 412
    assert "This section was changed somewhere else" in answer.text
    assert "Dear readers, first." in answer.text
    assert "Dear readers, second." in answer.text


async def test_saving_in_place_tells_words_and_version(drafted_desk):
    page = await drafted_desk.see("draft?edit=section-1")
    data = {"text": "Dear readers, welcome.", "version": field(page, "version")[0]}
    answer = await drafted_desk.send_in_place("draft/sections/section-1", data)
    assert answer.status_code == 200
    assert "Saved just now" in answer.text
    assert 'id="draft-words"' in answer.text


async def test_a_revision_is_compared_and_restored(drafted_desk, write):
    await write(lambda _: "Dear readers, this is mine.")
    assert "Edited Introduction" in await drafted_desk.see("revisions")
    compared = await drafted_desk.see("revisions/1")
    assert "<ins>Dear readers, this is mine.</ins>" in compared
    version = field(compared, "version")[0]
    restored = await drafted_desk.send("revisions/1/restore", {"version": version})
    assert "Revision 1 restored" in restored.text
    assert "this is mine" not in await drafted_desk.see("draft")


async def test_a_file_tells_that_the_draft_changed_since(drafted_desk, write):
    started = await drafted_desk.send("export/markdown")
    await drafted_desk.until_done(f"export?{started.url.query.decode()}")
    assert "Draft changed since" not in await drafted_desk.see("export")
    await write(lambda text: "Dear readers, welcome.\n\n" + text)
    assert "Draft changed since" in await drafted_desk.see("export")


async def test_a_proposal_waits_beside_ones_own_text(drafted_desk, write):
    await write(lambda _: "Dear readers, this is mine.")
    await drafted_desk.send("draft/sections/section-1/regenerate", {"instruction": "Shorter"})
    page = await drafted_desk.until_done("draft")
    assert "Proposed new text" in page
    assert "this is mine" in page
    opened = await drafted_desk.see("draft?edit=section-1")
    data = {"version": field(opened, "version")[0], "accepted": "yes"}
    taken = await drafted_desk.send("draft/sections/section-1/proposal", data)
    assert "your text is kept as a revision" in taken.text
    assert "this is mine" not in await drafted_desk.see("draft")


async def test_a_section_too_long_is_refused_and_kept(drafted_desk, write):
    answer = await write(lambda _: "word " * 7000)
    assert answer.status_code == 413
    assert "at most 30,000 characters" in answer.text
    assert "word word word" in answer.text
