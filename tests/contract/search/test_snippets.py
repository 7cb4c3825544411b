"""A hit shows where the words are, marked as data and never as markup."""

import pytest


def text_of(spans):
    return "".join(span.text for span in spans)


def marks(spans):
    return [span.text for span in spans if span.marked]


async def the_hit(bench, query):
    return (await bench.find(query)).hits[0]


async def test_every_form_of_a_word_is_marked(bench):
    await bench.add("Harvests", "The harvest was late. Harvesting began in May, harvested fields lay bare.")
    hit = await the_hit(bench, "harvest")
    assert marks(hit.marked_title) == ["Harvests"]
    assert marks(hit.snippet) == ["harvest", "Harvesting", "harvested"]


async def test_the_snippet_is_from_where_the_words_meet(bench):
    filler = "Nothing of note happened in the valley that day. " * 40
    await bench.add("Title", f"{filler}rice alone. {filler}Here rice and harvest meet at last. {filler}")
    hit = await the_hit(bench, "rice harvest")
    assert marks(hit.snippet) == ["rice", "harvest"]
    assert text_of(hit.snippet).startswith("…")
    assert text_of(hit.snippet).endswith("…")
    assert len(text_of(hit.snippet)) < 260


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("reunion", "réunion"),
        ("réunion", "Re\u0301union"),
        ("Nguyen", "Nguyễn"),
        ("asean", "ＡＳＥＡＮ"),
        ("obrien", "O'Brien"),
        ("O'Brien", "O’Brien"),
    ],
)
async def test_the_snippet_is_from_where_the_word_is_however_it_is_written(bench, word, written):
    filler = "Nothing of note happened in the valley that day. " * 40
    await bench.add("Title", f"{filler}{written} came. {filler}")
    assert marks((await the_hit(bench, word)).snippet) == [written]


async def test_japanese_is_marked_as_one_piece(bench):
    await bench.add("見出し", "昨年の日本経済の見通しは明るい。")
    assert marks((await the_hit(bench, "日本経済")).snippet) == ["日本経済"]


async def test_markup_in_a_document_stays_text(bench):
    await bench.add("<b>rice</b>", "<script>alert('rice')</script> rice")
    hit = await the_hit(bench, "rice")
    assert text_of(hit.marked_title) == "<b>rice</b>"
    assert marks(hit.snippet) == ["rice", "rice"]
    assert "<script>" in text_of(hit.snippet)


async def test_excluded_words_are_not_marked(bench):
    await bench.add("Tea", "green tea", id="a")
    assert marks((await the_hit(bench, "green -coffee")).snippet) == ["green"]


async def test_without_words_the_beginning_is_shown(bench):
    await bench.add("Title", "The beginning of it. " + "More text follows here. " * 50)
    hit = await the_hit(bench, "kind:news.article")
    assert text_of(hit.snippet).startswith("The beginning of it.")
    assert marks(hit.snippet) == []


async def test_a_document_without_text_has_an_empty_snippet(bench):
    await bench.add("Only a title")
    assert (await the_hit(bench, "title")).snippet == ()


async def test_full_width_text_is_marked_too(bench):
    await bench.add("Title", "本日の ＡＳＥＡＮ 会議")
    assert marks((await the_hit(bench, "asean")).snippet) == ["ＡＳＥＡＮ"]
