"""The report of a week: the same figures by API, page, mail and PDF; mailed once, and only to who asked for it."""

from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes, policy

import pypdfium2
import pytest

from almanac.desks.habits.pipeline.weekly_report import mail_weekly_reports

TODAY = date(2026, 3, 2)
MONDAY = date(2026, 2, 23)
PDF = "application/pdf"


@pytest.fixture(autouse=True)
def monday_at_nine(clock):
    clock.at(TODAY)


@pytest.fixture
async def reader(person_who_keeps):
    """Somebody who read on each of ten days and swam on some of them, and asked for reports."""
    keeper = await person_who_keeps("Zoë <Reader>")
    await keeper.bring("Reading & 读书", 10)
    await keeper.bring("Swimming", 3)
    await keeper.send("PUT", "/settings", {"weekly_report": True})
    await keeper.settled()
    return keeper


def text_of(content):
    with closing(pypdfium2.PdfDocument(content)) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def mails_to(outbox, person):
    sent = [item for item in outbox.sent if person.user.email in item.recipients]
    mails = [message_from_bytes(item.raw, policy=policy.default) for item in sent]
    return [mail for mail in mails if mail["Subject"].startswith("Your week")]


async def test_the_report_is_mailed_once_with_its_pdf(reader, services, outbox, worker):
    await mail_weekly_reports(services)
    await mail_weekly_reports(services)
    await reader.settled()
    (mail,) = mails_to(outbox, reader)
    assert mail["Subject"] == "Your week: 9 of 9 kept, 120 points"
    text = mail.get_body(("plain",)).get_content()
    assert "Reading & 读书: 7 of 7 (every day)" in text
    assert "streak of 9 days" in text
    assert f"http://testserver/habits/report?week={MONDAY}" in text
    assert "Zoë &lt;Reader&gt;" in mail.get_body(("html",)).get_content()
    (file,) = mail.iter_attachments()
    assert (file.get_filename(), file.get_content_type()) == (f"habits-{MONDAY}.pdf", PDF)
    printed = text_of(file.get_content())
    for words in (
        "Zoë <Reader> · 23 February to 1 March 2026",
        "9 of 9 kept",
        "Reading & 读书",
        "7 of 7 9 days",
        "Swimming",
        "Strength, the last weeks",
        "1 Mar",
    ):
        assert words in printed


async def test_a_week_later_there_is_the_next_report(reader, services, clock, outbox, worker):
    await mail_weekly_reports(services)
    clock.at(TODAY + timedelta(weeks=1))
    await mail_weekly_reports(services)
    await reader.settled()
    assert len(mails_to(outbox, reader)) == 2


async def test_who_did_not_ask_or_asks_no_more_gets_none(reader, ada, services, outbox, worker):
    await ada.bring("Reading", 3)
    assert (await ada.get("/settings"))["weekly_report"] is False
    await reader.send("PUT", "/settings", {"weekly_report": False})
    await mail_weekly_reports(services)
    await reader.settled()
    assert mails_to(outbox, reader) == mails_to(outbox, ada) == []


async def test_monday_morning_comes_on_each_persons_clocks(reader, services, clock, outbox, worker):
    await reader.send("PUT", "/settings", {"time_zone": "America/Los_Angeles"})
    await mail_weekly_reports(services)
    clock._now = datetime(2026, 3, 2, 14, 59, tzinfo=UTC)
    await mail_weekly_reports(services)
    await reader.settled()
    assert mails_to(outbox, reader) == []
    clock._now = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
    await mail_weekly_reports(services)
    await reader.settled()
    assert len(mails_to(outbox, reader)) == 1


async def test_late_in_the_week_and_without_habits_nothing_is_mailed(reader, ada, services, clock, outbox, worker):
    await ada.send("PUT", "/settings", {"weekly_report": True})
    await mail_weekly_reports(services)
    clock.at(TODAY + timedelta(days=10))
    late = await mail_weekly_reports(services)
    await ada.settled()
    assert (late, mails_to(outbox, ada), len(mails_to(outbox, reader))) == (0, [], 1)


async def test_the_api_tells_it_as_json_and_on_paper(reader):
    summary = await reader.get("/report")
    assert (summary["first"], summary["kept"], summary["asked"], summary["points"]) == (str(MONDAY), 9, 9, 120)
    assert [item["days"][-1] for item in summary["habits"]] == ["counts", "counts"]
    assert summary["strengths"][-1]["last_day"] == "2026-03-01"
    this_week = await reader.get(f"/report?week={TODAY}")
    assert (this_week["is_over"], this_week["kept"]) == (False, 2)
    for answer in (await reader.send("GET", "/report?format=pdf"), await reader.send("GET", "/report", Accept=PDF)):
        assert answer.headers["content-type"] == PDF
        assert "9 of 9 kept" in text_of(answer.content)
    assert (await reader.send("GET", f"/report?week={TODAY + timedelta(weeks=2)}")).status_code == 422


async def test_the_page_shows_the_same_figures_and_leads_to_the_pdf(reader):
    page = await reader.http.get("/habits/report", headers={"Accept": "text/html"})
    assert page.status_code == 200, page.text
    assert "9 of 9" in page.text
    assert "Reading &amp; 读书" in page.text
    assert f"/habits/report.pdf?week={MONDAY}" in page.text
    file = await reader.http.get(f"/habits/report.pdf?week={MONDAY}")
    assert "9 of 9 kept" in text_of(file.content)


async def test_a_week_in_which_nothing_was_kept_is_told_too(ada, clock):
    habit = await ada.begin()
    clock.at(TODAY + timedelta(weeks=1))
    for path in ("/habits/report", f"/habits/{habit}"):
        page = await ada.http.get(path, headers={"Accept": "text/html"})
        assert page.status_code == 200, path
    assert ((await ada.get("/report"))["kept"], (await ada.get("/report"))["asked"]) == (0, 7)
