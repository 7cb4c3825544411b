"""A date is the same day in every format and calendar, and another one if a part of it differs."""

import pytest

from almanac.verify import FindingKind, Verdict

TWELFTH = [
    "on 12 March 2026",
    "on March 12, 2026",
    "on 12th March 2026",
    "on 2026-03-12",
    "on 12/03/2026",
    "pada 12 Mac 2026",
    "on 12 March",
]
IN_CJK = ["2026年3月12日", "令和8年3月12日", "R8.3.12", "二〇二六年三月十二日", "3月12日", "三月十二日"]


@pytest.mark.parametrize("claimed", TWELFTH)
@pytest.mark.parametrize("meant", TWELFTH[:-1])
def test_every_format_is_the_same_day(verdict_of, claimed, meant):
    checked = verdict_of(f"The plan was approved {claimed}.", f"The plan was approved {meant}.")
    assert checked.verdict is Verdict.SUPPORTED or claimed.startswith("pada"), checked.findings
    assert not any(finding.kind is FindingKind.DATE for finding in checked.findings)


@pytest.mark.parametrize("claimed", IN_CJK)
@pytest.mark.parametrize("meant", IN_CJK[:4])
def test_eras_and_kanji_are_the_same_day(verdict_of, claimed, meant):
    checked = verdict_of(f"計画は{claimed}に承認された。", f"計画は{meant}に承認された。")
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("It opened on 13 March 2026.", "It opened on 12 March 2026."),
        ("It opened in April 2026.", "It opened in March 2026."),
        ("It opened in 2025.", "It opened in 2026."),
        ("It opened in the third quarter of 2026.", "It opened in the second quarter of 2026."),
        ("It opened on Thursday.", "It opened on Tuesday."),
        ("It opened at 3.30 pm.", "It opened at 2.30 pm."),
        ("It opened yesterday.", "It opened on Tuesday."),
        ("令和7年に開業した。", "令和8年に開業した。"),
        ("平成12年に開業した。", "昭和62年に開業した。"),
        ("午後3時に開業した。", "午前3時に開業した。"),
        ("该站于3月15日启用。", "该站于3月12日启用。"),
        ("Ia dibuka pada Jun.", "Ia dibuka pada Julai."),
    ],
)
def test_another_day_is_a_fault(verdict_of, claimed, source):
    checked = verdict_of(claimed, source)
    assert [finding.kind for finding in checked.findings] == [FindingKind.DATE]


def test_a_weekday_that_fits_the_date_needs_no_mention(verdict_of):
    source = "The vote is on 12 March 2026."
    assert verdict_of("The vote is on Thursday, 12 March 2026.", source).verdict is Verdict.SUPPORTED
    assert verdict_of("The vote is on Friday, 12 March 2026.", source).verdict is Verdict.CHANGED


def test_a_year_may_come_from_another_sentence(verdict_of):
    source = "The fund was set up in 2026. The first grants were paid on 12 March."
    assert verdict_of("The first grants were paid on 12 March 2026.", source).verdict is Verdict.SUPPORTED
    assert verdict_of("The first grants were paid on 12 March 2027.", source).verdict is Verdict.CHANGED


def test_dates_that_changed_places_are_found(verdict_of):
    source = "The first notice went out on 7 October and the second notice on 21 October."
    checked = verdict_of("The first notice went out on 21 October and the second notice on 7 October.", source)
    assert "are swapped" in checked.findings[0].reason


def test_may_is_a_month_only_where_it_is_one(verdict_of):
    assert verdict_of("It may rain.", "Rain is possible; it may rain.").verdict is Verdict.SUPPORTED
    assert verdict_of("It rained in May.", "It rained in June.").verdict is Verdict.CHANGED
    assert verdict_of("Ia bermula selepas bulan Jun.", "Ia bermula selepas Jun.").verdict is Verdict.SUPPORTED
