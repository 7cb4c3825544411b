"""An alert tells of each new document once, only when there is one, at its time, until it is stopped."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest
from jinja2 import TemplateNotFound

from almanac.accounts import service as accounts_service
from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.errors import Conflict, FieldErrors
from almanac.mail.mail_templates import MailTemplates
from almanac.saved import AlertSettings, SavedQueryInput
from almanac.saved.alerts import Alerts
from almanac.saved.model import change_query
from almanac.search.memory import MemoryIndex

HOURLY = AlertSettings(frequency="hourly")


@pytest.fixture
async def watched(library, ada):
    """A saved query with an hourly alert, set when one document was there."""
    await library.put("old", days=-1)
    saved = await library.saved.save(ada, SavedQueryInput(name="Water & wells", query="water"))
    return await library.alerts.set(ada, saved.id, HOURLY)


async def test_nothing_new_means_no_mail(library, watched):
    await library.pass_time(hours=1)
    await library.pass_time(hours=1)
    assert library.mails == []


async def test_a_new_document_is_told_of_once(library, watched, ada):
    await library.put("new")
    await library.pass_time(hours=1)
    await library.pass_time(hours=1)
    [mail] = [message_from_bytes(envelope.raw, policy=policy.default) for envelope in library.transport.sent]
    assert (mail["To"], mail["Subject"]) == ("Ada <ada@example.org>", "Water & wells: 1 new document")
    text, html = mail.get_body(("plain",)).get_content(), mail.get_body(("html",)).get_content()
    for part in (text, html):
        assert "Water new" in part
        assert "https://almanac.example.org/news/new" in part
        assert "Water old" not in part
        assert library.links.url("ada@example.org", watched.topic) in part
    assert "Water &amp; wells" in html
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


async def test_several_new_documents_are_one_mail(library, watched):
    for number in range(60):
        await library.put(f"new-{number}")
    await library.pass_time(hours=1)
    [mail] = library.transport.sent
    text = message_from_bytes(mail.raw, policy=policy.default).get_body(("plain",)).get_content()
    assert text.count("* Water new-") == 50
    assert "And 10 more: https://almanac.example.org/search?q=water" in text


async def test_a_document_that_arrives_late_with_an_older_date_is_new_too(library, watched):
    await library.put("late", days=-400)
    await library.pass_time(hours=1)
    assert len(library.mails) == 1
    assert "late" in library.mails[0]


async def test_indexing_everything_anew_makes_nothing_new(library, watched):
    await library.put("new")
    await library.pass_time(hours=1)
    await library.remove("old", "new")
    await library.put("old", days=0)
    await library.put("new", title="Water new, corrected")
    await library.pass_time(hours=1)
    assert len(library.mails) == 1


async def test_what_the_owner_may_not_see_is_not_told_of(library, watched):
    await library.put("secret", permission="mail.read")
    await library.pass_time(hours=1)
    assert library.mails == []


async def test_a_daily_alert_comes_at_its_hour_in_its_zone(library, ada):
    saved = await library.saved.save(ada, SavedQueryInput(name="Water", query="water"))
    wish = AlertSettings(frequency="daily", hour=7, time_zone="Asia/Tokyo")
    alert = (await library.alerts.set(ada, saved.id, wish)).alert
    assert alert.next_due_at == datetime(2026, 3, 2, 22, 0, tzinfo=UTC)
    await library.put("new")
    await library.pass_time(hours=12)
    assert library.mails == []
    await library.pass_time(hours=1)
    assert len(library.mails) == 1


async def test_a_weekly_alert_comes_on_mondays(library, ada):
    saved = await library.saved.save(ada, SavedQueryInput(name="Water", query="water"))
    alert = (await library.alerts.set(ada, saved.id, AlertSettings(frequency="weekly", hour=8))).alert
    assert alert.next_due_at == datetime(2026, 3, 9, 8, 0, tzinfo=UTC)


async def test_changing_when_it_comes_loses_nothing(library, watched, ada):
    await library.put("new")
    await library.alerts.set(ada, watched.id, AlertSettings(frequency="daily", hour=0))
    await library.pass_time(days=1)
    assert len(library.mails) == 1


async def test_a_changed_query_begins_with_what_is_there(library, watched, ada):
    await library.put("bread", title="Bread prices")
    await library.saved.edit(ada, watched.id, change_query(watched, query="prices"), expected=watched.version)
    await library.pass_time(hours=1)
    assert library.mails == []
    await library.put("rice", title="Rice prices")
    await library.pass_time(hours=1)
    assert len(library.mails) == 1


async def test_a_renamed_query_goes_on_as_it_was(library, watched, ada):
    await library.put("new")
    await library.saved.edit(ada, watched.id, change_query(watched, name="Wells"), expected=watched.version)
    await library.pass_time(hours=1)
    assert len(library.mails) == 1


async def test_two_workers_at_once_tell_of_a_document_once(library, watched):
    await library.put("new")
    answer = await asyncio.gather(*(library.alerts.run(watched.id) for _ in range(10)))
    await library.mailer.deliver_due()
    assert (sum(answer), len(library.mails)) == (1, 1)


async def test_many_workers_start_each_due_alert_once(library, watched):
    library.clock.advance(hours=1)
    assert sum(await asyncio.gather(*(library.alerts.start_due() for _ in range(10)))) == 1


async def test_a_run_that_breaks_off_has_told_of_nothing_and_tells_later(library, watched):
    await library.put("new")
    without_words = replace(library.alerts, templates=MailTemplates())
    with pytest.raises(TemplateNotFound):
        await without_words.run(watched.id)
    assert await library.alerts.run(watched.id) == 1


async def test_one_click_stops_it(library, watched, ada):
    token = library.links.token("ada@example.org", watched.topic)
    wish = await library.suppressions.unsubscribe(token)
    await library.alerts.unsubscribed(wish.topic)
    await library.put("new")
    await library.pass_time(hours=2)
    assert library.mails == []
    alert = (await library.saved.get(ada, watched.id)).alert
    assert (alert.is_on, alert.stopped_why) == (False, "The reader unsubscribed.")


async def test_an_unsubscription_made_elsewhere_stops_it_too(library, watched, ada):
    await library.suppressions.unsubscribe(library.links.token("ada@example.org", watched.topic))
    await library.put("new")
    await library.pass_time(hours=1)
    assert not (await library.saved.get(ada, watched.id)).alert.is_on


async def test_setting_it_again_after_stopping_tells_of_what_comes_then(library, watched, ada):
    await library.suppressions.unsubscribe(library.links.token("ada@example.org", watched.topic))
    await library.pass_time(hours=1)
    await library.put("missed")
    assert (await library.alerts.set(ada, watched.id, HOURLY)).alert.is_on
    await library.put("new")
    await library.pass_time(hours=1)
    [mail] = library.mails
    assert "news/new" in mail
    assert "news/missed" not in mail


async def test_the_owner_stops_it(library, watched, ada):
    assert not (await library.alerts.stop(ada, watched.id)).alert.is_on
    assert not (await library.alerts.stop(ada, watched.id)).alert.is_on
    await library.put("new")
    await library.pass_time(hours=1)
    assert library.mails == []


async def test_one_that_was_stopped_stays_so_when_its_query_is_changed(library, watched, ada):
    await library.alerts.stop(ada, watched.id)
    edited = await library.saved.edit(ada, watched.id, change_query(watched, query="prices"), expected=watched.version)
    assert not edited.alert.is_on
    await library.put("rice", title="Rice prices")
    await library.pass_time(hours=1)
    assert library.mails == []


async def test_a_query_that_changes_while_its_alert_is_set_must_be_set_again(library, ada, monkeypatch):
    """What is there was looked for with the older words, so that everything that the newer find would be new."""
    await library.put("rice", title="Rice prices", days=-1)
    saved = await library.saved.save(ada, SavedQueryInput(name="Water", query="water"))
    resubscribe = Alerts._resubscribe

    async def edit_first(self, *args):
        await library.saved.edit(ada, saved.id, change_query(saved, query="prices"), expected=saved.version)
        await resubscribe(self, *args)

    monkeypatch.setattr(Alerts, "_resubscribe", edit_first)
    with pytest.raises(Conflict, match="just changed"):
        await library.alerts.set(ada, saved.id, HOURLY)


async def test_the_alert_of_a_closed_account_is_stopped(library, watched, ada):
    await accounts_service.deactivate_user(library.accounts, CONSOLE, ada.user_id)
    await library.put("new")
    await library.pass_time(hours=1)
    assert library.mails == []


async def test_where_more_matches_than_it_looks_at_older_documents_never_become_new(library, ada):
    alerts = replace(library.alerts, max_documents=5)
    for day in range(8):
        await library.put(f"d{day}", days=-day - 1)
    saved = await library.saved.save(ada, SavedQueryInput(name="Water", query="water"))
    await alerts.set(ada, saved.id, HOURLY)
    await library.remove("d0", "d1")
    assert await alerts.run(saved.id) == 0
    await library.put("new")
    assert await alerts.run(saved.id) == 1


async def test_automation_gets_no_mail(library):
    saved = await library.saved.save(AUTOMATION, SavedQueryInput(name="Water"))
    with pytest.raises(Conflict, match="sent by mail"):
        await library.alerts.set(AUTOMATION, saved.id, HOURLY)


@pytest.mark.parametrize(
    ("wish", "field"),
    [({"frequency": "yearly"}, "frequency"), ({"hour": 24}, "hour"), ({"time_zone": "Moon/Sea"}, "time_zone")],
)
def test_a_time_that_never_comes_is_refused_beside_its_field(wish, field):
    with pytest.raises(FieldErrors) as refused:
        AlertSettings(**{"frequency": "daily", **wish})
    assert list(refused.value.fields) == [field]


async def test_an_address_that_gets_no_mail_is_not_written_to_and_says_why(library, watched, ada):
    await library.suppressions.add("ada@example.org", source="bounce", reason="The mailbox is gone.")
    await library.pass_time(hours=1)
    alert = (await library.saved.get(ada, watched.id)).alert
    assert alert.stopped_why == "Mail to this address is blocked: The mailbox is gone."
    with pytest.raises(Conflict, match="The mailbox is gone"):
        await library.alerts.set(ada, watched.id, HOURLY)


async def test_a_query_that_can_no_longer_be_read_stops_with_the_reason(library, ada):
    saved = await library.saved.save(ada, SavedQueryInput(name="Tagged", query="tag:water"))
    await library.alerts.set(ada, saved.id, HOURLY)
    elsewhere = replace(library.alerts, index=MemoryIndex())
    assert await elsewhere.run(saved.id) == 0
    assert "no longer valid" in (await library.saved.get(ada, saved.id)).alert.stopped_why


async def test_clicks_at_the_same_moment_set_it_again_once(library, watched, ada):
    await library.suppressions.unsubscribe(library.links.token("ada@example.org", watched.topic))
    await library.pass_time(hours=1)
    clicks = await asyncio.gather(*(library.alerts.set(ada, watched.id, HOURLY) for _ in range(8)))
    assert all(clicked.alert.is_on for clicked in clicks)
    await library.put("new")
    await library.pass_time(hours=1)
    assert len(library.mails) == 1
