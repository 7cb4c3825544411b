"""Texts are cut into pieces of a good length that hold whole sentences and know their headings."""

import re

from hypothesis import given
from hypothesis import strategies as st

from almanac.documents.chunker import LEAST, MOST, chunk_blocks, word_weight
from almanac.documents.model import TextBlock
from almanac.language.segmentation import split_sentences

CHINESE = (
    "委员会在星期二召开会议，批准了第{n}号桥梁的预算。工程师须在雨季之前修好市场旁边的桥。居民从一月起就抱怨不安全。"
)
JAPANESE = "委員会は火曜日に会議を開き、第{n}号橋の予算を承認した。技師は雨期の前に市場のそばの橋を直すよう求められた。"


def texts(pieces):
    return [piece.text for piece in pieces]


def test_pieces_have_a_good_length(paragraph):
    pieces = chunk_blocks([TextBlock(paragraph(i)) for i in range(60)], "en")
    assert all(LEAST * 0.5 <= word_weight(piece.text) <= MOST for piece in pieces)
    assert sum(word_weight(piece.text) >= LEAST for piece in pieces) >= len(pieces) - 1


def test_nothing_is_lost_and_nothing_is_said_twice(paragraph):
    blocks = [TextBlock(paragraph(i, 1 + i % 30)) for i in range(40)]
    text = " ".join(" ".join(texts(chunk_blocks(blocks, "en"))).split())
    assert text == " ".join(block.text for block in blocks)


def test_no_sentence_is_ever_cut(paragraph):
    long_paragraph = paragraph(1, 80)
    whole = {sentence.text for sentence in split_sentences(long_paragraph, "en")}
    pieces = chunk_blocks([TextBlock(long_paragraph)], "en")
    assert len(pieces) > 3
    assert all(sentence.text in whole for piece in pieces for sentence in split_sentences(piece.text, "en"))


def test_a_sentence_longer_than_a_piece_stays_whole():
    monster = "The minister said " + ", and ".join(f"that district {i} would get its road" for i in range(60)) + "."
    assert texts(chunk_blocks([TextBlock(monster)], "en")) == [monster]


def test_a_run_without_any_stop_is_cut_at_spaces():
    pieces = chunk_blocks([TextBlock("abc " * 10_000)], "en")
    assert len(pieces) > 1
    assert all(set(piece.text.split()) == {"abc"} for piece in pieces)


def test_chinese_and_japanese_are_measured_in_characters():
    for form, language in ((CHINESE, "zh"), (JAPANESE, "ja")):
        pieces = chunk_blocks([TextBlock(form.format(n=i) * 2) for i in range(20)], language)
        assert min(len(piece.text) for piece in pieces[:-1]) >= 200
        assert max(len(piece.text) for piece in pieces) <= 560
        assert {piece.language for piece in pieces} == {language}
        assert all(piece.text.endswith("。") for piece in pieces)


def test_a_piece_knows_its_headings(paragraph):
    blocks = [
        TextBlock("Report", 1),
        TextBlock(paragraph(1, 10)),
        TextBlock("Roads", 2),
        TextBlock(paragraph(2, 10)),
        TextBlock("Tar", 3),
        TextBlock(paragraph(3, 10)),
        TextBlock("Schools", 2),
        TextBlock(paragraph(4, 10)),
    ]
    assert [tuple(piece.heading) for piece in chunk_blocks(blocks, "en")] == [
        ("Report",),
        ("Report", "Roads"),
        ("Report", "Roads", "Tar"),
        ("Report", "Schools"),
    ]


def test_short_sections_are_put_together_and_keep_their_headings_as_lines():
    blocks = [TextBlock("Minutes", 1)]
    for i in range(6):
        blocks += [TextBlock(f"Item {i}", 2), TextBlock(f"The committee noted matter {i} and took no decision on it.")]
    (piece,) = chunk_blocks(blocks, "en")
    assert tuple(piece.heading) == ("Minutes",)
    assert piece.text.startswith("Item 0\n\nThe committee noted matter 0")
    assert "\n\nItem 5\n\n" in piece.text


