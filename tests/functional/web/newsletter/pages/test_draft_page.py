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
    assert "912" in re.search(r'class="fault-why[^"]*">(.*?)</span>', page, re.DOTALL)[1]
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
    assert "Someone else saved a different version" in answer.text
    shown = re.findall(r"<td[^>]*>([^<]*)</td>", answer.text[answer.text.index("Both versions") :])[:2]
    assert shown == ["Dear readers, second.", "Dear readers, first."]
    kept = await write(lambda _: field(answer.text, "text")[0], version=field(answer.text, "version")[0])
    assert kept.status_code == 200
    assert "Dear readers, second." in await drafted_desk.see("draft?edit=section-1")


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


UNCONFIRMED = "The price of beans hardly changed while farmers hoarded them."


async def cited(desk):
    """The number under which the passage about beans is cited."""
    page = await desk.see(f"draft?edit={sections(await desk.see('draft'))[0]}")
    titles = re.findall(r'data-insert="\[@(\d+)\]".*?<span>(.*?)</span>', page, re.DOTALL)
    return next(number for number, title in titles if "Maize prices rise" in title)


def button(page, label):
    """Where the first button with this label leads."""
    return re.search(rf'formaction="[^"]*?/(draft/sentences/[^"]*)">{label}<', page)[1]


async def test_an_unconfirmed_sentence_shows_its_uncovered_words_and_is_finished_by_a_person(drafted_desk, write):
    number = await cited(drafted_desk)
    page = (await write(lambda _: f"{UNCONFIRMED}[@{number}]")).text
    assert "<strong>Read this.</strong>" in page
    assert re.findall(r'<mark class="uncovered">(.*?)</mark>', page)[-1] == "hoarded"
    assert "1 to read" in page
    confirmed = (await drafted_desk.send(button(page, "I checked this"))).text
    assert "Kept with your name" in confirmed
    assert re.search(r"Checked by \w.*?<time", confirmed)
    assert "Read this." not in confirmed
    assert "1 read by" in confirmed
    back = (await drafted_desk.send(button(confirmed, "Take back"))).text
    assert "<strong>Read this.</strong>" in back


async def test_ones_own_sentence_is_marked_by_a_button_and_back(drafted_desk, write):
    page = (await write(lambda _: "Dear readers, welcome to our letter!")).text
    assert "This sentence has no source." in page
    marked = (await drafted_desk.send(button(page, "This is my own sentence"))).text
    assert "Your own" in marked
    assert "1 your own" in marked
    assert "[@own]" in await drafted_desk.see(f"draft?edit={sections(marked)[0]}")
    assert "This sentence has no source." in (await drafted_desk.send(button(marked, "Not my own"))).text


async def test_a_sentence_is_dropped_by_a_button_and_comes_back_with_its_revision(drafted_desk, write):
    page = (await write(lambda text: f"{text} The minister resigned.")).text
    dropped = await drafted_desk.send(button(page, "Drop"))
    assert "The minister resigned." not in dropped.text
    number = re.search(r"restore revision (\d+)", dropped.text)[1]
    version = await drafted_desk.version("draft")
    await drafted_desk.send(f"revisions/{number}/restore", {"version": version})
    assert "The minister resigned." in await drafted_desk.see("draft")


async def test_the_page_says_what_was_checked_and_what_was_not(drafted_desk):
    page = await drafted_desk.see("draft")
    assert re.search(r"\d+ sentences: \d+ whose facts and words the rules found in their source", page)
    assert "They don't check whether the source is right." in page
    assert "Every sentence is supported" not in page


async def test_a_table_is_a_table_with_the_verdict_under_its_row(drafted_desk, write):
    number = await cited(drafted_desk)
    rows = [f"| A 90-kilogram bag of maize | {price} shillings |" for price in ("4,720", "7,420")]
    table = "\n".join(["| Goods | Price |", "|---|---|", *rows, "", f"[@{number}]"])
    page = (await write(lambda _: table)).text
    assert "<th>Goods</th>" in page
    assert page.count('class="fault-why') == 1
    assert "7,420" in re.search(r'class="fault-why[^"]*">(.*?)</span>', page, re.DOTALL)[1]
