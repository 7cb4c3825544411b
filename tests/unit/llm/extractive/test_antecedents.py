"""A sentence comes with the one that introduces what it is about, or not at all."""

import pytest

from almanac.llm.extractive.antecedents import find_antecedents
from almanac.llm.extractive.cues import standalone_part
from almanac.llm.extractive.summaries import extract_bullets, extract_key_points, extract_plain_summary, extract_summary
from almanac.llm.sources import StepSource

LEANING = [
    "In nine schools they did not.",
    "At this time, she opened her own shop.",
    "Born and raised in Ipoh, he moved to Penang.",
    "Most were closed by Friday.",
    "About 65 percent said they would vote.",
    "Two days later, the shop reopened.",
    "Otherwise, Acme must pay a fine of $500.",
    "Yes, but only on Mondays.",
    "Especially the smaller farms.",
    "Antaranya, 57 sekolah ditutup.",
    "Jika tidak, Maju perlu membayar denda.",
    "其中，三人伤势严重。",
    "其余9所未能做到。",
    "否则，公司须缴纳罚款。",
    "专家表示，该项目将延期。",
    "このうち、57校は閉鎖された。",
    "9校ではできなかった。",
    "約65％が不安だと答えた。",
    "ただし、県議会の承認が必要だ。",
    "同工場では140人が働いている。",
    "「市が費用を払う」と話した。",
    "いずれも1か月以内に再開した。",
]
NEEDING = {
    "en": [
        ("A bus left the road near Turbo.", "The bus was empty."),
        ("The Harbour Trust bought two farms.", "The trust will plant trees there."),
        ("Kisumu, a lake town, has one clinic.", "Residents of the town asked for a second clinic."),
        ("Acme promised a grant for stoves.", "The money will be paid in June."),
        ("Dr. Owen Dempsey runs the clinic.", "Dempsey treated eleven patients."),
        ("The Rice Research Institute (RRI) opened.", "RRI has nine scientists."),
        ("Lagos banned plastic bags.", "Shops welcomed these rules."),
        ("Governor Jane Odhiambo opened a clinic.", "“Nurses will come in June,” she said."),
        ("Lionel Reis signed for Dover.", "The Brazilian has scored nine goals."),
        ("Herbert Roy and Jean Mahut won.", "The French duo lost the first set."),
    ],
    "ms": [
        ("Sebuah bas terbalik di Gerik.", "Bas itu dalam perjalanan ke Baling."),
        ("Ketua polis Rosli Ahmad hadir.", "“Mangsa selamat,” katanya ketika ditemui."),
        ("Sebuah kilang ditutup di Klang.", "Menurut jabatan, ini penutupan ketiga sejak Januari."),
        ("Yayasan Tasik membuka permohonan.", "Menurut jadual yayasan tersebut, keputusan diumumkan pada Ogos."),
    ],
    "ja": [
        ("湖畔読書財団は募集を始めた。", "財団は約200件の応募を見込む。"),
        ("23日夜、バスが横転した。", "現場は街灯がなかった。"),
        ("市議の山田太郎容疑者が逮捕された。", "山田氏は容疑を否認している。"),
    ],
    "zh": [
        ("湖畔阅读基金会开始接受申请。", "基金会预计收到200份申请。"),
        ("23日晚，大巴侧翻。", "现场没有路灯。"),
        ("港南市一家工厂停产。", "全市就业依赖这家工厂。"),
        ("市长马明到场。", "“工厂下月复产。”他说。"),
    ],
}
ALONE = {
    "en": [
        ("A bus left the road.", "The government will widen the road."),
        ("The council met on Monday.", "The council will meet again in May."),
        ("A bus left the road.", "The bridge over the Nzoia is closed."),
        ("A bus left the road.", "The San Marco hospital treated 29 people."),
        ("Police closed a road.", "Police arrested a driver."),
        ("Farmers asked for rain.", "This year the rains came late."),
    ],
    "ms": [("Sebuah bas terbalik.", "Tahun ini 40 kemalangan direkodkan.")],
    "ja": [("バスが横転した。", "警察は運転手を逮捕した。")],
    "zh": [("大巴侧翻。", "警方逮捕了司机。")],
}
MEETING = """School lunches: what the committee heard

The district committee reviewed the school lunch pilot on 3 March. In 21 schools the kitchens worked as planned. \
In nine schools they did not. The main reason was a lack of firewood, according to the head teachers. Acme Gas has \
promised $40,000 for stoves. The money will be paid in June, subject to approval by the county assembly. He added \
that the stoves could be installed by July.
"""