def test_a_heading_with_nothing_below_it_is_text():
    blocks = [
        TextBlock("Notice", 1),
        TextBlock("Closed on Friday", 2),
        TextBlock("Open again", 2),
        TextBlock("On Monday", 3),
        TextBlock("Ask at the desk.", 0),
        TextBlock("Closing day: 3 March", 2, page=2),
    ]
    (piece,) = chunk_blocks(blocks, "en")
    assert tuple(piece.heading) == ("Notice",)
    assert piece.text.split("\n\n") == [
        "Closed on Friday",
        "Open again",
        "On Monday",
        "Ask at the desk.",
        "Closing day: 3 March",
    ]
    (alone,) = chunk_blocks([TextBlock("Closed on Friday", 1, page=7)], "en")
    assert (alone.text, alone.heading, alone.page) == ("Closed on Friday", (), 7)


def test_a_heading_as_long_as_a_text_is_one():
    matters = [block for i in range(50) for block in (TextBlock(f"Matter {i}", 2), TextBlock("It was noted. " * 40))]
    pieces = chunk_blocks([TextBlock("word " * 1000, 1), *matters], "en")
    assert max(len(line) for piece in pieces for line in piece.heading) < 100
    assert sum(piece.text.count("word") for piece in pieces) == 1000


def test_signs_that_are_no_words_are_cut_into_pieces_too():
    pieces = chunk_blocks([TextBlock("★ ★ ★ → ★")] * 5000 + [TextBlock("x" * 5000)] * 20, "en")
    assert max(len(piece.text) for piece in pieces) < 10_000
    assert sum(piece.text.count("★") for piece in pieces) == 20_000


def test_a_piece_names_the_page_on_which_it_begins(paragraph):
    pieces = chunk_blocks([TextBlock(paragraph(i, 12), page=i) for i in range(1, 6)], "en")
    assert [piece.page for piece in pieces] == [1, 2, 3, 4, 5]


def changed(before, after):
    return len(set(before) - set(after)), len(set(after) - set(before))


def test_a_changed_word_changes_one_piece(paragraph):
    blocks = [TextBlock(paragraph(i)) for i in range(60)]
    edited = [*blocks[:20], TextBlock(blocks[20].text.replace("Otieno", "Wanjiru")), *blocks[21:]]
    lost, new = changed(texts(chunk_blocks(blocks, "en")), texts(chunk_blocks(edited, "en")))
    assert max(lost, new) <= 3


def test_an_inserted_paragraph_moves_only_the_cuts_near_it(paragraph):
    blocks = [TextBlock(paragraph(i)) for i in range(200)]
    for place in (0, 50, 120):
        edited = [*blocks[:place], TextBlock(paragraph(999)), *blocks[place:]]
        lost, new = changed(texts(chunk_blocks(blocks, "en")), texts(chunk_blocks(edited, "en")))
        assert max(lost, new) <= 10


def test_a_removed_paragraph_moves_only_the_cuts_near_it(paragraph):
    blocks = [TextBlock(paragraph(i)) for i in range(200)]
    lost, new = changed(texts(chunk_blocks(blocks, "en")), texts(chunk_blocks(blocks[:70] + blocks[71:], "en")))
    assert max(lost, new) <= 10


@given(st.lists(st.builds(TextBlock, st.text(min_size=1, max_size=300), st.integers(0, 6)), max_size=12))
def test_any_blocks_can_be_cut_and_no_words_are_lost(blocks):
    pieces = chunk_blocks([block for block in blocks if block.text.strip()], "en")
    text = "".join("".join([*piece.heading, piece.text]) for piece in pieces)
    for block in blocks:
        if word := re.search(r"\w+", block.text):
            assert word[0] in text
