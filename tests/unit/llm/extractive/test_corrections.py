"""A figure that the text says is wrong is used nowhere."""

import pytest

from almanac.llm.extractive.corrections import find_withdrawn, uses_withdrawn
from almanac.llm.extractive.headlines import extract_headline
from almanac.llm.extractive.summaries import extract_bullets, extract_key_points, extract_summary
from almanac.llm.sources import StepSource

WITHDRAWN = {
    "Earlier reports of 40 deaths were wrong.": {"40"},
    "Do not use the draft figure of 12.": {"12"},
    "The toll was corrected from 40 to 14.": {"40"},
    "The toll is 14, not 40 as earlier reported.": {"40"},
    "Correction: the fee is $30, not $50.": {"50"},
    "Growth was revised down from 3.4% to 3.1%.": {"3.4%"},
    "The draft gave 91 percent; that figure should not be used because two schools were counted twice.": {"91%"},
    "Laporan awal yang menyebut 40 kematian adalah tidak tepat.": {"40"},
    "Ralat: jumlah sebenar ialah 14, bukan 40.": {"40"},
    "「40人」とあるのは「14人」の誤りでした。": {"40"},
    "当初40人としたのは誤りで、正しくは14人だった。": {"40"},
    "訂正：参加者は120人ではなく102人でした。": {"120"},
    "報告書案の91％という数字は使わないよう求めている。": {"91%"},
    "更正：死亡人数应为14人，而非40人。": {"40"},
    "此前报道的40人有误。": {"40"},
    "报告草案中的91%系统计错误，请勿使用。": {"91%"},
    "The minister was wrong to close 40 schools.": set(),
    "On 3 March 2026 the committee met at 10:30.": set(),
}
NEWS = {
    "en": "Fourteen people died when a bus overturned near Eldoret, police said. Local radio reported 40 deaths at "
    "midnight. Earlier reports of 40 deaths were wrong, police said. The road was closed for nine hours.",
    "ms": "Empat belas orang maut apabila sebuah bas terbalik di Gerik, kata polis. Radio melaporkan 40 kematian "
    "pada tengah malam. Laporan awal yang menyebut 40 kematian adalah tidak tepat. Jalan ditutup sembilan jam.",
    "ja": "県道でバスが横転し、14人が死亡した。一部のラジオは40人が死亡したと報じた。"
    "当初の40人死亡という情報は誤りだった。県道は9時間にわたり通行止めになった。",
    "zh": "一辆大巴在省道上侧翻，造成14人死亡。一家电台曾报道40人遇难。此前40人死亡的报道有误。省道封闭九个小时。",
}


@pytest.mark.parametrize(("text", "figures"), WITHDRAWN.items())
def test_figures_that_are_taken_back(text, figures):
    assert find_withdrawn([text]) == figures


def test_the_figure_of_the_sentence_before_is_taken_back():
    assert find_withdrawn(["The radio said 40 people died.", "That report was wrong."]) == {"40"}


def test_a_correction_that_says_what_is_right_may_be_used():
    text = "The toll is 14, not 40 as earlier reported."
    assert not uses_withdrawn(text, find_withdrawn([text]))


@pytest.mark.parametrize("language", NEWS)
def test_no_list_uses_it(language):
    source = StepSource(id="s", text=NEWS[language])
    for written in (
        extract_summary([source], 6),
        extract_key_points([source], 6),
        extract_bullets([source], 6, words=30),
    ):
        assert written
        assert all("40" not in cited.text for cited in written)


def test_no_headline_uses_it():
    source = StepSource(id="s", text=NEWS["en"], title="Bus crash kills 40 near Eldoret")
    headline = extract_headline([source], 12)
    assert headline
    assert "40" not in headline.text
