"""Sentences: where they end in four languages, and that each is exactly what stands at its place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from almanac.language.segmentation import split_sentences

SPLIT = [
    # abbreviations, initials, figures
    ["Dr. Tan of Maju Sdn. Bhd. earned RM 1.2 bilion at 5 p.m. Monday.", "The U.S. economy grew."],
    ["See No. 5 and p. 12, i.e. Fig. 3.", "J. K. Rowling visited the U.S.", "The trip cost $4.5m."],
    ["Mr. and Mrs. Lee met Prof. Ali on Jan. 22.", "It rained."],
    ["We chose plan B.", "The vote was close."],
    ["Acme Inc. shares rose 3.2%.", "Pears, plums, etc. were cheap."],
    ["Lihat hlm. 12 dan No. 5.", "Encik Ali dari Maju Sdn. Bhd.", "Beliau hadir, dll."],
    ["Y.B. Menteri hadir.", "Harga RM1.50 sekilo."],
    ["Shares of Yahoo! Inc. rose on Jan. 31.", "Yum! Brands fell.", "What a day!", "News came late."],
    ["The race runs from Sept. 25-Oct. 3.", "It follows then-Gov. Hall and Lt-Col. West."],
    [
        "Doors open at 7:30 p.m. ET/PT.",
        "Checks ran from 10 p.m. Aug. 9.",
        "It flew at 8:51 p.m. (1451 GMT) as planned.",
    ],
    ["DOVER, Del. (Wire) Ten schools closed.", "They are in Dover, Del.", "Parents complained."],
    ["Reps. Ann Poe (Minn.) and Bo Roe agreed.", "J. A. Tan and B.-L. Ong wrote it.", "A. I. Lim paid."],
    ["She moved to St. Louis.", "The shop is on Main St.", "The owner sold it."],
    ["Hj. Mohd. Zain tinggal di Jl. Merdeka No. 8.", "Maju Tbk. Jakarta untung.", "Abd. Razak hadir."],
    # quotations and brackets
    ['The plan "is not so odd."', "She noted that others use it."],
    ["“We are ready. We will go,” he said.", "“Are you ready?” Mr. Tan asked.", "“No.”", "She left."],
    ['"Kami akan bantu. Ini janji," katanya.', "Sekian."],
    ["The law (see Art. 5. It is short.) passed.", "(It was late.)", "People left."],
    ["「本当ですか。そうです。」と述べた。", "彼は「行く。」と言った。"],
    ["「おはよう。」", "太郎は笑った。"],
    ["『人は城。』という言葉がある。", "予算は１．５兆円（前年度比3.2％増。）となる。"],
    ["“我们会努力。”他说。", "李强表示：“要加快发展。要稳定。”", "会议讨论了《规划。》等。"],
    # marks
    ["Wait…", "What?", "He paused... and left.", "Yahoo! shares rose."],
    ["次です！", "どうですか？", "はい。"],
    ["Ｙａｈｏｏ！ニュースが伝えた。", "モーニング娘。の公演は中止だ。", "彼は「終わり」。", "以上！"],
    ["株式会社Ｔ．Ｍ．ラボは１．５倍になった。", "「もう十分だ」。", "市長はそう話した。"],
    ["What?!", "No way!!", "He left . . . and came back."],
    ["真的吗？", "增长5.2%，好消息！"],
    ["E-mail a.b@example.com or see https://example.org/a.b?c=d.", "Done!"],
]


@pytest.mark.parametrize("expected", SPLIT, ids=lambda expected: expected[0][:30])
def test_sentences_in_one_paragraph(expected):
    joined = ("" if any("\u3000" < c < "\ufff0" for c in expected[0]) else " ").join(expected)
    assert [sentence.text for sentence in split_sentences(joined)] == expected


def test_headings_items_and_labels_are_sentences_of_their_own():
    text = "Heading here\nFirst text. More.\n- one item\n2) second item\n・三つ目\n○田中委員　お答えします。次に。\n"
    results = [(sentence.text, sentence.paragraph) for sentence in split_sentences(text)]
    assert results == [
        ("Heading here", 0),
        ("First text.", 1),
        ("More.", 1),
        ("one item", 2),
        ("second item", 3),
        ("三つ目", 4),
        ("田中委員", 5),
        ("お答えします。", 6),
        ("次に。", 6),
    ]


def test_wrapped_lines_are_put_together():
    text = (
        "The council approved the plan on Monday after a debate that lasted\n"
        "until midnight. It will close eleven streets around the old market\n"
        "to private cars, and open a garage behind the station for people who\n"
        "come from outside.\n\nA second paragraph."
    )
    results = [" ".join(sentence.text.split()) for sentence in split_sentences(text)]
    assert results[1].startswith("It will close")
    assert results[1].endswith("outside.")
    assert [sentence.paragraph for sentence in split_sentences(text)] == [0, 0, 1]


def test_a_byline_is_not_drawn_into_the_title():
    assert [
        s.text for s in split_sentences("Solar rooftops to be compulsory on public buildings\nBy Nadia Rahman\n\nText.")
    ][:2] == [
        "Solar rooftops to be compulsory on public buildings",
        "By Nadia Rahman",
    ]


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet=st.sampled_from("aB1 .!?。！？“”\"「」（）()\n\t-・○　あ漢…。'’"), max_size=120)
    | st.text(max_size=200)
)
def test_places_are_exact_and_nothing_but_marks_is_lost(text):
    results = split_sentences(text)
    end = 0
    for sentence in results:
        assert sentence.start >= end
        assert sentence.text == text[sentence.start : sentence.end]
        assert sentence.text.strip() == sentence.text != ""
        end = sentence.end
    kept = sum(character.isalpha() for sentence in results for character in sentence.text)
    marks = sum(line.strip()[1:2] == ")" or line.strip()[2:3] == ")" for line in text.splitlines())
    assert sum(character.isalpha() for character in text) - kept <= marks


def test_a_long_text_without_any_stop_is_one_sentence():
    assert len(split_sentences("word " * 20_000)) == 1
    assert len(split_sentences("a" + " " * 50_000 + "b")) == 1


def test_brackets_that_never_close_hold_nothing_together():
    assert len(split_sentences("（" * 5_000 + "漢字。" * 5_000 + "」" * 5_000)) == 5_000


@pytest.mark.timeout(20)
def test_a_paragraph_of_very_many_quotations_takes_no_longer_than_its_length():
    assert len(split_sentences('he said "A b." and ' * 60_000)) == 1


def test_german_ordinals_and_abbreviations_end_no_sentence():
    text = "Sie spricht z. B. über Art. 5 Abs. 3 GG und die 3. Lesung am 4. Mai 2026. Es waren 5. Das ist gut."
    assert [sentence.text for sentence in split_sentences(text, "de")] == [
        "Sie spricht z. B. über Art. 5 Abs. 3 GG und die 3. Lesung am 4. Mai 2026.",
        "Es waren 5.",
        "Das ist gut.",
    ]