@pytest.mark.parametrize("text", LEANING)
def test_a_sentence_that_leans_on_another_cannot_stand_alone(text):
    assert standalone_part(text) is None


@pytest.mark.parametrize(
    ("language", "first", "second"), [(language, *pair) for language, pairs in NEEDING.items() for pair in pairs]
)
def test_what_was_introduced_before_is_needed(language, first, second):
    assert find_antecedents([first, second], language) == [None, 0]


@pytest.mark.parametrize(
    ("language", "first", "second"), [(language, *pair) for language, pairs in ALONE.items() for pair in pairs]
)
def test_what_a_reader_can_place_needs_nothing(language, first, second):
    assert find_antecedents([first, second], language) == [None, None]


def test_a_name_in_the_title_is_taken_as_given():
    texts = ["Dr. Owen Dempsey runs the clinic.", "Dempsey treated eleven patients."]
    assert find_antecedents(texts, "en", "Dempsey opens clinic") == [None, None]


@pytest.mark.parametrize("count", range(1, 8))
def test_a_summary_of_any_length_has_what_its_sentences_need(count):
    source = StepSource(id="s", text=MEETING)
    for written in (
        extract_summary([source], count),
        extract_plain_summary([source], count),
        extract_key_points([source], count),
        extract_bullets([source], count, words=30),
    ):
        texts = [cited.text for cited in written]
        for at, text in enumerate(texts):
            if text.startswith("In nine schools"):
                assert texts[at - 1].startswith("In 21 schools")
            if text.startswith("The money"):
                assert any(before.startswith("Acme Gas") for before in texts[:at])
            if text.startswith("He added"):
                assert texts[at - 1].startswith("The money")


@pytest.mark.parametrize("words", [8, 12, 20, 30])
def test_conditions_and_attributions_are_never_trimmed(words):
    texts = {
        "The clinic will open in Mbita in June with twelve beds and two nurses, subject to approval by the county.": (
            "subject to approval"
        ),
        "The clinic will open in Mbita in June with twelve beds and two nurses, according to the county ministry.": (
            "according to"
        ),
        "The clinic will open in Mbita in June with twelve beds and two nurses, Governor Jane Odhiambo said.": ("said"),
        "The clinic will open in Mbita in June with twelve beds, which the county must approve if it can.": "if",
        "Klinik di Mersing akan dibuka pada Jun dengan dua belas katil dan dua jururawat, menurut jabatan kesihatan.": (
            "menurut"
        ),
        "Klinik di Mersing akan dibuka pada Jun dengan dua belas katil, sementara doktor tiba jika dana diluluskan.": (
            "jika"
        ),
        "县卫生局表示，新诊所将于六月在镇上开业，设有十二张病床和两名护士，但须经县议会批准。": "但须经",
        "県によると、新しい診療所は6月に町に開業し、病床は12床で、県議会の承認が条件となる。": "県によると",
    }
    for text, kept in texts.items():
        for bullet in extract_bullets([StepSource(id="s", text=text)], 3, words=words):
            assert kept in bullet.text


def test_a_sentence_that_limits_another_comes_with_it():
    text = "The trust will pay $4,000 to every library in the district. This is subject to approval by the board."
    japanese = "県は全校に給食費を支給する方針を決めた。ただし、県議会の承認が必要になる。"
    for source, proviso in ((text, "subject to approval"), (japanese, "ただし")):
        written = extract_summary([StepSource(id="s", text=source)], 3)
        assert proviso in written[1].text
