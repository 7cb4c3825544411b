"""Names must be those of the source and in their own places; quotations must be its very words."""

import pytest

from almanac.verify import FindingKind, Verdict


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("Tan spoke first.", "Dr Tan Mei Ling spoke first."),
        ("Mr J. Smith spoke first.", "John Smith spoke first."),
        ("The IMF lent more.", "The International Monetary Fund lent more."),
        ("The International Monetary Fund lent more.", "The IMF lent more."),
        ("Malaysian exports rose.", "Exports from Malaysia rose."),
        ("Tan Mei Ling praised the plan.", "Tan Mei Ling is the minister. She praised the plan."),
        ("鈴木大臣が答えた。", "鈴木農林水産大臣が答えた。"),
        ("農水省が発表した。", "農林水産省が発表した。"),
        ("日銀が決めた。", "日本銀行が決めた。"),
    ],
)
def test_another_form_of_a_name_is_the_same_name(verdict_of, claimed, source):
    checked = verdict_of(claimed, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("Minister Lim said prices fell.", "Minister Tan said prices fell. Minister Lim said wages rose."),
        ("Lim told Tan that prices fell.", "Tan told Lim that prices fell."),
        ("Bond Corp sued Apex Corp.", "Apex Corp sued Bond Corp."),
        ("The plant is in Perak.", "The plant is in Kedah."),
        ("Ahmad Zahid spoke.", "Ahmad Razali spoke."),
        ("佐藤議員が質問した。", "田中議員が質問した。"),
        ("木村議員は田中議員を批判した。", "田中議員は木村議員を批判した。"),
        ("ソニー社が参加した。", "トヨタ社が参加した。"),
        ("部长李明表示同意。", "部长王强表示同意。"),
        ("会议在南京举行。", "会议在武汉举行。"),
    ],
)
def test_another_name_is_a_fault(verdict_of, claimed, source):
    checked = verdict_of(claimed, source)
    assert [finding.kind for finding in checked.findings] == [FindingKind.NAME], checked


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("“We will  not sell,” she said.", 'She said: "We will not sell."'),
        ("‘We will not sell’, she said.", "“We will not sell, ever,” she said."),
        ("“We will … sell land,” she said.", "“We will gladly sell land,” she said."),
        ("大臣は「再開 する」と述べた。", "大臣は『再開する』と述べた。"),
        ("他说：“我们不会卖。”", "“我们不会卖，”他说。"),
    ],
)
def test_width_space_marks_and_omissions_are_no_change(verdict_of, claimed, source):
    checked = verdict_of(claimed, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("“We will sell,” she said.", "“We will not sell,” she said."),
        ("大臣は「中止する」と述べた。", "大臣は「再開する」と述べた。"),
        ("他说：“我们会卖。”", "“我们不会卖，”他说。"),
        ('"Kami akan jual," katanya.', '"Kami tidak akan jual," katanya.'),
    ],
)
def test_other_words_between_quotation_marks_are_a_fault(verdict_of, claimed, source):
    checked = verdict_of(claimed, source)
    assert FindingKind.QUOTATION in {finding.kind for finding in checked.findings}


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("The council did not approve the plan.", "The council approved the plan."),
        ("The council rejected the plan.", "The council approved the plan."),
        ("Harga minyak turun di pasaran.", "Harga minyak naik di pasaran."),
        ("法案は否決された。", "法案は可決された。"),
        ("出口下降。", "出口上升。"),
    ],
)
def test_the_opposite_is_a_fault(verdict_of, claimed, source):
    checked = verdict_of(claimed, source)
    assert [finding.kind for finding in checked.findings] == [FindingKind.WORDING]


def test_a_sentence_about_something_else_is_unsupported(verdict_of):
    checked = verdict_of("Penguins gather on the ice every winter.", "The council approved the harbour plan.")
    assert checked.verdict is Verdict.UNSUPPORTED


class TestAcrossTranslation:
    """Numbers, dates, and names as far as their other form is known."""

    SOURCE = "田中花子大臣は2026年3月12日、東京で35億円の支援を発表した。"

    def test_a_faithful_translation_is_supported(self, verdict_of):
        claimed = "Minister Tanaka announced 3.5 billion yen of aid in Tokyo on 12 March 2026."
        assert verdict_of(claimed, self.SOURCE).verdict is Verdict.SUPPORTED

    @pytest.mark.parametrize(
        ("claimed", "kind"),
        [
            ("Minister Tanaka announced 5.3 billion yen of aid in Tokyo.", FindingKind.AMOUNT),
            ("Minister Tanaka announced 3.5 billion yen of aid on 21 March 2026.", FindingKind.DATE),
            ("Minister Tanaka announced 3.5 billion yen of aid in Osaka.", FindingKind.NAME),
            ("Minister Suzuki announced 3.5 billion yen of aid in Tokyo.", FindingKind.NAME),
        ],
    )
    def test_a_changed_fact_is_found(self, verdict_of, claimed, kind):
        assert [finding.kind for finding in verdict_of(claimed, self.SOURCE).findings] == [kind]

    def test_a_name_nobody_gave_is_not_checked(self, verdict_of):
        assert verdict_of("Hanako announced aid in Tokyo.", self.SOURCE).verdict is Verdict.SUPPORTED

    def test_names_that_the_caller_gives_are_checked(self, verdict_of):
        names = {"Hanako": ["花子"], "Taro": ["太郎"]}
        assert verdict_of("Hanako announced aid in Tokyo.", self.SOURCE, names=names).verdict is Verdict.SUPPORTED
        assert verdict_of("Taro announced aid in Tokyo.", self.SOURCE, names=names).verdict is not Verdict.SUPPORTED


def test_a_place_is_written_alike_in_english_and_malay(verdict_of):
    source = "Pusat data baharu di Sedenak mesti membeli elektrik daripada sumber boleh baharu mulai 2028."
    claimed = "New data centres in {} must buy electricity from renewable sources from 2028."
    assert verdict_of(claimed.format("Sedenak"), source).verdict is Verdict.SUPPORTED
    assert verdict_of(claimed.format("Tamsworth"), source).verdict is not Verdict.SUPPORTED
